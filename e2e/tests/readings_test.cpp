#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "e2e/fixture.hpp"
#include "reference/protocol/dialects/all.hpp"

/// Whatever a target answers to a question that its document leaves open: held to that answer it is
/// certified, held to any other it is not, and the case that says so cites the reading's clause.
namespace hallmark::e2e {
namespace {

using nlohmann::json;
using protocol::Answer;
using protocol::Reading;
using protocol::Served;

struct Asked {
  const protocol::Dialect* dialect;
  const Reading* reading;
};

std::vector<std::string_view> answers_of(const Reading& reading) {
  std::vector<std::string_view> ids;
  for (const Answer& answer : reading.answers) {
    if (answer.served == Served::yes) ids.push_back(answer.id);
  }
  return ids;
}

std::vector<Asked> every_choice() {
  std::vector<Asked> all;
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    for (const Reading& reading : dialect->readings) {
      if (answers_of(reading).size() > 1) all.push_back({dialect, &reading});
    }
  }
  return all;
}

/// A target that gives the second answer does nothing that the first forbids.
constexpr std::pair<std::string_view, std::string_view> allowed[] = {{"any-order", "request-order"},
                                                                     {"scheduler", "time-point"}};

bool is_allowed(std::string_view expected, std::string_view served) {
  return std::ranges::find(allowed, std::pair(expected, served)) != std::ranges::end(allowed);
}

/// What else has to be so for the answer to show.
Arguments condition(const Asked& asked) {
  if (asked.reading->id == "connection-index") return {"--reading", "connection-id=index"};
  if (asked.reading->id == "publish-nobody" && asked.dialect == &protocol::throttr_7_1)
    return {"--reading", "publish-reply=status"};
  return {};
}

class ReadingOf : public EndToEnd, public testing::WithParamInterface<Asked> {
 protected:
  /// Exit code of certifying a server that gives one answer by another.
  int certify(std::string_view expected, std::string_view served) {
    const Asked& asked = GetParam();
    const std::string dialect(asked.dialect->name);
    std::string command =
        fmt::format("exec:{} serve --dialect {} --reading {}={} --listen tcp://127.0.0.1:{{port}}",
                    HALLMARK_PROGRAM, dialect, asked.reading->id, served);
    Arguments arguments{"certify",    "",
                        "--dialect",  dialect,
                        "--clause",   std::string(asked.reading->clause),
                        "--reading",  fmt::format("{}={}", asked.reading->id, expected),
                        "--deadline", expected == served ? "5s" : "200ms",
                        "--json",     "run.json"};
    for (const std::string& more : condition(asked)) {
      command += " " + more;
      arguments.push_back(more);
    }
    arguments[1] = command;
    const Outcome outcome = hallmark(arguments);
    said_ = outcome.out + outcome.err;
    return outcome.exit_code;
  }

  /// Whether a case that cites the clause failed: one that was played, not only the one that asks
  /// for the reading, unless messages of another layout left nothing to play.
  bool a_case_fails() const {
    bool asked_in_vain = false;
    bool played = false;
    const json result = json::parse(read("run.json"));
    for (const json& one : result["cases"]) {
      const std::vector<std::string> clauses = one["clauses"];
      if (std::ranges::find(clauses, GetParam().reading->clause) == clauses.end()) continue;
      const bool asks = one["id"].get<std::string>().find("/readings/") != std::string::npos;
      if (one["verdict"] == "fail" && !asks) return true;
      asked_in_vain = asked_in_vain || (one["verdict"] == "fail" && asks);
      played = played || (one["verdict"] != "skipped" && !asks);
    }
    return asked_in_vain && !played;
  }

  std::string said_;
};

TEST_P(ReadingOf, TheTargetIsHeldToTheAnswerThatItGives) {
  for (const std::string_view answer : answers_of(*GetParam().reading))
    EXPECT_EQ(certify(answer, answer), 0) << answer << "\n" << said_;
}

TEST_P(ReadingOf, TheTargetIsNotCertifiedByAnotherAnswer) {
  for (const std::string_view expected : answers_of(*GetParam().reading)) {
    for (const std::string_view served : answers_of(*GetParam().reading)) {
      if (expected == served || is_allowed(expected, served)) continue;
      EXPECT_EQ(certify(expected, served), 1)
          << "expected " << expected << ", served " << served << "\n"
          << said_;
      EXPECT_TRUE(a_case_fails()) << "expected " << expected << ", served " << served;
    }
  }
}

std::string test_name(const testing::TestParamInfo<Asked>& row) {
  std::string name = fmt::format("{}_{}", row.param.dialect->name, row.param.reading->id);
  for (char& c : name) c = c == '-' || c == '.' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Dialects, ReadingOf, testing::ValuesIn(every_choice()), test_name);

}  // namespace
}  // namespace hallmark::e2e
