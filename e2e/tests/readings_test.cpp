#include <fmt/format.h>

#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"
#include "protocol/dialects.hpp"

/// Whatever a target answers to a question that its document leaves open: held to that answer it is
/// certified, held to any other it is not, and the case that says so cites the reading's clause.
namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
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
  for (const protocol::Dialect* const dialect : protocol::throttr_dialects) {
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

/// Server and judge, both with one answer and what else has to be so for it to show.
Arguments options_of(const Asked& asked, std::string_view answer) {
  Arguments options{"--dialect", std::string(asked.dialect->name), "--reading",
                    fmt::format("{}={}", asked.reading->id, answer)};
  if (asked.reading->id == "connection-index")
    options.insert(options.end(), {"--reading", "connection-id=index"});
  if (asked.reading->id == "publish-nobody" && asked.dialect == &protocol::throttr_7_1)
    options.insert(options.end(), {"--reading", "publish-reply=status"});
  return options;
}

std::string width_of(const Asked& asked) {
  return asked.dialect == &protocol::throttr_2_0 ? "u64" : "u16";
}

class ReadingOf : public EndToEnd, public testing::WithParamInterface<Asked> {
 protected:
  /// Exit code of holding the target to that answer, by the cases of the reading's clause.
  int certify(const std::string& target, std::string_view expected, const std::string& deadline) {
    Arguments arguments{"certify",
                        target,
                        "--exclusive",
                        "--width",
                        width_of(GetParam()),
                        "--clause",
                        std::string(GetParam().reading->clause),
                        "--deadline",
                        deadline,
                        "--json",
                        "run.json"};
    const Arguments options = options_of(GetParam(), expected);
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = hallmark(arguments);
    said_ = outcome.out + outcome.err;
    return outcome.exit_code;
  }

  /// Returns true if a case that cites the clause failed. The case that only asks for the reading
  /// does not count, unless messages of another layout left no other case to play.
  bool a_case_fails() const {
    bool asked_in_vain = false;
    bool played = false;
    const Json result = parsed(read("run.json"));
    for (const Json& one : result["cases"].items()) {
      const auto& clauses = one["clauses"].items();
      if (std::ranges::find(clauses, Json(GetParam().reading->clause)) == clauses.end()) continue;
      const bool asks = one["id"].string().find("/readings/") != std::string::npos;
      if (one["verdict"] == "fail" && !asks) return true;
      asked_in_vain = asked_in_vain || (one["verdict"] == "fail" && asks);
      played = played || (one["verdict"] != "skipped" && !asks);
    }
    return asked_in_vain && !played;
  }

  std::string said_;
};

TEST_P(ReadingOf, CertifiesATargetByTheAnswerThatItGivesAndByNoOther) {
  const auto answers = answers_of(*GetParam().reading);
  for (const std::string_view served : answers) {
    const Server server(width_of(GetParam()), directory_.string(), {"tcp://127.0.0.1:0"},
                        options_of(GetParam(), served));
    EXPECT_EQ(certify(server.target(), served, "5s"), 0) << served << "\n" << said_;
    for (const std::string_view expected : answers) {
      if (expected == served || is_allowed(expected, served)) continue;
      SCOPED_TRACE(fmt::format("expected {}, served {}", expected, served));
      EXPECT_EQ(certify(server.target(), expected, "1s"), 1) << said_;
      EXPECT_TRUE(a_case_fails());
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
