#include "clients/serve/undisturbed.hpp"

#include <algorithm>

namespace hallmark::clients {

void Undisturbed::close(std::uint64_t connection) {
  service_.close(connection);
  sent_.erase(connection);
}

void Undisturbed::receive(std::uint64_t connection, base::ByteView bytes) {
  service_.receive(connection, bytes);
  while (const auto answer = service_.answer_next(connection)) {
    for (const Message& message : answer->messages) {
      Sent& sent = sent_[message.connection];
      base::append(message.push == nullptr ? sent.replies : sent.deliveries, message.bytes);
    }
  }
}

std::optional<base::Bytes> Undisturbed::instead_of(const Message& message) {
  Sent& sent = sent_[message.connection];
  base::Bytes& here = message.push == nullptr ? sent.replies : sent.deliveries;
  // Silence in the place of a reply: what is left was meant for it.
  const bool is_silent = message.bytes.empty() && message.last && !here.empty();
  const std::size_t size = is_silent ? here.size() : std::min(here.size(), message.bytes.size());
  base::Bytes front(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(size));
  here.erase(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(size));
  if (std::ranges::equal(front, message.bytes)) return std::nullopt;
  return front;
}

}  // namespace hallmark::clients
