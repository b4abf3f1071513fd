#include "reference/session/adapter_session.hpp"

#include <gmock/gmock.h>

#include <random>

#include "base/tests/parsed.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::server {
namespace {

using base::Json;
using base::test::parsed;
using ::testing::HasSubstr;

const protocol::Readings state_readings(protocol::ratelimit_state, protocol::Profile::deployed);

Json answer_to(const std::string& line) {
  AdapterSession session("1", state_readings);
  std::string out;
  session.receive(line + "\n", out);
  return parsed(out);
}

struct Row {
  std::string_view name;
  std::string_view request;
  std::string_view answer;
};

class Exchange : public ::testing::TestWithParam<Row> {};

TEST_P(Exchange, IsAnswered) {
  EXPECT_EQ(answer_to(std::string(GetParam().request)), parsed(GetParam().answer));
}

INSTANTIATE_TEST_SUITE_P(
    , Exchange,
    ::testing::Values(
        Row{"decode", R"({"id":2,"op":"decode","strategy":"token-bucket","state":"12|8.5|5"})",
            R"({"id":2,"format":"token-bucket/12","fields":{"tokens":"8.5","last_refill":"5"}})"},
        Row{"decode_of_version_1",
            R"({"id":2,"op":"decode","strategy":"leaky-bucket","state":"v1|5.0|5|9|2"})",
            R"({"id":2,"format":"leaky-bucket/v1",
                "fields":{"level":"5","last_leak":"5","capacity":"9","leak_rate":"2"}})"},
        Row{"decode_of_quotas",
            R"({"id":2,"op":"decode","strategy":"fixed-window","state":"23|1|default|3|7"})",
            R"({"id":2,"format":"fixed-window/23",
                "fields":{"quotas":[{"name":"default","count":"3","start":"7"}]}})"},
        Row{"decode_of_parts",
            R"({"id":2,"op":"decode","strategy":"composite","of":["gcra","token-bucket"],"state":"51|42|7$v2|8|9|"})",
            R"({"id":2,"format":"composite/51","fields":{
                "primary":{"format":"gcra/42","fields":{"tat":"7"}},
                "secondary":{"format":"token-bucket/v2","fields":{"tokens":"8","last_refill":"9"}}}})"},
        Row{"encode",
            R"({"id":3,"op":"encode","strategy":"token-bucket","fields":{"tokens":"1e6","last_refill":"-5"}})",
            R"({"id":3,"state":"12|1e+06|-5"})"},
        Row{"encode_of_quotas",
            R"({"id":3,"op":"encode","strategy":"fixed-window","fields":{"quotas":[{"name":"a","count":"1","start":"2"},{"name":"b","count":"3","start":"4"}]}})",
            R"({"id":3,"state":"23|2|a|1|2|b|3|4"})"},
        Row{"encode_of_parts",
            R"({"id":3,"op":"encode","strategy":"composite","fields":{"primary":{"strategy":"gcra","fields":{"tat":"1"}},"secondary":{"strategy":"leaky-bucket","fields":{"requests":"2.5","last_leak":"3"}}}})",
            R"({"id":3,"state":"51|42|1$32|2.5|3"})"},
        Row{"decide",
            R"({"id":4,"op":"decide","configuration":{"strategy":"token-bucket","burst":"10","rate":"2"},"state":null,"now":"1000"})",
            R"({"id":4,"allowed":true,"results":[{"quota":"default","allowed":true,"remaining":"9","reset":"500001000"}],
                "state":"12|9|1000","expires_in_ms":"25000"})"},
        Row{"decide_denied",
            R"({"id":4,"op":"decide","configuration":{"strategy":"gcra","burst":"1","rate":"1"},"state":"42|2000000000","now":"1000000000"})",
            R"({"id":4,"allowed":false,"results":[{"quota":"default","allowed":false,"remaining":"0","reset":"2000000000"}],
                "state":null})"}),
    [](const auto& one) { return std::string(one.param.name); });

struct Wrong {
  std::string_view name;
  std::string_view request;
  std::string_view field;  ///< the field that the error names; empty: unsupported
};

class WrongRequest : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongRequest, IsRefused) {
  const Json answer = answer_to(std::string(GetParam().request));
  if (GetParam().field.empty()) {
    EXPECT_TRUE(answer.contains("unsupported")) << answer;
  } else {
    EXPECT_EQ(answer["error"]["field"], GetParam().field) << answer;
  }
}

INSTANTIATE_TEST_SUITE_P(
    , WrongRequest,
    ::testing::Values(
        Wrong{"no_json", "{", "request"}, Wrong{"empty", "", "request"},
        Wrong{"a_list", "[1]", "request"}, Wrong{"no_operation", R"({"id":1})", "op"},
        Wrong{"unknown_operation", R"({"op":"undo"})", ""},
        Wrong{"unknown_strategy", R"({"op":"decode","strategy":"x","state":""})", ""},
        Wrong{"composite_of_nothing", R"({"op":"decode","strategy":"composite","state":"51|"})",
              "of"},
        Wrong{"composite_of_unknown",
              R"({"op":"decode","strategy":"composite","of":["x","gcra"],"state":"51|"})", ""},
        Wrong{"no_state", R"({"op":"decode","strategy":"gcra"})", "state"},
        Wrong{"malformed", R"({"op":"decode","strategy":"token-bucket","state":"12|x|5"})",
              "tokens"},
        Wrong{"no_fields", R"({"op":"encode","strategy":"gcra"})", "fields"},
        Wrong{"no_field", R"({"op":"encode","strategy":"gcra","fields":{}})", "tat"},
        Wrong{"no_number", R"({"op":"encode","strategy":"gcra","fields":{"tat":"1 "}})", "tat"},
        Wrong{
            "not_finite",
            R"({"op":"encode","strategy":"token-bucket","fields":{"tokens":"inf","last_refill":"1"}})",
            "tokens"},
        Wrong{
            "quota_with_a_bar",
            R"({"op":"encode","strategy":"fixed-window","fields":{"quotas":[{"name":"a|b","count":"1","start":"1"}]}})",
            "name"},
        Wrong{"quotas_of_texts",
              R"({"op":"encode","strategy":"fixed-window","fields":{"quotas":["a"]}})", "quotas"},
        Wrong{"no_configuration", R"({"op":"decide","state":null,"now":"1"})", "configuration"},
        Wrong{
            "no_rate",
            R"({"op":"decide","configuration":{"strategy":"gcra","burst":"1"},"state":null,"now":"1"})",
            "rate"},
        Wrong{
            "rate_of_0",
            R"({"op":"decide","configuration":{"strategy":"gcra","burst":"1","rate":"0"},"state":null,"now":"1"})",
            "configuration"},
        Wrong{
            "composite_in_a_composite",
            R"({"op":"decide","configuration":{"strategy":"composite","primary":{"strategy":"composite"},"secondary":{}},"state":null,"now":"1"})",
            ""},
        Wrong{
            "state_of_another_strategy",
            R"({"op":"decide","configuration":{"strategy":"gcra","burst":"1","rate":"1"},"state":"12|1|1","now":"1"})",
            "header"},
        Wrong{
            "now_of_another_type",
            R"({"op":"decide","configuration":{"strategy":"gcra","burst":"1","rate":"1"},"state":null,"now":1})",
            "now"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(AdapterSession, ListsEverythingInItsHello) {
  const Json answer = answer_to(R"({"id":1,"op":"hello","protocol":1})");
  EXPECT_EQ(answer["protocol"], 1);
  EXPECT_EQ(answer["supports"]["decide"].size(), 5);
  EXPECT_THAT(answer["supports"]["decode"].dump(), HasSubstr("composite/cmp1"));
}

TEST(AdapterSession, AnswersLinesHoweverTheyAreCut) {
  AdapterSession session("1", state_readings);
  std::string out;
  for (const char c : std::string_view("{\"id\":1,\"op\":\"x\"}\n{\"id\":2,\"op\":\"y\"}\n"))
    session.receive({&c, 1}, out);
  EXPECT_EQ(out,
            "{\"id\":1,\"unsupported\":\"no operation 'x'\"}\n"
            "{\"id\":2,\"unsupported\":\"no operation 'y'\"}\n");
}

TEST(AdapterSession, SkipsALineThatIsTooLong) {
  AdapterSession session("1", state_readings);
  std::string out;
  const std::string part(AdapterSession::longest_line / 2, 'x');
  for (int i = 0; i < 5; ++i) session.receive(part, out);
  EXPECT_EQ(out, "");
  session.receive("\n{\"id\":7,\"op\":\"x\"}\n", out);
  EXPECT_THAT(out, HasSubstr("is longer than"));
  EXPECT_THAT(out, HasSubstr("{\"id\":7,"));
}

TEST(AdapterSession, RefusesDeepNesting) {
  EXPECT_TRUE(answer_to(std::string(100'000, '[')).contains("error"));
  EXPECT_TRUE(answer_to("{\"op\":" + std::string(100, '[') + std::string(100, ']') + "}")
                  .contains("error"));
}

/// Requests of every kind with bytes changed, cut and doubled: each line gets a line.
TEST(AdapterSession, AnswersAnyLineWithALine) {
  const std::string seeds[] = {
      R"({"id":1,"op":"decode","strategy":"composite","of":["fixed-window","token-bucket"],"state":"51|23|1|a|2|3$12|8.5|9"})",
      R"({"id":1,"op":"encode","strategy":"fixed-window","fields":{"quotas":[{"name":"a","count":"1","start":"2"}]}})",
      R"({"id":1,"op":"decide","configuration":{"strategy":"composite","primary":{"strategy":"gcra","burst":"1e9","rate":"1"},"secondary":{"strategy":"leaky-bucket","capacity":"1e300","rate":"1e-300"}},"state":"51|42|9$32|1|1","now":"-9223372036854775808"})"};
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string line = seeds[random() % std::size(seeds)];
    for (std::uint64_t changes = random() % 4; changes-- > 0 && !line.empty();) {
      const std::size_t at = random() % line.size();
      const std::size_t length = random() % 9;
      switch (random() % 3) {
        case 0: line[at] = static_cast<char>(random()); break;
        case 1: line.erase(at, length); break;
        default: line.insert(at, line.substr(at, length));
      }
    }
    std::erase(line, '\n');
    EXPECT_TRUE(answer_to(line).contains("id")) << line;
  }
}

}  // namespace
}  // namespace hallmark::server
