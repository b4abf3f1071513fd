
#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ReadingsCommand : public EndToEnd {};

TEST_F(ReadingsCommand, PrintsIdQuestionAnswersAndClause) {
  const auto outcome = hallmark({"readings", "throttr-7.1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("set-value-size  (silence.set-value-size)\n"),
                    HasSubstr("How wide is the value size of SET?"), HasSubstr("one-byte"),
                    HasSubstr("favoured by the text"), HasSubstr("given by released servers"),
                    HasSubstr("neither served nor judged")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("pair-identity")));
}

TEST_F(ReadingsCommand, PrintsAllDialectsWithoutArgument) {
  const auto outcome = hallmark({"readings"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const auto* dialect : protocol::all_dialects) {
    EXPECT_THAT(outcome.out, HasSubstr(std::string(dialect->name) + ": "));
    for (const auto& reading : dialect->readings) {
      EXPECT_THAT(outcome.out, HasSubstr(std::string(reading.question))) << reading.id;
    }
  }
}

TEST_F(ReadingsCommand, JsonHasEveryReadingAndASchema) {
  const auto outcome = hallmark({"readings", "--json"});
  EXPECT_EQ(outcome.exit_code, 0);
  write("readings.json", outcome.out);
  EXPECT_EQ(violations("readings.schema.json", "readings.json"), "");
  const auto dialects = parsed(outcome.out)["dialects"];
  ASSERT_EQ(dialects.size(), protocol::all_dialects.size());
  for (std::size_t i = 0; i < dialects.size(); ++i) {
    EXPECT_EQ(dialects[i]["dialect"], protocol::all_dialects[i]->name);
    EXPECT_EQ(dialects[i]["readings"].size(), protocol::all_dialects[i]->readings.size());
  }
}

TEST_F(ReadingsCommand, RefusesAnUnknownDialect) {
  const auto outcome = hallmark({"readings", "throttr-9"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"unknown dialect 'throttr-9'; allowed: throttr-2.0"}));
}

}  // namespace
}  // namespace hallmark::e2e
