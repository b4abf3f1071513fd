#include "conformance/judgement/evidence.hpp"

#include <gmock/gmock.h>

#include "base/text.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using base::Bytes;

TEST(Evidence, KeepsTheBeginningOfALongMessage) {
  Evidence evidence;
  evidence.start(0);
  evidence.received("c1", std::nullopt, Bytes(Evidence::most_bytes + 100, 0xee), 5'000);
  const auto exchange = evidence.exchanges().front();
  EXPECT_EQ(exchange.bytes.size(), Evidence::most_bytes);
  EXPECT_EQ(exchange.omitted, 100U);
  EXPECT_EQ(exchange.at, std::chrono::microseconds(5));
}

TEST(Evidence, KeepsTheEndOfALongCase) {
  Evidence evidence;
  evidence.start(0);
  for (std::size_t i = 0; i < Evidence::most_messages + 10; ++i) {
    evidence.sent("c1", std::nullopt, Bytes{static_cast<std::uint8_t>(i)}, i);
  }
  EXPECT_EQ(evidence.exchanges().size(), Evidence::most_shown);
  EXPECT_THAT(
      evidence.reproduction().front(),
      ::testing::HasSubstr(base::grouped(Evidence::most_messages + 10 - Evidence::most_shown) +
                           " requests before"));
  EXPECT_EQ(evidence.exchanges().back().bytes.front(), (Evidence::most_messages + 9) % 256);
}

TEST(Evidence, KeepsTheLastRequestHoweverManyRepliesFollowIt) {
  Evidence evidence;
  evidence.start(0);
  evidence.sent("c1", std::nullopt, Bytes{1}, 0);
  evidence.sent("c1", std::nullopt, Bytes{2}, 1);
  for (std::size_t i = 0; i < Evidence::most_messages + 10; ++i)
    evidence.received("c1", std::nullopt, Bytes{static_cast<std::uint8_t>(i)}, 2 + i);
  const auto exchanges = evidence.exchanges();
  ASSERT_EQ(exchanges.size(), Evidence::most_shown);
  EXPECT_EQ(exchanges.front().direction, reports::Direction::sent);
  EXPECT_EQ(exchanges.front().bytes, Bytes{2});
  EXPECT_EQ(exchanges.back().bytes.front(), (Evidence::most_messages + 9) % 256);
  EXPECT_THAT(evidence.reproduction(), ::testing::ElementsAre("… 1 request before", "c1: 02"));
  EXPECT_FALSE(evidence.is_whole());
}

TEST(Evidence, ForgetsTheLastRequestWhenAnotherOneFollows) {
  Evidence evidence;
  evidence.start(0);
  evidence.sent("c1", std::nullopt, Bytes{1}, 0);
  for (std::size_t i = 0; i < Evidence::most_messages; ++i)
    evidence.received("c1", std::nullopt, Bytes{0}, 1 + i);
  evidence.sent("c1", std::nullopt, Bytes{2}, 5'000);
  evidence.received("c1", std::nullopt, Bytes{0}, 6'000);
  EXPECT_EQ(evidence.passed().size(), Evidence::most_messages);
  EXPECT_THAT(evidence.reproduction(), ::testing::ElementsAre("… 1 request before", "c1: 02"));
}

TEST(Evidence, ShowsTextAsItIs) {
  Evidence evidence;
  evidence.start(0);
  evidence.sent("c1", std::nullopt, base::to_bytes("17 ping"), 0);
  evidence.sent("c1", std::nullopt, base::to_bytes("\"ping\""), 0);
  EXPECT_THAT(evidence.reproduction(),
              ::testing::ElementsAre("c1: \"17 ping\"", "c1: 22 70 69 6e 67 22"));
}

TEST(Evidence, ShowsWhereARequestWasCut) {
  Evidence evidence;
  evidence.start(0);
  const std::size_t cuts[] = {1, 3};
  evidence.sent("c1", std::nullopt, Bytes{1, 2, 3, 4}, 0, cuts);
  EXPECT_THAT(evidence.reproduction(), ::testing::ElementsAre("c1: 01 | 02 03 | 04"));
}

TEST(Evidence, NamesTheFieldsAndMarksTheWrongOnes) {
  Evidence evidence;
  evidence.start(0);
  const auto layout = format_u16().reply(format_u16().operation("QUERY"));
  evidence.received("c1", layout, Bytes{1, 8, 0, 4, 0x3b, 0}, 0);
  evidence.mark({{"quota", 1, 2, "7", "8"}}, Bytes{1, 7, 0, 4, 0x3b, 0});
  const auto exchange = evidence.exchanges().front();
  ASSERT_EQ(exchange.fields.size(), 4U);
  EXPECT_EQ(exchange.fields[1].path, "quota");
  EXPECT_TRUE(exchange.fields[1].wrong);
  EXPECT_FALSE(exchange.fields[2].wrong);
  EXPECT_EQ(exchange.expected, (Bytes{1, 7, 0, 4, 0x3b, 0}));
}

TEST(Evidence, ExpectsSomethingInsteadOnlyOfWhatIsNoWholeMessage) {
  Evidence evidence;
  evidence.start(0);
  evidence.received("c1", std::nullopt, Bytes{1}, 0);
  evidence.expect_instead(Bytes{2});
  EXPECT_FALSE(evidence.exchanges().front().expected);
  evidence.broken("c1", std::nullopt, Bytes{1}, 0, {});
  evidence.expect_instead(Bytes{2});
  EXPECT_EQ(evidence.exchanges().back().expected, Bytes{2});
}

}  // namespace
}  // namespace hallmark::conformance::testing
