#include "vectors/format/state_json.hpp"

#include <gmock/gmock.h>

namespace hallmark::vectors {
namespace {

using ::testing::HasSubstr;

StateVectorFile file_with_every_field() {
  StateVector vector;
  vector.id = "ratelimit-state/token-bucket/decide/everything";
  vector.title = "everything";
  vector.operation = "decide";
  vector.level = protocol::Level::should;
  vector.clauses = {"token-bucket.format"};
  vector.flags = {std::string(rounding_flag)};
  vector.readings = {{"float-text", "shortest"}};
  vector.formats = {"token-bucket/12"};
  vector.steps = {
      {{{"op", "decide"},
        {"configuration", {{"strategy", "token-bucket"}, {"burst", "10"}, {"rate", "1"}}},
        {"state", nullptr},
        {"now", "9223372036854775807"}},
       {{"allowed", true},
        {"state", "12|9|1"},
        {"results",
         base::Json::array({{{"reset", {{"match", "range"}, {"min", "1"}, {"max", "2"}}}}})}}}};
  return {"token-bucket", {{std::string(rounding_flag), "floats may be off"}}, {vector}};
}

TEST(StateJson, WritesWhatItReads) {
  const StateVectorFile file = file_with_every_field();
  const std::string text = write_json(file);
  const auto read = read_state_json(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, file);
  EXPECT_EQ(write_json(*read), text);
}

TEST(StateJson, NamesTheFileByItsStrategy) {
  EXPECT_EQ(state_file_path("token-bucket"), "ratelimit-state/token-bucket.json");
}

struct Bad {
  std::string_view name;
  std::string text;
  std::string_view complaint;
};

class BadStateFile : public ::testing::TestWithParam<Bad> {};

TEST_P(BadStateFile, IsRefusedWithItsPlace) {
  const auto read = read_state_json(GetParam().text);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr(GetParam().complaint));
}

std::string replaced(std::string_view what, std::string_view by) {
  std::string text = write_json(file_with_every_field());
  return text.replace(text.find(what), what.size(), by);
}

INSTANTIATE_TEST_SUITE_P(
    , BadStateFile,
    ::testing::Values(Bad{"cut", "{", "line 1, column 2: the text ends"},
                      Bad{"format", replaced("\"format\": 1", "\"format\": 2"),
                          "/format: expected 1, came 2"},
                      Bad{"dialect", replaced("ratelimit-state\"", "throttr-7.1\""),
                          "/dialect: expected ratelimit-state"},
                      Bad{"level", replaced("SHOULD", "OUGHT"), "MUST, SHOULD, MAY"},
                      Bad{"request", replaced("\"request\": {", "\"request\": 1, \"was\": {"),
                          "/vectors/0/steps/0/request: expected an object, came 1"},
                      Bad{"answer", replaced("\"answer\"", "\"reply\""), "'answer' is missing"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(StateDirectory, HasToExist) {
  const auto files = load_state_directory("/nowhere");
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("/nowhere/ratelimit-state"));
}

}  // namespace
}  // namespace hallmark::vectors
