#include "reference/server/connection_faults.hpp"

#include <poll.h>

#include <cstdlib>

#include "reference/mutants/mutant.hpp"

namespace hallmark::server {

using mutants::on;
using protocol::ByteBuffer;
using mutants::operator""_mutant;

bool ConnectionFaults::no_place() const {
  return (on("resources.places-not-given-back"_mutant) && ended_ >= 1'000) ||
         (on("resources.reset-keeps-place"_mutant) && broken_ >= 40);
}

bool ConnectionFaults::has_to_wait(std::size_t served) const {
  return on("resources.one-at-a-time"_mutant) && served > 0;
}

bool ConnectionFaults::evicts(std::size_t served) const {
  return on("resources.oldest-evicted"_mutant) && served > 500;
}

bool ConnectionFaults::takes_the_newest_along(Ending ending) const {
  return on("resources.reset-closes-the-newest"_mutant) && ending == Ending::broken;
}

bool ConnectionFaults::inherits() const { return on("resources.subscriptions-inherited"_mutant); }

void ConnectionFaults::ended(Ending ending, const ByteBuffer& in, const ByteBuffer& out) {
  ++ended_;
  if (ending == Ending::broken) ++broken_;
  const auto keep = [](ByteBuffer& kept, const ByteBuffer& left) {
    kept.clear();
    kept.append(left.view());
  };
  if (on("resources.input-left"_mutant)) keep(unread_, in);
  if (on("resources.output-left"_mutant)) keep(unsent_, out);
}

void ConnectionFaults::begin(ByteBuffer& in, ByteBuffer& out) {
  in.swap(unread_);
  out.swap(unsent_);
}

namespace connection_faults {
namespace {

void wait_for(int descriptor, short events) {
  constexpr int longest = 30'000;
  pollfd one{descriptor, events, 0};
  ::poll(&one, 1, longest);
}

}  // namespace

void wait_readable(int descriptor) { wait_for(descriptor, POLLIN); }
void wait_writable(int descriptor) { wait_for(descriptor, POLLOUT); }

bool half_close_ends() { return on("resources.unsent-lost-at-half-close"_mutant); }
bool half_close_unnoticed() { return on("resources.half-close-unnoticed"_mutant); }

bool fill_up(ByteBuffer& in) {
  if (!on("resources.half-request-filled-up"_mutant) || in.empty()) return false;
  constexpr std::uint8_t zeros[16] = {};
  in.append(zeros);
  return true;
}

bool waits_for_input(const ByteBuffer& in) {
  return on("resources.waits-for-slow-writers"_mutant) && !in.empty();
}

bool waits_for_output() { return on("resources.waits-for-slow-readers"_mutant); }

bool spoil_unsent(ByteBuffer& out) {
  constexpr std::size_t too_much = std::size_t{256} << 10;
  if (on("resources.unsent-dropped"_mutant)) out.clear();
  return on("resources.unsent-closes"_mutant) && out.size() > too_much;
}

void take(const ByteBuffer& in) {
  constexpr std::size_t most_input = 60'000;
  if (on("resources.large-input-crashes"_mutant) && in.size() > most_input) std::abort();
}

bool end_all(SessionState state) {
  if (state != SessionState::finished) return false;
  if (on("resources.unknown-opcode-crashes"_mutant)) std::abort();
  return on("resources.unknown-opcode-ends-all"_mutant);
}

}  // namespace connection_faults

}  // namespace hallmark::server
