#include "reports/saved_result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/tests/temporary_directory.hpp"
#include "reports/json_report.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using testing::HasSubstr;

/// The sample, with text as it is saved: hostile bytes are escaped once and for all.
template <class T>
T saved_form(const T& result) {
  return std::get<T>(*parse_result(render_json(result), "first"));
}

TEST(SavedCertify, ReadsBackEqual) {
  for (const auto& sample : {samples::all_passed(), samples::unreachable(),
                             samples::lacking_operations(), samples::untested_rules()}) {
    const auto read = parse_result(render_json(sample), "x");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(std::get<CertifyResult>(*read), sample);
  }
}

TEST(SavedCertify, HostileTextReadsBackEscaped) {
  const auto read = saved_form(samples::mixed());
  EXPECT_EQ(read.cases[2].reason, "\\x1b[31mnot a status\\x1b[0m and broken UTF-8 \\xff");
  EXPECT_EQ(saved_form(read), read);
  auto expected = samples::mixed();
  expected.cases[2].reason = read.cases[2].reason;
  EXPECT_EQ(read, expected);
}

TEST(SavedCertify, HasCodesThatAreOnes) {
  std::string json = render_json(samples::mixed());
  const std::string code = "\"wrong-field QUERY.quota\"";
  ASSERT_NE(json.find(code), json.npos);
  const auto read = parse_result(json.replace(json.find(code), code.size(), "\"wrong\""), "x");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("/cases/1/code: expected the code of a failure"));
}

std::string without(std::string json, const std::string& from, const std::string& to) {
  const auto begin = json.find(from);
  const auto end = json.find(to, begin);
  EXPECT_NE(begin, json.npos);
  return json.erase(begin, end - begin);
}

/// Reads a result as versions wrote it that named neither.
TEST(SavedCertify, TakesMissingOperationsFromTheCasesWhereNoneAreNamed) {
  std::string json = render_json(samples::lacking_operations());
  json = without(json, " \"missing_operations\"", " \"run_error\"");
  json = without(json, " \"verdict\": \"CERTIFIED", " \"summary\"");
  const auto read = parse_result(json, "x");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(std::get<CertifyResult>(*read), samples::lacking_operations());
}

TEST(SavedCertify, IsNotCertifiedWithoutWhatNoCaseLacks) {
  CertifyResult result = samples::all_passed();
  result.missing_operations = {"PUBLISH"};
  const auto read = parse_result(render_json(result), "x");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("/missing_operations: expected nothing"));
}

TEST(SavedLoad, ReadsBackEqual) {
  const auto judged = parse_result(render_json(samples::with_objectives()), "x");
  EXPECT_EQ(std::get<LoadResult>(*judged), samples::with_objectives());
  const auto read = parse_result(render_json(samples::open_loop()), "x");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(std::get<LoadResult>(*read), samples::open_loop());
  const auto explained = parse_result(render_json(samples::explained()), "x");
  EXPECT_EQ(std::get<LoadResult>(*explained), samples::explained());
  const auto closed = saved_form(samples::closed_loop_with_errors());
  EXPECT_EQ(saved_form(closed), closed);
  EXPECT_FALSE(closed.rate_asked.has_value());
  const auto store = saved_form(samples::store());
  EXPECT_EQ(saved_form(store), store);
  const auto datagrams = saved_form(samples::datagrams());
  EXPECT_EQ(saved_form(datagrams), datagrams);
  EXPECT_TRUE(datagrams.corrected.quantiles.max.at_least);
}

struct ForeignRow {
  const char* name;
  const char* json;
  const char* message;
};

void PrintTo(const ForeignRow& row, std::ostream* out) { *out << row.name; }

class Foreign : public testing::TestWithParam<ForeignRow> {};

TEST_P(Foreign, IsOneLine) {
  const auto read = parse_result(GetParam().json, "x.json");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr(GetParam().message));
  EXPECT_THAT(read.error().message, testing::StartsWith("x.json: "));
  EXPECT_EQ(read.error().message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Foreign,
    testing::Values(
        ForeignRow{"Empty", "", "line 1, column 1: the text ends, expected a JSON value"},
        ForeignRow{"NumberOverflow", "{\"a\": 1e999}",
                   "line 1, column 7: the number 1e999 is beyond a double"},
        ForeignRow{"NotJson", "<xml/>\x1b", "line 1, column 1: came '<', expected a JSON value"},
        ForeignRow{"Array", "[1]", "line 1, column 1: expected a saved result"},
        ForeignRow{"OtherObject", "{\"a\": 1}", "came an object"},
        ForeignRow{"OtherFormat", "{\"format\": \"har\"}", "/format: expected a saved result"},
        ForeignRow{"FormatOfOtherType", "{\"format\": 7}", "came 7"},
        ForeignRow{
            "NewerVersion", "{\"format\": \"hallmark-certify\", \"format_version\": 2}",
            "/format_version: expected 1; a newer hallmark wrote this: read it with that one, "
            "came 2"},
        ForeignRow{"OlderLoad", "{\"format\": \"hallmark-load\", \"format_version\": 1}",
                   "/format_version: expected 2; its quantiles leave out requests without a reply: "
                   "measure again, came 1"},
        ForeignRow{"NoVersion", "{\"format\": \"hallmark-certify\"}",
                   "'format_version' is missing"}),
    [](const auto& row) { return std::string(row.param.name); });

struct DamageRow {
  const char* name;
  const char* from;
  const char* to;
  const char* message;
};

void PrintTo(const DamageRow& row, std::ostream* out) { *out << row.name; }

class Damaged : public testing::TestWithParam<DamageRow> {};

TEST_P(Damaged, NamesPlaceExpectedAndCame) {
  auto json = render_json(samples::mixed());
  const auto at = json.find(GetParam().from);
  ASSERT_NE(at, json.npos);
  json.replace(at, std::string_view(GetParam().from).size(), GetParam().to);
  const auto read = parse_result(json, "x.json");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Damaged,
    testing::Values(
        DamageRow{"Verdict", "\"verdict\": \"pass\"", "\"verdict\": \"ok\"",
                  "/cases/0/verdict: expected one of pass, fail, indeterminate, unsupported, "
                  "error, skipped, known, unstable, came \"ok\""},
        DamageRow{"VerdictMissing", "\"verdict\": \"pass\",", "", "/cases/0: 'verdict' is missing"},
        DamageRow{"ForeignKey", "\"suite\":", "\"sweet\": 1, \"suite\":",
                  "/sweet: unknown member, expected one of format"},
        DamageRow{"Twice", "\"suite\":", "\"suite\": \"x\", \"suite\":",
                  "the object has two members 'suite'"},
        DamageRow{"ControlCharacter", "\"suite\": \"", "\"suite\": \"\\u001b[31m",
                  "/suite: expected a string without control characters"},
        DamageRow{"Hex", "\"bytes\": \"0203", "\"bytes\": \"020g",
                  "/cases/1/evidence/0/bytes: expected lower-case hex of whole bytes"},
        DamageRow{"OddHex", "\"bytes\": \"02", "\"bytes\": \"2", "hex of whole bytes"},
        DamageRow{"Time", "2024-05-01T", "2024-02-30T", "/header/started: expected a UTC time"},
        DamageRow{"NegativeNumber", "\"at_us\": 12", "\"at_us\": -12", "expected a whole number"},
        DamageRow{"BigPlainNumber", "\"at_us\": 12", "\"at_us\": 9007199254740992",
                  "a string beyond 2^53 - 1"},
        DamageRow{"SmallString", "\"at_us\": 12", "\"at_us\": \"12\"", "came \"12\""},
        DamageRow{"DurationTooLong", "\"at_us\": 12", "\"at_us\": \"9223372036854775808\"",
                  "a duration of at most"},
        DamageRow{"Array", "\"cases\": [", "\"cases\": {}, \"x\": [", "/cases: expected an array"},
        DamageRow{"ExitCode", "\"exit_code\": 1", "\"exit_code\": 0",
                  "/exit_code: expected 1, which follows from the rest, came 0"},
        DamageRow{"VerdictOfTheRun", "\"verdict\": \"FAILED\"", "\"verdict\": \"CERTIFIED\"",
                  "/verdict: expected FAILED, which follows from the rest"},
        DamageRow{"Summary", "\"skipped\": 1", "\"skipped\": 2",
                  "/summary: expected the counts of the cases"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(SavedResult, EveryPrefixIsRefused) {
  const auto json = render_json(samples::open_loop());
  for (std::size_t length = 0; length + 1 < json.size(); length += 7) {
    EXPECT_FALSE(parse_result(std::string_view(json).substr(0, length), "x")) << length;
  }
}

/// Whatever one byte becomes, the reader refuses the document or understands all of it.
TEST(SavedResult, ChangedBytesAreRefusedOrUnderstood) {
  const auto json = render_json(samples::mixed());
  for (std::size_t at = 0; at < json.size(); at += 3) {
    for (const char c : {'"', '9', '-', '}', '\\', '\xff'}) {
      auto changed = json;
      changed[at] = c;
      const auto read = parse_result(changed, "x");
      if (!read) continue;
      const auto& result = std::get<CertifyResult>(*read);
      EXPECT_EQ(render_json(saved_form(result)), render_json(result)) << at << ' ' << c;
    }
  }
}

TEST(SavedResult, MessageIsShortHoweverLongWhatCame) {
  const auto unfinished = parse_result("\"" + std::string(100'000, 'x'), "x");
  ASSERT_FALSE(unfinished);
  EXPECT_LT(unfinished.error().message.size(), 300U);
  const auto foreign = parse_result("\"" + std::string(100'000, 'x') + "\"", "x");
  ASSERT_FALSE(foreign);
  EXPECT_LT(foreign.error().message.size(), 300U);
}

TEST(SavedResult, DeepNestingIsRefused) {
  EXPECT_FALSE(parse_result(std::string(200'000, '['), "x"));
  const auto deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_FALSE(parse_result("{\"format\": " + deep + "}", "x"));
}

TEST(ReadResult, FileAndItsAbsence) {
  const base::test::TemporaryDirectory directory;
  const auto path = directory.path() / "saved.json";
  std::ofstream(path) << render_json(samples::all_passed());
  const auto read = read_result(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(std::get<CertifyResult>(*read), samples::all_passed());
  const auto absent = read_result(directory.path() / "absent.json");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().message, "cannot read " + (directory.path() / "absent.json").string() +
                                        ": No such file or directory; expected a saved result");
  EXPECT_THAT(read_result(directory.path()).error().message, HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace hallmark::reports
