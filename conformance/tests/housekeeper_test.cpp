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

TEST(Housekeeper, GoesOnWhereOneIsAnsweredInBetween) {
  UntidyTarget target;
  for (int i = 0; i < 3; ++i) {
    target.purge_in_vain(RunContext::most_failed_tidying - 1);
    target.housekeeper.barrier();
  }
  EXPECT_FALSE(target.context.untidy());
}

}  // namespace
}  // namespace hallmark::conformance::testing
