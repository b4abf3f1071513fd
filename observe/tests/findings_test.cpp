#include "observe/findings.hpp"

#include <gmock/gmock.h>

namespace hallmark::observe {
namespace {

using captures::Finding;
using captures::FindingKind;
using testing::SizeIs;

TEST(Findings, TheFirstOfAKindStandsForAll) {
  Findings findings;
  Finding finding{FindingKind::unanswered, Side::client, {10, 5}, "no reply came"};
  finding.bytes = base::Bytes(1000, 0x61);
  EXPECT_NE(findings.add(finding, 3, Time(5)), nullptr);
  finding.where.offset = 99;
  EXPECT_EQ(findings.add(finding, 4, Time(6)), nullptr);
  ASSERT_THAT(findings.groups(), SizeIs(1));
  const FindingGroup& group = findings.groups().front();
  EXPECT_EQ(group.count, 2U);
  EXPECT_EQ(group.connection, 3U);
  EXPECT_EQ(group.offset, 10U);
  EXPECT_THAT(group.bytes, SizeIs(FindingGroup::most_shown));
}

TEST(Findings, SidesAndKindsAreApart) {
  Findings findings;
  findings.add({FindingKind::malformed, Side::client, {}, "a"}, 1, Time(0));
  findings.add({FindingKind::malformed, Side::server, {}, "a"}, 1, Time(0));
  findings.add({FindingKind::unasked, Side::server, {}, "a"}, 1, Time(0));
  EXPECT_THAT(findings.groups(), SizeIs(3));
  EXPECT_EQ(findings.count(), 3U);
}

}  // namespace
}  // namespace hallmark::observe
