#include "proxy/flows.hpp"

namespace hallmark::proxy {

Flows::Handle Flows::of_client(const Udp::endpoint& client) const {
  const auto& index = flows_.get<ByClient>();
  const auto found = index.find(client);
  return found == index.end() ? nullptr : *found;
}

Flows::Handle Flows::numbered(std::uint64_t number) const {
  const auto& index = flows_.get<ByNumber>();
  const auto found = index.find(number);
  return found == index.end() ? nullptr : *found;
}

void Flows::add(Handle flow) { flows_.push_back(std::move(flow)); }

void Flows::remove(const Flow& flow) { flows_.get<ByNumber>().erase(flow.number); }

void Flows::touch(const Flow& flow) {
  const auto here = flows_.project<0>(flows_.get<ByNumber>().find(flow.number));
  flows_.relocate(flows_.end(), here);
}

}  // namespace hallmark::proxy
