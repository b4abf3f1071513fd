#include "protocol/readings.hpp"

#include <gmock/gmock.h>

#include "protocol/dialects.hpp"

namespace hallmark::protocol {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Row {
  Chosen literal;
  Chosen deployed;
};

class ProfileAnswers : public ::testing::TestWithParam<Row> {};

TEST_P(ProfileAnswers, FollowTextOrRelease) {
  const Row& row = GetParam();
  EXPECT_TRUE(Readings(throttr_7_1, Profile::literal).reads(row.literal));
  EXPECT_TRUE(Readings(throttr_7_1, Profile::deployed).reads(row.deployed));
}

INSTANTIATE_TEST_SUITE_P(
    Throttr71, ProfileAnswers,
    ::testing::Values(Row{{"status-prefix", "no"}, {"status-prefix", "yes"}},
                      Row{{"set-value-size", "one-byte"}, {"set-value-size", "value-width"}},
                      Row{{"channels-subscribers", "four-bytes"},
                          {"channels-subscribers", "eight-bytes"}},
                      Row{{"connection-id", "index"}, {"connection-id", "id"}},
                      Row{{"publish-reply", "status"}, {"publish-reply", "none"}},
                      Row{{"whoami", "id"}, {"whoami", "id"}},
                      // The text is silent: literal means as released.
                      Row{{"insert-existing", "refused"}, {"insert-existing", "refused"}},
                      // Neither says anything: the first answer listed.
                      Row{{"opcode-unknown", "closed"}, {"opcode-unknown", "closed"}}),
    [](const auto& row) {
      std::string name(row.param.literal.reading);
      std::ranges::replace(name, '-', '_');
      return name;
    });

TEST(Readings, SetReplacesOneAnswer) {
  Readings readings(throttr_7_1, Profile::deployed);
  ASSERT_TRUE(readings.set("publish-reply", "status").has_value());
  EXPECT_TRUE(readings.reads({"publish-reply", "status"}));
  EXPECT_TRUE(readings.reads({"status-prefix", "yes"}));
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

TEST(Words, AreThereWhereADocumentIs) {
  for (const Dialect* dialect : all_dialects) {
    for (const Reading& reading : dialect->readings)
      EXPECT_EQ(reading.words.empty(), dialect == &throttr_7_3)
          << dialect->name << ' ' << reading.id;
  }
}

}  // namespace
}  // namespace hallmark::protocol
