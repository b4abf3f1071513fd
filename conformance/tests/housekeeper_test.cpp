#include "conformance/isolation/housekeeper.hpp"

#include <gtest/gtest.h>

#include "conformance/suites/throttr/support.hpp"
#include "conformance/tests/scripted_network.hpp"

namespace hallmark::conformance::testing {
namespace {

const protocol::Record& some_record() {
  static const protocol::Record record = [] {
    protocol::Record key;
    key.set("key", base::to_bytes("left-behind"));
    return key;
  }();
  return record;
}

/// A target that answers no PURGE, and everything else.
struct UntidyTarget {
  ScriptedNetwork network{
      {{encoded(format_u16(), purge_of(some_record())).bytes.front(), Effect::mutes}}};
  Patience patience{test_deadline};
  RunContext context{.network = network, .format = format_u16(), .patience = patience};
  Housekeeper housekeeper{context};

  void purge_in_vain(unsigned times) {
    for (unsigned i = 0; i < times; ++i) housekeeper.purge({&some_record(), 1});
  }
};

TEST(Housekeeper, GoesWithoutWhereNoPurgeIsAnswered) {
  UntidyTarget target;
  target.purge_in_vain(RunContext::most_failed_tidying - 1);
  EXPECT_FALSE(target.context.untidy());
  target.purge_in_vain(1);
  EXPECT_TRUE(target.context.untidy());
}

TEST(Housekeeper, TriesAgainOnAnotherProcess) {
  UntidyTarget target;
  target.purge_in_vain(RunContext::most_failed_tidying);
  ASSERT_TRUE(target.context.untidy());
  ASSERT_TRUE(target.network.supervisor()->renew());
  target.purge_in_vain(1);
  EXPECT_FALSE(target.context.untidy());
}

TEST(Housekeeper, KnowsWhetherTheProcessMayStillDoWhatItDidNotAnswer) {
  UntidyTarget target;
  target.housekeeper.barrier();
  EXPECT_FALSE(target.housekeeper.is_owed_answers());
  target.purge_in_vain(1);
  target.housekeeper.barrier();
  EXPECT_TRUE(target.housekeeper.is_owed_answers());
  ASSERT_TRUE(target.network.supervisor()->renew());
  target.housekeeper.barrier();
  EXPECT_FALSE(target.housekeeper.is_owed_answers());
}

TEST(Housekeeper, GoesOnWhereOneIsAnsweredInBetween) {
  UntidyTarget target;
  for (int i = 0; i < 3; ++i) {
    target.purge_in_vain(RunContext::most_failed_tidying - 1);
    target.housekeeper.barrier();
  }
  EXPECT_FALSE(target.context.untidy());
}

TEST(Housekeeper, LeavesInTimeAConnectionThatWouldFallSilent) {
  const auto harmless = encoded(format_u16(), query("hallmark:absent:0")).bytes.front();
  ScriptedNetwork network{{{harmless, Effect::tires}}};
  Patience patience{test_deadline};
  RunContext context{.network = network, .format = format_u16(), .patience = patience};
  Housekeeper housekeeper{context};

  for (int i = 0; i < 4; ++i) housekeeper.barrier();
  const Time learnt = network.now();
  EXPECT_GE(learnt, test_deadline / 3) << "the fourth was waited for in vain";
  EXPECT_LT(learnt, test_deadline) << "and not for as long as others wait";
  const unsigned opened = network.connections();
  for (int i = 0; i < 20; ++i) housekeeper.barrier();
  EXPECT_LT(network.now() - learnt, Time{1'000'000}) << "none of the others was";
  EXPECT_EQ(network.connections() - opened, 6U) << "two requests are left on the one that is open";
  EXPECT_FALSE(context.untidy());
}

/// A connection that has been used before may be to blame: the next one tells.
TEST(Housekeeper, AsksOneByOneWhicheverConnectionRequestsComeTogetherOn) {
  Simulation simulation(Bug::reads_one_request);
  Housekeeper housekeeper(simulation.context);
  const std::vector<protocol::Record> both(2, some_record());
  housekeeper.barrier();
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(housekeeper.purge(both));
  const Time learnt = simulation.network.now();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(housekeeper.purge(both));
  EXPECT_LT(simulation.network.now() - learnt, Time{1'000'000});
}

TEST(Housekeeper, AsksOneByOneWhereRequestsThatComeTogetherAreNotAnswered) {
  Simulation simulation(Bug::reads_one_request);
  Housekeeper housekeeper(simulation.context);
  const std::vector<protocol::Record> both(2, some_record());
  EXPECT_TRUE(housekeeper.purge(both));
  const Time learnt = simulation.network.now();
  EXPECT_GE(learnt, test_deadline) << "the second of the two was waited for in vain";
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(Housekeeper(simulation.context).purge(both));
  EXPECT_LT(simulation.network.now() - learnt, Time{1'000'000}) << "none was after that";
}

}  // namespace
}  // namespace hallmark::conformance::testing
