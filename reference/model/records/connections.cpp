#include "reference/model/records/connections.hpp"

#include <cstring>
#include <iterator>

namespace hallmark::model {

std::size_t Connections::IdHash::operator()(const ConnectionId& id) const {
  std::size_t random_half;
  std::memcpy(&random_half, id.data(), sizeof random_half);
  return random_half;
}

// RFC 9562, 5.4: random but for the version in byte 6 and the variant in byte 8.
ConnectionId Connections::draw_id() {
  ConnectionId id;
  const std::array<std::uint64_t, 2> words{random_(), random_()};
  for (std::size_t i = 0; i < id.size(); ++i) {
    id[i] = static_cast<std::uint8_t>(words[i / 8] >> (8 * (i % 8)));
  }
  id[6] = static_cast<std::uint8_t>((id[6] & 0x0f) | 0x40);
  id[8] = static_cast<std::uint8_t>((id[8] & 0x3f) | 0x80);
  return id;
}

Connection* Connections::open(const Moment& at, const Peer& peer) {
  if (size() >= max_connections_) return nullptr;
  auto connection = std::make_unique<Connection>();
  connection->number = next_number_++;
  connection->id = draw_id();
  connection->peer = peer;
  connection->connected_at = to_wire(at.now);
  Connection* const opened = connection.get();
  by_id_.emplace(opened->id, opened);
  by_number_.emplace(opened->number, std::move(connection));
  return opened;
}

void Connections::close(Connection& connection) {
  by_id_.erase(connection.id);
  by_number_.erase(connection.number);
}

const Connection* Connections::find(const ConnectionId& id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

const Connection* Connections::at(std::uint64_t place) const {
  if (place >= by_number_.size()) return nullptr;
  return std::next(by_number_.begin(), static_cast<std::ptrdiff_t>(place))->second.get();
}

std::uint64_t Connections::place_of(const Connection& connection) const {
  return static_cast<std::uint64_t>(
      std::distance(by_number_.begin(), by_number_.find(connection.number)));
}

}  // namespace hallmark::model
