#include "reports/json_report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <limits>

#include "base/output_file.hpp"
#include "base/tests/temporary_directory.hpp"
#include "cmake/places/places.hpp"
#include "reports/tests/golden.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using testing::HasSubstr;

struct Outcome {
  int status;
  std::string output;
};

/// The validator that the end-to-end tests use; a missing node or ajv is a failure like any other.
Outcome validate(const std::string& schema, const std::filesystem::path& file) {
  const std::string root = places::source();
  const auto command =
      fmt::format("node '{0}/e2e/validate.mjs' '{0}/reports/schema/{1}' '{2}' 2>&1", root, schema,
                  file.string());
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "popen failed"};
  Outcome outcome{0, {}};
  std::array<char, 4096> buffer;
  while (const auto got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.output.append(buffer.data(), got);
  }
  outcome.status = ::pclose(pipe);
  return outcome;
}

Outcome validate_text(const std::string& schema, const std::string& json) {
  const base::test::TemporaryDirectory directory;
  const auto path = directory.path() / "result.json";
  if (const auto written = base::write_file(path, json); !written) {
    return {-1, written.error().message};
  }
  return validate(schema, path);
}

struct CertifyRow {
  const char* name;
  CertifyResult (*sample)();
};

void PrintTo(const CertifyRow& row, std::ostream* out) { *out << row.name; }

class CertifyJson : public testing::TestWithParam<CertifyRow> {};

TEST_P(CertifyJson, IsValidUnderItsSchema) {
  const auto outcome = validate_text("certify.schema.json", render_json(GetParam().sample()));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Rows, CertifyJson,
                         testing::Values(CertifyRow{"Mixed", &samples::mixed},
                                         CertifyRow{"AllPassed", &samples::all_passed},
                                         CertifyRow{"LackingOperations",
                                                    &samples::lacking_operations},
                                         CertifyRow{"UntestedRules", &samples::untested_rules},
                                         CertifyRow{"Unreachable", &samples::unreachable}),
                         [](const auto& row) { return std::string(row.param.name); });

struct IdentifyRow {
  const char* name;
  IdentifyResult (*sample)();
};

void PrintTo(const IdentifyRow& row, std::ostream* out) { *out << row.name; }

class IdentifyJson : public testing::TestWithParam<IdentifyRow> {};

TEST_P(IdentifyJson, IsValidUnderItsSchema) {
  const auto outcome = validate_text("identify.schema.json", render_json(GetParam().sample()));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Rows, IdentifyJson,
                         testing::Values(IdentifyRow{"Identified", &samples::identified},
                                         IdentifyRow{"BetweenProfiles",
                                                     &samples::identified_between_profiles},
                                         IdentifyRow{"Stranger", &samples::stranger},
                                         IdentifyRow{"Half", &samples::half_identified}),
                         testing::PrintToStringParamName());

struct LoadRow {
  const char* name;
  LoadResult (*sample)();
};

void PrintTo(const LoadRow& row, std::ostream* out) { *out << row.name; }

LoadResult extreme() {
  auto result = samples::open_loop();
  result.rate_achieved = std::numeric_limits<double>::quiet_NaN();
  result.rate_asked = std::numeric_limits<double>::infinity();
  result.bytes_in = std::numeric_limits<std::uint64_t>::max();
  result.corrected.quantiles.max = std::numeric_limits<std::uint64_t>::max();
  return result;
}
LoadResult empty() { return {}; }

class LoadJson : public testing::TestWithParam<LoadRow> {};

TEST_P(LoadJson, IsValidUnderItsSchema) {
  const auto outcome = validate_text("load.schema.json", render_json(GetParam().sample()));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Rows, LoadJson,
                         testing::Values(LoadRow{"Open", &samples::open_loop},
                                         LoadRow{"Explained", &samples::explained},
                                         LoadRow{"Closed", &samples::closed_loop_with_errors},
                                         LoadRow{"Objectives", &samples::with_objectives},
                                         LoadRow{"Datagrams", &samples::datagrams},
                                         LoadRow{"Store", &samples::store},
                                         LoadRow{"Extreme", &extreme}, LoadRow{"Empty", &empty}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(CertifyJson, IsAsTheGoldenFile) {
  expect_golden("certify_mixed.json", render_json(samples::mixed()));
}

TEST(LoadJson, IsAsTheGoldenFile) {
  expect_golden("load_closed.json", render_json(samples::closed_loop_with_errors()));
}

TEST(LoadJson, OfDatagramsIsAsTheGoldenFile) {
  expect_golden("load_datagrams.json", render_json(samples::datagrams()));
}

TEST(LoadJson, OfAStoreIsAsTheGoldenFile) {
  expect_golden("load_store.json", render_json(samples::store()));
}

TEST(LoadJson, LowerBoundsHaveAFlag) {
  const auto json = render_json(samples::datagrams());
  EXPECT_THAT(json, HasSubstr("\"p99_99_at_least\": true,"));
  EXPECT_THAT(json, HasSubstr("\"least_ns\": 100000000,"));
  EXPECT_THAT(json, HasSubstr("\"max_at_least\": true"));
}

TEST(LoadJson, IntegersBeyondDoublesAreStrings) {
  auto result = samples::open_loop();
  result.bytes_in = 9007199254740991;
  result.bytes_out = 9007199254740992;
  const auto json = render_json(result);
  EXPECT_THAT(json, HasSubstr("\"bytes_in\": 9007199254740991,"));
  EXPECT_THAT(json, HasSubstr("\"bytes_out\": \"9007199254740992\","));
}

struct ViolationRow {
  const char* name;
  const char* from;
  const char* to;
  const char* says;
};

void PrintTo(const ViolationRow& row, std::ostream* out) { *out << row.name; }

class SchemaViolation : public testing::TestWithParam<ViolationRow> {};

TEST_P(SchemaViolation, IsReported) {
  auto json = render_json(samples::mixed());
  const auto at = json.find(GetParam().from);
  ASSERT_NE(at, json.npos);
  json.replace(at, std::string_view(GetParam().from).size(), GetParam().to);
  const auto outcome = validate_text("certify.schema.json", json);
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.output, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, SchemaViolation,
    testing::Values(
        ViolationRow{"ForeignKey", "\"suite\":", "\"sweet\": 1, \"suite\":",
                     "/: must NOT have additional properties (\"sweet\")"},
        ViolationRow{"MissingKey", "\"suite\": \"vectors+behaviour\",", "",
                     "/: must have required property 'suite'"},
        ViolationRow{"OddHex", "\"bytes\": \"02", "\"bytes\": \"2", "/bytes: must match pattern"},
        ViolationRow{"UnknownVerdict", "\"verdict\": \"pass\"", "\"verdict\": \"perhaps\"",
                     "/cases/0/verdict: must be equal to one of the allowed values"},
        ViolationRow{"LocalTime", ".250Z", ".250", "/header/started"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Validator, UnreadableFileIsAnError) {
  const auto outcome = validate("certify.schema.json", "/nonexistent/result.json");
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.output, HasSubstr("cannot be read as JSON"));
}

}  // namespace
}  // namespace hallmark::reports
