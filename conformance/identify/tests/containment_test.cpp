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
  EXPECT_TRUE(as_released->reads({"status-prefix", "yes"}));
  EXPECT_TRUE(as_released->reads({"set-value-size", "value-width"}));
  EXPECT_TRUE(as_released->reads({"list-bytes-used", "yes"}));
  const Readings literal(protocol::throttr_7_1, Profile::literal);
  const auto as_written = contained(protocol::throttr_6_0, literal, Width::u16);
  ASSERT_TRUE(as_written);
  EXPECT_TRUE(as_written->reads({"status-prefix", "no"}));
  EXPECT_TRUE(as_written->reads({"set-value-size", "one-byte"}));
  EXPECT_TRUE(as_written->reads({"list-bytes-used", "yes"}));
}

TEST(Containment, TakesBehaviourFromTheTargetWhereItsDocumentAllowsIt) {
  Readings spoken(protocol::throttr_7_1, Profile::deployed);
  spoken.choose({"decrease-below-zero", "clamped"});
  spoken.choose({"kind-mismatch", "replaced"});
  const auto found = contained(protocol::throttr_6_0, spoken, Width::u8);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->reads({"decrease-below-zero", "clamped"}));
  EXPECT_TRUE(found->reads({"kind-mismatch", "refused"}));
}

}  // namespace
}  // namespace hallmark::conformance
