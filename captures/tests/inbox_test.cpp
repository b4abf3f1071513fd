#include "captures/inbox.hpp"

#include <gmock/gmock.h>

#include "captures/tests/told.hpp"

namespace hallmark::captures {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Inbox, CountsOffsetsOverAllThatWasTaken) {
  Inbox inbox;
  inbox.append(hex("0102"), {});
  inbox.append(hex("03"), {});
  EXPECT_EQ(inbox.take(2), hex("0102"));
  EXPECT_EQ(inbox.begin(), 2U);
  EXPECT_EQ(inbox.end(), 3U);
  EXPECT_EQ(inbox.take(1), hex("03"));
  EXPECT_TRUE(inbox.empty());
  inbox.skip(7);
  EXPECT_EQ(inbox.end(), 10U);
}

TEST(Inbox, RemembersWhenBytesCameAndWhatTheirSenderHadSeen) {
  Inbox inbox;
  inbox.append(hex("0102"), {Time(10), 0});
  inbox.append(hex("0304"), {Time(20), 5});
  EXPECT_EQ(inbox.time_of_byte(1), Time(10));
  EXPECT_EQ(inbox.time_of_byte(2), Time(20));
  EXPECT_EQ(inbox.sent_with(0), 2U);
  EXPECT_EQ(inbox.sent_with(4), 2U);
  EXPECT_EQ(inbox.sent_with(5), 4U);
  inbox.take(1);
  EXPECT_EQ(inbox.seen(), 0U);
  EXPECT_EQ(inbox.sent_with(0), 1U);
  inbox.take(1);
  EXPECT_EQ(inbox.seen(), 5U);
  EXPECT_EQ(inbox.time_of_byte(0), Time(20));
}

TEST(Inbox, HolesAreZerosWithAPlace) {
  Inbox inbox;
  inbox.append(hex("0102"), {});
  inbox.append_hole(3, {});
  inbox.append(hex("ff"), {});
  EXPECT_TRUE(std::ranges::equal(inbox.bytes(), hex("0102000000ff")));
  EXPECT_THAT(inbox.holes(6), ElementsAre(Stretch{2, 3}));
  EXPECT_THAT(inbox.holes(4), ElementsAre(Stretch{2, 2}));
  EXPECT_THAT(inbox.holes(2), IsEmpty());
  inbox.take(3);
  EXPECT_TRUE(inbox.starts_with_hole());
  EXPECT_THAT(inbox.holes(3), ElementsAre(Stretch{0, 2}));
  inbox.take(2);
  EXPECT_FALSE(inbox.starts_with_hole());
}

TEST(Inbox, BytesThatTrickleInKeepTheirTimeUpToABound) {
  Inbox inbox;
  const Bytes one = {7};
  for (int i = 0; i < 70'000; ++i) inbox.append(one, {Time(i), 0});
  EXPECT_EQ(inbox.time_of_byte(65'000), Time(65'000));
  EXPECT_EQ(inbox.time_of_byte(69'999), Time(69'999));
  EXPECT_EQ(inbox.take(70'000).size(), 70'000U);
}

TEST(Inbox, TakingLittleByLittleFromMuchKeepsTheBytes) {
  Inbox inbox;
  Bytes many(300'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::uint8_t>(i % 251);
  inbox.append(many, {});
  Bytes taken;
  while (!inbox.empty()) {
    const Bytes part = inbox.take(std::min<std::size_t>(inbox.size(), 1000));
    taken.insert(taken.end(), part.begin(), part.end());
  }
  EXPECT_EQ(taken, many);
}

}  // namespace
}  // namespace hallmark::captures
