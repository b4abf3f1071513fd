#include "conformance/drivers/adapter/adapter_session.hpp"

#include <gmock/gmock.h>

#include "conformance/suites/ratelimit_state/supports.hpp"

namespace hallmark::conformance {
namespace {

using ::testing::HasSubstr;

using Answer = AdapterSession::Answer;
using Broken = AdapterSession::Broken;
using Waiting = AdapterSession::Waiting;

/// A session that has asked twice and was answered once: it waits for the id 2.
AdapterSession waiting_for_2() {
  AdapterSession session;
  session.ask({{"op", "hello"}});
  session.take("{\"id\":1}\n");
  EXPECT_TRUE(std::holds_alternative<Answer>(session.next()));
  session.ask({{"op", "hello"}});
  return session;
}

std::string what_is_broken(AdapterSession& session) {
  const AdapterSession::Event event = session.next();
  const auto* const broken = std::get_if<Broken>(&event);
  return broken == nullptr ? "nothing" : broken->what;
}

TEST(AdapterSession, NumbersItsRequests) {
  AdapterSession session;
  EXPECT_EQ(session.ask({{"op", "hello"}, {"protocol", 1}}),
            "{\"id\":1,\"op\":\"hello\",\"protocol\":1}\n");
  session.take("{\"id\":1}\n");
  session.next();
  EXPECT_EQ(session.ask({{"op", "x"}}), "{\"id\":2,\"op\":\"x\"}\n");
}

TEST(AdapterSession, TakesAnAnswerHoweverItIsCut) {
  AdapterSession session = waiting_for_2();
  for (const char c : std::string_view("{\"a\":\"b\", \"id\": 2}")) {
    session.take({&c, 1});
    EXPECT_TRUE(std::holds_alternative<Waiting>(session.next()));
  }
  session.take("\n");
  const AdapterSession::Event event = session.next();
  ASSERT_TRUE(std::holds_alternative<Answer>(event));
  EXPECT_EQ(std::get<Answer>(event).json["a"], "b");
  EXPECT_FALSE(session.waiting());
}

std::string deep_line() {
  std::string line(100'000, '[');
  line += '\n';
  return line;
}

struct Row {
  std::string_view name;
  std::string written;
  std::string_view what;
};

class BrokenAnswer : public ::testing::TestWithParam<Row> {};

TEST_P(BrokenAnswer, IsToldApart) {
  AdapterSession session = waiting_for_2();
  session.take(GetParam().written);
  EXPECT_THAT(what_is_broken(session), HasSubstr(GetParam().what));
}

INSTANTIATE_TEST_SUITE_P(
    , BrokenAnswer,
    ::testing::Values(
        Row{"no_json", "ok\n", "no JSON"}, Row{"empty", "\n", "no JSON"},
        Row{"no_utf8", "{\"id\":2,\"a\":\"\xff\"}\n", "no JSON"},
        Row{"doubled_member", "{\"id\":2,\"id\":2}\n", "no JSON"},
        Row{"beyond_a_double", "{\"id\":2,\"a\":1e400}\n", "no JSON"},
        Row{"deep", deep_line(), "no JSON"}, Row{"list", "[2]\n", "no JSON object"},
        Row{"no_id", "{}\n", "without the id 2"},
        Row{"id_in_text", "{\"id\":\"2\"}\n", "without the id 2"},
        Row{"earlier_id", "{\"id\":1}\n", "another answer to request 1, where 2 was asked"},
        Row{"later_id", "{\"id\":3}\n", "an answer with the id 3, where 2 was asked"},
        Row{"endless", std::string(AdapterSession::longest_line + 1, 'x'), "without an end"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(AdapterSession, FindsALineThatNobodyAskedFor) {
  AdapterSession session = waiting_for_2();
  session.take("{\"id\":2}\n{\"id\":2}\n");
  EXPECT_TRUE(std::holds_alternative<Answer>(session.next()));
  EXPECT_EQ(what_is_broken(session), "a second answer to request 2");
  AdapterSession other;
  other.take("ready\n");
  EXPECT_EQ(what_is_broken(other), "a line that nobody asked for");
}

TEST(Supports, QuotesWhatMayBePrinted) {
  const auto supports =
      read_supports({{"supports", base::Json{{"decode", base::Json::array({"\x1b[2J"})}}}});
  ASSERT_FALSE(supports);
  EXPECT_THAT(supports.error(), HasSubstr("'supports.decode' names '\\x1b[2J'; allowed: "));
}

TEST(AdapterSession, KeepsNoMoreThanALine) {
  AdapterSession session = waiting_for_2();
  const std::string part(100'000, 'x');
  for (int i = 0; i < 1000; ++i) session.take(part);
  EXPECT_LE(session.unfinished().size(), AdapterSession::longest_line + 1);
}

}  // namespace
}  // namespace hallmark::conformance
