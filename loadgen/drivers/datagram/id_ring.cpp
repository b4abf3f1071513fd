#include "loadgen/drivers/datagram/id_ring.hpp"

#include <bit>

namespace hallmark::loadgen::datagram {
namespace {

constexpr std::uint64_t least_id = 100'000'000'000;  // of 12 digits
constexpr std::uint64_t remembered = 32;

}  // namespace

IdRing::IdRing(std::size_t places)
    : places_(places),
      mask_(places - 1),
      bits_(static_cast<unsigned>(std::countr_zero(places))),
      next_((least_id / places + 1) * places),
      oldest_(next_) {}

// At most one turn: a place that waits is passed by, and so is its id.
Request* IdRing::next_free() {
  for (std::size_t i = 0; i < places_.size(); ++i, ++next_) {
    Request& request = places_[next_ & mask_];
    if (request.fate != Fate::waiting) return &request;
  }
  return nullptr;
}

void IdRing::take(Request& request) {
  if (request.fate != Fate::unused) {
    const std::uint64_t turns = (next_ - request.id) >> bits_;
    const bool was_sent = request.fate != Fate::not_sent;
    const bool answered = was_sent && request.fate != Fate::timed_out;
    const auto shift = [&](std::uint32_t bits, bool latest) {
      const std::uint64_t longer = (std::uint64_t{bits} << 1) | (latest ? 1 : 0);
      return turns > remembered ? 0 : static_cast<std::uint32_t>(longer << (turns - 1));
    };
    request.sent_before = shift(request.sent_before, was_sent);
    request.answered_before = shift(request.answered_before, answered);
  }
  request.id = next_++;
  request.fate = Fate::waiting;
}

IdRing::Match IdRing::find(std::uint64_t id) {
  Request& request = places_[id & mask_];
  if (request.fate == Fate::unused || id > request.id) return {};
  if (id == request.id) return {Known::current, &request};
  const std::uint64_t turns = (request.id - id) >> bits_;
  if (turns > remembered) return {};
  const std::uint32_t bit = std::uint32_t{1} << (turns - 1);
  if ((request.sent_before & bit) == 0) return {};
  const bool answered = (request.answered_before & bit) != 0;
  return {answered ? Known::answered_before : Known::lost_before, &request, bit};
}

}  // namespace hallmark::loadgen::datagram
