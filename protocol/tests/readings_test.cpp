#include "protocol/readings.hpp"

#include <gmock/gmock.h>

#include "protocol/dialects.hpp"

namespace hallmark::protocol {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Row {
  const char* reading;
  const char* literal;
  const char* deployed;
};

class ProfileAnswers : public ::testing::TestWithParam<Row> {};

TEST_P(ProfileAnswers, FollowTextOrRelease) {
  const Row& row = GetParam();
  EXPECT_EQ(Readings(throttr_7_1, Profile::literal).answer(row.reading), row.literal);
  EXPECT_EQ(Readings(throttr_7_1, Profile::deployed).answer(row.reading), row.deployed);
}

INSTANTIATE_TEST_SUITE_P(Throttr71, ProfileAnswers,
                         ::testing::Values(Row{"status-prefix", "no", "yes"},
                                           Row{"set-value-size", "one-byte", "value-width"},
                                           Row{"channels-subscribers", "four-bytes", "eight-bytes"},
                                           Row{"connection-id", "index", "id"},
                                           Row{"publish-reply", "status", "none"},
                                           Row{"whoami", "id", "id"},
                                           // The text is silent: literal means as released.
                                           Row{"insert-existing", "refused", "refused"},
                                           // Neither says anything: the first answer listed.
                                           Row{"increase-overflow", "refused", "refused"}),
                         [](const auto& row) {
                           std::string name = row.param.reading;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Readings, SetReplacesOneAnswer) {
  Readings readings(throttr_7_1, Profile::deployed);
  ASSERT_TRUE(readings.set("publish-reply", "status").has_value());
  EXPECT_EQ(readings.answer("publish-reply"), "status");
  EXPECT_EQ(readings.answer("status-prefix"), "yes");
}

TEST(Readings, RefusesUnknownIdsAndAnswersWithWhatIsAllowed) {
  Readings readings(throttr_7_1, Profile::deployed);
  EXPECT_THAT(readings.set("no-such", "yes").error().message,
              AllOf(HasSubstr("no-such"), HasSubstr("status-prefix")));
  EXPECT_THAT(readings.set("status-prefix", "perhaps").error().message,
              AllOf(HasSubstr("perhaps"), HasSubstr("yes, no")));
}

TEST(Readings, EveryReadingHasAClauseOrALayout) {
  for (const Reading& reading : throttr_7_1.readings) {
    EXPECT_FALSE(reading.question.empty()) << reading.id;
    EXPECT_FALSE(reading.section.empty()) << reading.id;
  }
}

}  // namespace
}  // namespace hallmark::protocol
