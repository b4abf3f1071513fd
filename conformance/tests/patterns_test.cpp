#include "conformance/drivers/stream/patterns.hpp"

#include <gmock/gmock.h>

#include "conformance/tests/fixture.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {
namespace {

constexpr Time s = 1'000'000'000;

struct Shown {
  std::string name;
  const protocol::Dialect& dialect;
  std::vector<protocol::When> answers;
  Ttl ttl;
  Window since;
  Window now;
  std::uint64_t type;
  std::uint64_t least;
  std::uint64_t most;
};

class TtlFields : public ::testing::TestWithParam<Shown> {};

TEST_P(TtlFields, AreAsTheReadingsSay) {
  const Shown& row = GetParam();
  protocol::Readings readings(row.dialect, protocol::Profile::deployed);
  for (const protocol::When& answer : row.answers)
    ASSERT_TRUE(readings.set(answer.reading, answer.answer));
  const WireFormat format(row.dialect.widths.front(), readings);
  const Patterns fields = ttl_fields(format, row.ttl, row.since, row.now);
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0], is("ttl_type", row.type));
  if (fields[1].match == vectors::Match::equals) {
    EXPECT_EQ(fields[1], is("ttl", row.least));
    EXPECT_EQ(row.least, row.most);
  } else {
    EXPECT_EQ(fields[1], between("ttl", row.least, row.most));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Readings, TtlFields,
    ::testing::Values(
        Shown{"down", protocol::throttr_7_1, {}, minute, {1, 2}, {3, 4}, 4, 59, 59},
        Shown{
            "down_in_doubt", protocol::throttr_7_1, {}, minute, {0, s + 1}, {s, 3 * s}, 4, 57, 60},
        // As in a record, in which no time passes between a reply and the next request.
        Shown{"down_while_the_clock_stands",
              protocol::throttr_7_1,
              {},
              minute,
              {0, s},
              {s, s},
              4,
              59,
              59},
        Shown{"up",
              protocol::throttr_7_1,
              {{"ttl-left", "left-rounded-up"}},
              minute,
              {1, 2},
              {3, 4},
              4,
              60,
              60},
        Shown{"up_in_doubt",
              protocol::throttr_7_1,
              {{"ttl-left", "left-rounded-up"}},
              minute,
              {0, 0},
              {s, s + 1},
              4,
              59,
              59},
        Shown{"up_at_the_last_nanosecond",
              protocol::throttr_7_1,
              {{"ttl-left", "left-rounded-up"}},
              minute,
              {0, 0},
              {60 * s - 1, 60 * s - 1},
              4,
              1,
              1},
        Shown{"as_set",
              protocol::throttr_7_1,
              {{"ttl-left", "as-set"}},
              minute,
              {0, 0},
              {30 * s, 30 * s},
              4,
              60,
              60},
        Shown{"over", protocol::throttr_7_1, {}, minute, {0, 0}, {60 * s, 60 * s}, 4, 1, 0},
        Shown{"over_but_not_removed",
              protocol::throttr_7_1,
              {{"expired-when", "scheduler"}},
              minute,
              {0, 0},
              {60 * s, 60 * s},
              4,
              0,
              0},
        Shown{"perhaps_over",
              protocol::throttr_7_1,
              {{"expired-when", "scheduler"}, {"ttl-left", "left-rounded-up"}},
              minute,
              {0, 0},
              {59 * s, 61 * s},
              4,
              0,
              1},
        Shown{"hours_are_seconds_in_2_0",
              protocol::throttr_2_0,
              {},
              {TtlUnit::hours, 2},
              {1, 2},
              {3, 4},
              2,
              7199,
              7199},
        Shown{"microseconds_are_nanoseconds_in_2_0",
              protocol::throttr_2_0,
              {},
              {TtlUnit::microseconds, 5},
              {0, 0},
              {10, 10},
              0,
              4990,
              4990}),
    [](const auto& row) { return row.param.name; });

TEST(Fitted, LeavesOutWhatALayoutDoesNotHave) {
  const WireFormat& format = format_7_3();
  const auto event = format.layout_of(format.dialect().pushes.front());
  EXPECT_EQ(fitted(event, {is("channel", "ch"), is("payload", "p")}).size(), 2U);
  const auto delivery = format_u16().layout_of(format_u16().dialect().pushes.front());
  EXPECT_EQ(fitted(delivery, {is("channel", "ch"), is("payload", "p")}),
            (Patterns{is("payload", "p")}));
}

TEST(Fitted, DoesNotLeaveOutWhatNoLayoutHas) {
  const auto reply = format_u16().reply(format_u16().operation("QUERY"));
  EXPECT_EQ(fitted(reply, {is("status", 1), is("quotas", 3)}).size(), 2U);
}

TEST(Fitted, AllowsAnyRequestIdUnlessOneIsNamed) {
  const auto reply = format_2_0().reply(format_2_0().operation("PURGE"));
  EXPECT_EQ(fitted(reply, success()), (Patterns{any("request_id"), is("status", 1)}));
  const Patterns named{is("request_id", 3), is("status", 1)};
  EXPECT_EQ(fitted(reply, named), named);
}

}  // namespace
}  // namespace hallmark::conformance::testing
