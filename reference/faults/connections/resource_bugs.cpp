#include <cstdlib>

#include "reference/faults/bugs.hpp"
#include "reference/faults/connections/connection_fault.hpp"

namespace hallmark::faults {
namespace {

struct PlacesNotGivenBack : ConnectionHooks {
  static constexpr std::size_t places = 1'000;
  bool refuses() override { return gone >= places; }
  void ended(Ending, const ByteBuffer&, const ByteBuffer&) override { ++gone; }
  std::size_t gone = 0;
};

struct ResetKeepsPlace : ConnectionHooks {
  static constexpr std::size_t places = 40;
  bool refuses() override { return gone >= places; }
  void ended(Ending ending, const ByteBuffer&, const ByteBuffer&) override {
    gone += ending == Ending::broken ? 1 : 0;
  }
  std::size_t gone = 0;
};

struct OldestEvicted : ConnectionHooks {
  static constexpr std::size_t places = 500;
  bool evicts_oldest(std::size_t served) override { return served > places; }
};

struct OneAtATime : ConnectionHooks {
  bool waits(std::size_t served) override { return served > 0; }
};

struct ResetClosesTheNewest : ConnectionHooks {
  bool takes_newest_along(Ending ending) override { return ending == Ending::broken; }
};

void keep(ByteBuffer& kept, const ByteBuffer& left) {
  kept.clear();
  kept.append(left.view());
}

struct InputLeft : ConnectionHooks {
  void ended(Ending, const ByteBuffer& in, const ByteBuffer&) override { keep(unread, in); }
  void begin(ByteBuffer& in, ByteBuffer&) override { in.swap(unread); }
  ByteBuffer unread;
};

struct OutputLeft : ConnectionHooks {
  void ended(Ending, const ByteBuffer&, const ByteBuffer& out) override { keep(unsent, out); }
  void begin(ByteBuffer&, ByteBuffer& out) override { out.swap(unsent); }
  ByteBuffer unsent;
};

struct SubscriptionsInherited : ConnectionHooks {
  bool inherits() override { return true; }
};

struct UnsentLostAtHalfClose : ConnectionHooks {
  bool half_close_ends() override { return true; }
};

struct HalfCloseUnnoticed : ConnectionHooks {
  bool half_close_unnoticed(const ByteBuffer&) override { return true; }
};

/// Some requests are never full: 32 times 16 zeros are enough for the others.
struct HalfRequestFilledUp : ConnectionHooks {
  bool half_close_unnoticed(const ByteBuffer&) override {
    left = 32;
    return false;
  }
  bool fills_up(ByteBuffer& in) override {
    if (in.empty() || left-- == 0) return false;
    constexpr std::uint8_t zeros[16] = {};
    in.append(zeros);
    return true;
  }
  int left = 0;
};

struct WaitsForSlowReaders : ConnectionHooks {
  bool waits_for_output() override { return true; }
};

struct WaitsForSlowWriters : ConnectionHooks {
  bool waits_for_input(const ByteBuffer& in) override { return !in.empty(); }
};

struct UnsentDropped : ConnectionHooks {
  bool closes_unsent(ByteBuffer& out) override {
    out.clear();
    return false;
  }
};

struct UnsentCloses : ConnectionHooks {
  static constexpr std::size_t too_much = std::size_t{256} << 10;
  bool closes_unsent(ByteBuffer& out) override { return out.size() > too_much; }
};

struct UnknownOpcodeEndsAll : ConnectionHooks {
  bool ends_all(SessionState state) override { return state == SessionState::finished; }
};

struct UnknownOpcodeCrashes : ConnectionHooks {
  bool ends_all(SessionState state) override {
    if (state == SessionState::finished) std::abort();
    return false;
  }
};

struct LargeInputCrashes : ConnectionHooks {
  static constexpr std::size_t most = 60'000;
  void received(const ByteBuffer& in) override {
    if (in.size() > most) std::abort();
  }
};

}  // namespace

Bugs resource_bugs() {
  return {
      {.id = "resources.places-not-given-back",
       .breaks = "there are places for 1000 connections, and one that ended keeps its place",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}},
                    {"throttr-2.0", {"silence.ended-connections"}}},
       .code = connections<PlacesNotGivenBack>()},
      {.id = "resources.reset-keeps-place",
       .breaks = "connections that are reset keep their place, and there are 40 for such",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}}},
       .code = connections<ResetKeepsPlace>()},
      {.id = "resources.oldest-evicted",
       .breaks = "beyond 500 connections the oldest is closed for each new one",
       .violates = {{"throttr-7.1", {"silence.neighbours"}}},
       .code = connections<OldestEvicted>()},
      {.id = "resources.one-at-a-time",
       .breaks = "one connection is served at a time, the others wait for its end",
       .violates = {{"throttr-7.1", {"silence.neighbours"}},
                    {"throttr-2.0", {"silence.neighbours"}}},
       .code = connections<OneAtATime>()},
      {.id = "resources.reset-closes-the-newest",
       .breaks = "when a connection is reset, the one that came last is closed as well",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}}},
       .code = connections<ResetClosesTheNewest>()},
      {.id = "resources.input-left",
       .breaks =
           "what a connection had sent of a request when it ended begins the input of the next",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}},
                    {"throttr-2.0", {"silence.ended-connections"}}},
       .code = connections<InputLeft>()},
      {.id = "resources.output-left",
       .breaks = "replies that a connection did not take before it ended are sent on the next",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}}},
       .code = connections<OutputLeft>()},
      {.id = "resources.subscriptions-inherited",
       .breaks = "publications for a connection that was reset go to the newest one",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}}},
       .code = connections<SubscriptionsInherited>()},
      {.id = "resources.unsent-lost-at-half-close",
       .breaks = "replies that wait are lost when the client ends its sending",
       .violates = {{"throttr-7.1", {"silence.half-close"}}},
       .code = connections<UnsentLostAtHalfClose>(),
       .settles = "what a half-close does"},
      {.id = "resources.half-close-unnoticed",
       .breaks = "a connection whose client has ended its sending stays open for ever",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}}},
       .code = connections<HalfCloseUnnoticed>(),
       .settles = "what a half-close does"},
      {.id = "resources.half-request-filled-up",
       .breaks = "a request that a half-close cuts off is answered as if zeros followed",
       .violates = {{"throttr-7.1", {"stream.framing"}}},
       .code = connections<HalfRequestFilledUp>(),
       .settles = "what a half-close does"},
      {.id = "resources.waits-for-slow-readers",
       .breaks = "while a client does not read its replies, nobody else is served",
       .violates = {{"throttr-7.1", {"silence.neighbours"}}},
       .code = connections<WaitsForSlowReaders>(),
       .settles = "what becomes of unsent output"},
      {.id = "resources.waits-for-slow-writers",
       .breaks = "while the rest of a request has not come, nobody else is served",
       .violates = {{"throttr-7.1", {"silence.neighbours"}}},
       .code = connections<WaitsForSlowWriters>()},
      {.id = "resources.unsent-dropped",
       .breaks = "replies that the client does not take at once are dropped",
       .violates = {{"throttr-7.1", {"silence.sent-ahead"}}},
       .code = connections<UnsentDropped>(),
       .settles = "what becomes of unsent output"},
      {.id = "resources.unsent-closes",
       .breaks = "a connection with unsent replies of 256 KiB is closed within one of them",
       .violates = {{"throttr-7.1", {"silence.sent-ahead"}}},
       .code = connections<UnsentCloses>(),
       .settles = "what becomes of unsent output"},
      {.id = "resources.unknown-opcode-ends-all",
       .breaks = "an opcode that nobody defines ends every connection",
       .violates = {{"throttr-7.1", {"silence.opcode-unknown"}}},
       .code = connections<UnknownOpcodeEndsAll>(),
       .settles = "what an unknown opcode does to the process"},
      {.id = "resources.unknown-opcode-crashes",
       .breaks = "an opcode that nobody defines ends the process",
       .violates = {{"throttr-7.1", {"silence.opcode-unknown"}},
                    {"throttr-2.0", {"silence.opcode-unknown"}}},
       .code = connections<UnknownOpcodeCrashes>(),
       .settles = "what an unknown opcode does to the process"},
      {.id = "resources.large-input-crashes",
       .breaks = "more than 60,000 bytes that have come at once end the process",
       .violates = {{"throttr-7.1", {"silence.neighbours"}}},
       .code = connections<LargeInputCrashes>()},
  };
}

}  // namespace hallmark::faults
