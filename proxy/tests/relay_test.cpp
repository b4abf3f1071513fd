#include "proxy/relay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <string>

namespace hallmark::proxy {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

using enum Direction;

std::vector<std::uint8_t> bytes_of(std::uint64_t number) {
  const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof number>>(number);
  return {bytes.begin(), bytes.end()};
}

std::uint64_t number_in(const std::vector<std::uint8_t>& bytes) {
  std::array<std::uint8_t, sizeof(std::uint64_t)> whole{};  // zeros where it was cut
  std::ranges::copy(bytes, whole.begin());
  return std::bit_cast<std::uint64_t>(whole);
}

struct Sent {
  std::uint64_t number;
  Time at;
  friend bool operator==(const Sent&, const Sent&) = default;
};

/// Datagrams through a relay under simulated time. The bytes of a datagram are its number.
class Simulation {
 public:
  explicit Simulation(const FaultPlan& plan, const HeldLimits& limits = {},
                      const DecisionLog& log = {})
      : relay_(Faults(7, plan, plan), limits, log) {}

  Relay& relay() { return relay_; }
  Time now() const { return now_; }

  /// Time passes; what is due is sent at its time.
  void until(Time time) {
    while (const auto due = relay_.next_due()) {
      if (*due > time) break;
      now_ = std::max(now_, *due);
      drain();
    }
    now_ = time;
  }

  void receive(std::uint64_t flow, std::uint64_t number, Direction direction = requests) {
    relay_.receive(direction, flow, bytes_of(number), now_);
    drain();
  }

  /// `number` datagrams in one flow, one every `spacing`; then everything that is still held.
  void burst(std::uint64_t number, Time spacing) {
    const auto flow = relay_.open_flow();
    for (std::uint64_t i = 0; i < number; ++i) {
      until(now_ + spacing);
      receive(flow, i);
    }
    finish();
  }

  void finish() {
    while (const auto due = relay_.next_due()) until(*due);
  }

  const std::vector<Sent>& sent(std::uint64_t flow = 0, Direction direction = requests) {
    return sent_[{direction, flow}];
  }

  std::vector<std::uint64_t> order(std::uint64_t flow = 0) {
    std::vector<std::uint64_t> numbers;
    for (const Sent& one : sent(flow)) numbers.push_back(one.number);
    return numbers;
  }

  const Counts& counts(Direction direction = requests) { return relay_.counts(direction); }

 private:
  void drain() {
    while (const auto departure = relay_.take_due(now_)) {
      sent_[{departure->direction, departure->flow}].push_back({number_in(departure->bytes), now_});
      ASSERT_TRUE(relay_.counts(departure->direction).conserved());
    }
  }

  Relay relay_;
  Time now_{0};
  std::map<std::pair<Direction, std::uint64_t>, std::vector<Sent>> sent_;
};

std::vector<std::uint64_t> numbers_to(std::uint64_t end) {
  std::vector<std::uint64_t> numbers(end);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> numbers) {
  std::ranges::sort(numbers);
  return numbers;
}

TEST(Relay, without_faults_everything_passes_at_once_in_order) {
  Simulation simulation({});
  simulation.burst(100, 1ms);
  EXPECT_EQ(simulation.order(), numbers_to(100));
  EXPECT_EQ(simulation.sent()[41].at, 42ms);
  EXPECT_EQ(simulation.counts(), (Counts{.received = 100, .forwarded = 100}));
  EXPECT_EQ(simulation.counts(replies), Counts{});
}

TEST(Relay, what_is_dropped_never_leaves) {
  Simulation simulation({.drop = 1});
  simulation.burst(100, 1ms);
  EXPECT_THAT(simulation.sent(), IsEmpty());
  EXPECT_EQ(simulation.counts(), (Counts{.received = 100, .dropped = 100}));
}

TEST(Relay, what_is_duplicated_leaves_twice) {
  Simulation simulation({.duplicate = 1});
  simulation.burst(3, 1ms);
  EXPECT_THAT(simulation.order(), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_EQ(simulation.counts(), (Counts{.received = 3, .duplicated = 3, .forwarded = 6}));
}

TEST(Relay, a_delay_is_kept_to_the_nanosecond) {
  Simulation simulation({.delay = {5ms, 5ms}});
  const auto flow = simulation.relay().open_flow();
  simulation.until(1ms);
  simulation.receive(flow, 0);
  EXPECT_EQ(simulation.relay().next_due(), 6ms);
  simulation.until(6ms - 1ns);
  EXPECT_THAT(simulation.sent(), IsEmpty());
  EXPECT_EQ(simulation.counts().held, 1U);
  simulation.until(6ms);
  EXPECT_THAT(simulation.sent(), ElementsAre(Sent{0, 6ms}));
  EXPECT_EQ(simulation.counts(), (Counts{.received = 1, .forwarded = 1, .delayed = 1}));
}

TEST(Relay, delays_of_a_range_let_datagrams_overtake_each_other) {
  Simulation simulation({.delay = {0ms, 100ms}});
  simulation.burst(1000, 1ms);
  EXPECT_NE(simulation.order(), numbers_to(1000));
  EXPECT_EQ(sorted(simulation.order()), numbers_to(1000));
  EXPECT_GT(simulation.counts().reordered, 0U);
  EXPECT_EQ(simulation.counts().held_back, 0U);
}

TEST(Relay, who_is_held_back_is_passed_by_exactly_as_many_as_was_decided) {
  std::map<std::uint64_t, std::uint32_t> decided;
  Simulation simulation({.reorder = 0.1, .held_back_at_most = 1h}, {}, [&](const Decision& one) {
    decided[one.id.number] = one.fate[0].overtaken_by;
  });
  constexpr std::uint64_t count = 10'000;
  simulation.burst(count, 1us);
  const auto order = simulation.order();
  EXPECT_EQ(sorted(order), numbers_to(count));
  std::uint64_t reordered = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::uint64_t number = order[place];
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(place);
    const auto passed = std::count_if(order.begin(), end, [=](auto n) { return n > number; });
    reordered += passed > 0;
    // The last ones have nobody left to pass them.
    if (number < count - 50) {
      ASSERT_EQ(passed, decided[number]) << number;
    }
  }
  EXPECT_GT(reordered, count / 20);
  EXPECT_EQ(simulation.counts().reordered, reordered);
}

TEST(Relay, nobody_is_held_back_for_ever) {
  Simulation simulation({.reorder = 1, .held_back_at_most = 100ms});
  const auto flow = simulation.relay().open_flow();
  simulation.receive(flow, 0);
  simulation.until(99ms);
  EXPECT_THAT(simulation.sent(), IsEmpty());
  simulation.until(100ms);
  EXPECT_THAT(simulation.sent(), ElementsAre(Sent{0, 100ms}));
  EXPECT_EQ(simulation.counts(), (Counts{.received = 1, .forwarded = 1, .held_back = 1}));
}

TEST(Relay, who_is_held_back_keeps_its_delay) {
  // The first is held back, and passed at 2 ms, before its own delay is over.
  const FaultPlan plan{.reorder = 0.5, .delay = {3ms, 3ms}, .overtaken_by_at_most = 1};
  Simulation simulation(plan);
  simulation.burst(1000, 1ms);
  for (const Sent& one : simulation.sent()) {
    const Time arrived = (one.number + 1) * 1ms;
    ASSERT_GE(one.at, arrived + 3ms) << one.number;
    ASSERT_LE(one.at, arrived + 103ms) << one.number;
  }
  EXPECT_EQ(sorted(simulation.order()), numbers_to(1000));
}

TEST(Relay, a_duplicate_does_not_pass_for_those_that_overtake) {
  // 0 is held back for one other: its own copy is none.
  Simulation simulation({.duplicate = 1, .reorder = 1, .overtaken_by_at_most = 1});
  const auto flow = simulation.relay().open_flow();
  simulation.receive(flow, 0);
  EXPECT_THAT(simulation.sent(), IsEmpty());
  EXPECT_EQ(simulation.counts().held, 2U);
}

TEST(Relay, damage_is_done_to_the_copy_that_was_chosen) {
  Fate fate;
  Relay relay(Faults(7, {.duplicate = 1, .corrupt = 0.5, .truncate = 0.5}, {}), {},
              [&](const Decision& one) { fate = one.fate; });
  const auto flow = relay.open_flow();
  const std::vector<std::uint8_t> whole = {1, 2, 3, 4, 5};
  for (int i = 0; i < 1000; ++i) {
    relay.receive(requests, flow, whole, 0ns);
    for (const Copy& copy : fate) {
      auto expected = whole;
      if (copy.cut_to) expected.resize(*copy.cut_to);
      if (copy.flip) expected[copy.flip->position] ^= copy.flip->mask;
      ASSERT_EQ(relay.take_due(0ns)->bytes, expected);
      ASSERT_EQ(expected == whole, !copy.cut_to && !copy.flip);
    }
  }
  EXPECT_GT(relay.counts(requests).corrupted, 500U);
  EXPECT_GT(relay.counts(requests).truncated, 500U);
}

TEST(Relay, an_empty_datagram_is_a_datagram) {
  Relay relay(Faults(7, {}, {}));
  relay.receive(replies, relay.open_flow(), {}, 0ns);
  const auto departure = relay.take_due(0ns);
  ASSERT_TRUE(departure);
  EXPECT_EQ(departure->direction, replies);
  EXPECT_THAT(departure->bytes, IsEmpty());
}

constexpr FaultPlan everything{.drop = 0.1,
                               .duplicate = 0.1,
                               .reorder = 0.1,
                               .corrupt = 0,
                               .truncate = 0,
                               .delay = {1ms, 5ms}};

TEST(Relay, the_same_datagrams_at_the_same_times_leave_alike) {
  Simulation first(everything), second(everything);
  first.burst(1000, 1ms);
  second.burst(1000, 1ms);
  EXPECT_EQ(first.sent(), second.sent());
  EXPECT_EQ(first.counts(), second.counts());
}

TEST(Relay, the_order_does_not_depend_on_how_late_datagrams_are_taken) {
  Relay relay(Faults(7, everything, {}));
  const auto flow = relay.open_flow();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    relay.receive(requests, flow, bytes_of(i), (i + 1) * 1ms);
  }
  std::vector<std::uint64_t> late;
  while (const auto departure = relay.take_due(1h)) late.push_back(number_in(departure->bytes));
  Simulation in_time(everything);
  in_time.burst(1000, 1ms);
  EXPECT_EQ(late, in_time.order());
}

TEST(Relay, what_becomes_of_a_flow_does_not_depend_on_timing) {
  Simulation slow(everything), fast(everything);
  slow.burst(1000, 1s);
  fast.burst(1000, 1us);
  EXPECT_EQ(sorted(slow.order()), sorted(fast.order()));
  EXPECT_EQ(slow.counts().dropped, fast.counts().dropped);
}

TEST(Relay, what_becomes_of_a_flow_does_not_depend_on_others) {
  Simulation alone(everything), in_company(everything);
  alone.burst(1000, 1ms);
  for (int i = 0; i < 3; ++i) in_company.relay().open_flow();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    in_company.until(in_company.now() + 1ms);
    in_company.receive(1, i);
    in_company.receive(0, i);
    in_company.receive(0, i, replies);
    if (i % 3 == 0) in_company.receive(2, i);
  }
  in_company.finish();
  EXPECT_EQ(alone.sent(0), in_company.sent(0));
  EXPECT_NE(in_company.order(0), in_company.order(1));
}

TEST(Relay, what_is_too_much_to_hold_is_discarded_and_counted_apart) {
  Simulation simulation({.delay = {1s, 1s}}, {.datagrams = 10, .bytes = 1000});
  const auto flow = simulation.relay().open_flow();
  for (std::uint64_t i = 0; i < 15; ++i) simulation.receive(flow, i);
  EXPECT_EQ(simulation.counts().held, 10U);
  EXPECT_EQ(simulation.counts().discarded.held_limit, 5U);
  EXPECT_EQ(simulation.counts().dropped, 0U);
  EXPECT_TRUE(simulation.counts().conserved());
  simulation.finish();
  simulation.receive(flow, 15);
  EXPECT_EQ(simulation.counts().held, 1U);
}

TEST(Relay, bytes_are_limited_as_well) {
  Simulation simulation({.delay = {1s, 1s}}, {.datagrams = 1000, .bytes = 20});
  const auto flow = simulation.relay().open_flow();
  for (std::uint64_t i = 0; i < 5; ++i) simulation.receive(flow, i);
  EXPECT_EQ(simulation.counts().held, 2U);  // of 8 bytes each
  EXPECT_EQ(simulation.counts().discarded.held_limit, 3U);
}

TEST(Relay, what_need_not_wait_passes_where_nothing_can_be_held) {
  Simulation simulation({}, {.datagrams = 0, .bytes = 0});
  simulation.burst(10, 0ns);
  EXPECT_EQ(simulation.order(), numbers_to(10));
}

TEST(Relay, what_is_held_for_a_closed_flow_is_discarded) {
  Simulation simulation({.reorder = 0.5, .delay = {1s, 1s}});
  const auto closed = simulation.relay().open_flow();
  const auto open = simulation.relay().open_flow();
  for (std::uint64_t i = 0; i < 20; ++i) {
    simulation.receive(closed, i);
    simulation.receive(open, i);
  }
  simulation.relay().close_flow(closed);
  simulation.finish();
  EXPECT_THAT(simulation.sent(closed), IsEmpty());
  EXPECT_EQ(sorted(simulation.order(open)), numbers_to(20));
  EXPECT_EQ(simulation.counts().discarded.flow_closed, 20U);
  EXPECT_TRUE(simulation.counts().conserved());
}

TEST(Relay, what_comes_for_a_closed_flow_is_discarded) {
  Simulation simulation({});
  const auto flow = simulation.relay().open_flow();
  simulation.relay().close_flow(flow);
  simulation.receive(flow, 0);
  simulation.relay().turn_away(requests);
  EXPECT_EQ(simulation.counts().received, 2U);
  EXPECT_EQ(simulation.counts().discarded.flow_closed, 2U);
}

TEST(Relay, a_closed_flow_has_no_successor_of_its_number) {
  Simulation simulation({});
  const auto first = simulation.relay().open_flow();
  simulation.relay().close_flow(first);
  EXPECT_NE(simulation.relay().open_flow(), first);
}

TEST(Relay, what_could_not_be_sent_is_not_forwarded) {
  Simulation simulation({});
  simulation.burst(3, 1ms);
  simulation.relay().not_sent(requests);
  EXPECT_EQ(simulation.counts().forwarded, 2U);
  EXPECT_EQ(simulation.counts().discarded.not_sent, 1U);
  EXPECT_TRUE(simulation.counts().conserved());
}

// Random plans, limits, flows that come and go: at every step nothing is lost or made up, and all
// that is held leaves in time.
TEST(Relay, conserves_datagrams_whatever_happens) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const DatagramRandom random(seed, {});
    const auto rate = [&](Draw draw) { return static_cast<double>(random.below(4, draw)) / 4; };
    FaultPlan plan{.drop = rate(Draw::drop),
                   .duplicate = rate(Draw::duplicate),
                   .reorder = rate(Draw::reorder),
                   .corrupt = rate(Draw::corrupt),
                   .truncate = rate(Draw::truncate),
                   .delay = {0ms, std::chrono::milliseconds(random.below(20, Draw::delay))}};
    Simulation simulation(plan, {.datagrams = 20, .bytes = 150});
    std::uint64_t flow = simulation.relay().open_flow();
    for (std::uint64_t i = 0; i < 500; ++i) {
      const DatagramRandom step(seed, {replies, 0, i});
      if (step.chance(0.02, Draw::drop)) {
        simulation.relay().close_flow(step.below(flow + 1, Draw::mask));
        flow = simulation.relay().open_flow();
      }
      simulation.until(simulation.now() + std::chrono::microseconds(step.below(3000, Draw::delay)));
      simulation.receive(step.below(flow + 1, Draw::length), i,
                         step.chance(0.5, Draw::reorder) ? requests : replies);
      for (const auto direction : {requests, replies}) {
        ASSERT_TRUE(simulation.counts(direction).conserved()) << seed << ' ' << i;
        ASSERT_LE(simulation.counts(direction).held, 20U);
      }
    }
    simulation.until(simulation.now() + plan.delay.longest + plan.held_back_at_most);
    EXPECT_FALSE(simulation.relay().next_due()) << seed;
    EXPECT_EQ(simulation.counts(requests).held + simulation.counts(replies).held, 0U) << seed;
  }
}

}  // namespace
}  // namespace hallmark::proxy
