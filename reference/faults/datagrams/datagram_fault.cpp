#include "reference/faults/datagrams/datagram_fault.hpp"

#include <algorithm>
#include <cctype>

#include "protocol/text/text.hpp"
#include "reference/faults/faults.hpp"

namespace hallmark::faults {
namespace {

class FaultyHandler final : public server::DatagramHandler {
 public:
  FaultyHandler(DatagramHandler& right, DatagramFault fault)
      : right_(right), fault_(std::move(fault)) {}

  std::size_t answer(base::ByteView datagram, model::Time now, protocol::ByteBuffer& out) override {
    const auto ask = [&](std::string_view request) {
      protocol::ByteBuffer reply;
      right_.answer(base::as_bytes(request), now, reply);
      return std::string(base::as_text(reply.view()));
    };
    const std::string reply = fault_(base::as_text(datagram), ask, memory_);
    out.append(base::as_bytes(reply));
    return reply.size();
  }

  std::size_t most_bytes() const override { return right_.most_bytes(); }

 private:
  DatagramHandler& right_;
  DatagramFault fault_;
  DatagramMemory memory_;
};

}  // namespace

std::unique_ptr<server::DatagramHandler> faulty(server::DatagramHandler& right,
                                                DatagramFault fault) {
  return std::make_unique<FaultyHandler>(right, std::move(fault));
}

Code datagrams(DatagramFault fault) {
  return [fault = std::move(fault)](Faults& faults) { faults.datagrams.push_back(fault); };
}

MessageParts parts_of(std::string_view message) {
  const std::size_t digits = protocol::text::tag_at_front(message).size();
  const std::size_t id = digits == 0 ? 0 : digits + 1;
  return {std::string(message.substr(0, id)), std::string(message.substr(id))};
}

Code of_datagram(std::string (*change)(std::string_view request)) {
  return datagrams([change](std::string_view request, const RightReply& right, DatagramMemory&) {
    return right(change(request));
  });
}

Code of_rest(void (*spoil)(std::string& rest)) {
  return datagrams([spoil](std::string_view request, const RightReply& right, DatagramMemory&) {
    auto [id, rest] = parts_of(right(request));
    spoil(rest);
    return id + rest;
  });
}

std::string small(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace hallmark::faults
