#include "conformance/identify/containment.hpp"

#include <gtest/gtest.h>

#include "protocol/dialects.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Dialect;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;

TEST(Containment, OnlySixZeroIsContainedInOthers) {
  for (const Dialect* const asked : protocol::throttr_dialects) {
    for (const Dialect* const spoken : protocol::throttr_dialects) {
      const Readings readings(*spoken, Profile::deployed);
      const bool later = spoken == &protocol::throttr_7_1 || spoken == &protocol::throttr_7_3;
      const bool expected = asked == spoken || (asked == &protocol::throttr_6_0 && later);
      EXPECT_EQ(contained(*asked, readings, Width::u64).has_value(), expected)
          << asked->name << " in " << spoken->name;
    }
  }
}

TEST(Containment, GivesTheReadingsUnderWhichItHolds) {
  const Readings released(protocol::throttr_7_3, Profile::deployed);
  const auto as_released = contained(protocol::throttr_6_0, released, Width::u16);
  ASSERT_TRUE(as_released);
  EXPECT_EQ(as_released->answer("status-prefix"), "yes");
  EXPECT_EQ(as_released->answer("set-value-size"), "value-width");
  EXPECT_EQ(as_released->answer("list-bytes-used"), "yes");
  const Readings literal(protocol::throttr_7_1, Profile::literal);
  const auto as_written = contained(protocol::throttr_6_0, literal, Width::u16);
  ASSERT_TRUE(as_written);
  EXPECT_EQ(as_written->answer("status-prefix"), "no");
  EXPECT_EQ(as_written->answer("set-value-size"), "one-byte");
  EXPECT_EQ(as_written->answer("list-bytes-used"), "yes");
}

TEST(Containment, TakesBehaviourFromTheTargetWhereItsDocumentAllowsIt) {
  Readings spoken(protocol::throttr_7_1, Profile::deployed);
  ASSERT_TRUE(spoken.set("decrease-below-zero", "clamped"));
  ASSERT_TRUE(spoken.set("kind-mismatch", "replaced"));
  const auto found = contained(protocol::throttr_6_0, spoken, Width::u8);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->answer("decrease-below-zero"), "clamped");
  EXPECT_EQ(found->answer("kind-mismatch"), "refused");
}

}  // namespace
}  // namespace hallmark::conformance
