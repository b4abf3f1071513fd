#include <fstream>
#include <iterator>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

/// Debian's own interpreter, without its site packages: each process of the adapter starts one.
const std::string python = "/usr/bin/python3 -S -E ";
const std::string python_adapter = places::source("docs/adapter/ratelimit_state.py");

class CertifyAdapter : public EndToEnd {
 protected:
  Outcome certify(const std::string& command, Arguments more = {}) {
    Arguments arguments = {"certify", "pipe:" + command, "--json", "result.json", "--seed", "7"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    auto outcome = hallmark(arguments);
    if (exists("result.json")) {
      EXPECT_EQ(violations("certify.schema.json", "result.json"), "");
      result_ = parsed(read("result.json"));
    }
    return outcome;
  }

  Arguments failed() const {
    Arguments ids;
    for (const auto& one : result_["cases"].items())
      if (one["verdict"] == "fail") ids.push_back(one["id"].string());
    return ids;
  }

  /// The adapter of the documentation with one text in the place of another.
  std::string with(const std::string& text, const std::string& in_its_place) {
    std::string program = program_text();
    const auto at = program.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    EXPECT_EQ(program.find(text, at + 1), std::string::npos) << "not once: " << text;
    if (at != std::string::npos) program.replace(at, text.size(), in_its_place);
    write("adapter.py", program);
    return python + path("adapter.py");
  }

  Json result_;

 private:
  static std::string program_text() {
    std::ifstream file(python_adapter);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(CertifyAdapter, TheReferenceAdapterIsCertified) {
  const auto outcome = certify(command({"serve", "--stdio"}).front() + " serve --stdio");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("CERTIFIED"));
  EXPECT_EQ(result_["header"]["dialect"], "ratelimit-state");
  EXPECT_EQ(result_["header"]["options"][0]["value"], "7") << "the seed, to run it again";
  for (const auto& one : result_["cases"].items())
    EXPECT_EQ(one["verdict"], "pass") << one["id"] << one["reason"];
}

TEST_F(CertifyAdapter, TheDocumentedAdapterIsCertified) {
  const auto outcome = certify(python + python_adapter, {"--junit", "result.xml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(failed(), Arguments());
  EXPECT_TRUE(exists("result.xml"));
}

struct Bug {
  std::string name;
  std::string text;
  std::string in_its_place;
  std::string found_by;  ///< a part of the id of a case that has to fail
};

class BrokenAdapter : public CertifyAdapter, public testing::WithParamInterface<Bug> {};

TEST_P(BrokenAdapter, IsFound) {
  const auto outcome = certify(with(GetParam().text, GetParam().in_its_place),
                               {"--filter", "*" + GetParam().found_by + "*"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(failed(), testing::Contains(HasSubstr(GetParam().found_by)));
}

INSTANTIATE_TEST_SUITE_P(
    , BrokenAdapter,
    testing::Values(
        Bug{"six_digits", "Decimal(repr(number))", "Decimal(\"%.6g\" % number)", "/numbers"},
        Bug{"exponent_late", "-4 <= power < 6", "-4 <= power < 21", "/numbers"},
        Bug{"one_request_too_many", "math.floor(tokens) >= 1", "tokens > 0",
            "/behaviour/token-bucket/"},
        Bug{"burst_not_held", "min(tokens + (now - last) * rate / NS, burst)",
            "tokens + (now - last) * rate / NS", "/behaviour/token-bucket/limit"},
        Bug{"bucket_one_larger", "requests + 1 <= capacity", "requests <= capacity",
            "/behaviour/leaky-bucket/"},
        Bug{"window_never_over", "now - one[\"start\"] >= window",
            "now - one[\"start\"] > window * 9", "/behaviour/fixed-window/"},
        Bug{"window_of_one_quota_counts", "taken = 1 if all(below) and take else 0",
            "taken = 1 if take else 0", "/fixed-window/"},
        Bug{"tat_falls_behind", "max(state[\"tat\"], now) if state else now",
            "state[\"tat\"] if state else now", "/gcra/"},
        Bug{"one_part_is_enough", "text_of(*after) if allowed else None", "text_of(*after)",
            "/behaviour/composite/denied"},
        Bug{"written_when_denied", "\"state\": text_of(*after) if allowed else None",
            "\"state\": text_of(*after)", "/behaviour/token-bucket/denied"},
        Bug{"more_than_64_bits", "if not -(2**63) <= number < 2**63:", "if False:", "/decode/"},
        Bug{"tail_is_ignored", "if self.parts:", "if False:", "/decode/"},
        Bug{"eight_quotas_are_not_enough", "MOST_QUOTAS = 8", "MOST_QUOTAS = 9", "/fixed-window/"},
        Bug{"old_format_forgotten", "\"v2\": [(\"tat\", read_integer), LAST_BAR],", "", "/gcra/"},
        Bug{"headers_mixed_up", "\"42\": [(\"tat\"", "\"43\": [(\"tat\"", "/adapter/hello"},
        Bug{"refuses_by_ending", "return {\"error\": malformed.answer}", "sys.exit(3)",
            "/adapter/wrong-request"},
        Bug{"everything_is_known", "return {\"unsupported\": str(lack)}", "return {}",
            "/adapter/unknown-strategy"},
        Bug{"forgets_the_id", "{\"id\": request[\"id\"], **", "{\"id\": 1, **", "/adapter/"},
        Bug{"talks", "    for line in sys.stdin:\n",
            "    for line in sys.stdin:\n        print()\n", "/adapter/hello"},
        Bug{"remembers", "answer = {\"allowed\": allowed, \"results\": [], ",
            "STRATEGIES[len(STRATEGIES)] = 0\n    answer = {\"allowed\": allowed, \"results\": [], "
            "\"expires_in_ms\": str(len(STRATEGIES)), \"note\": str(len(STRATEGIES)), ",
            "/no-memory"},
        Bug{"stays", "if __name__ == \"__main__\":\n    main()",
            "if __name__ == \"__main__\":\n    main()\n    __import__(\"time\").sleep(1000)",
            "/adapter/end-of-input"}),
    [](const auto& one) { return one.param.name; });

TEST_F(CertifyAdapter, WhatItLacksIsUnsupported) {
  const auto outcome = certify(with("    \"gcra\": gcra,\n", ""), {"--filter", "*/gcra/*"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("unsupported"));
  for (const auto& one : result_["cases"].items()) {
    const std::string& id = one["id"].string();
    if (id.find("/adapter/") != std::string::npos) continue;
    const bool decides = one["operation"] == "decide" || id.ends_with("/round-trip");
    EXPECT_EQ(one["verdict"], decides ? "unsupported" : "pass") << id;
  }
}

TEST_F(CertifyAdapter, OneThatIsNotThereIsNoFailure) {
  const auto outcome = certify("no-such-adapter");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("exited with code 127"));
}

TEST_F(CertifyAdapter, CasesAreListedAndChosen) {
  const auto listed = hallmark({"certify", "--list", "--dialect", "ratelimit-state", "--operation",
                                "adapter", "--level", "MUST"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("MUST   ratelimit-state/adapter/unlisted"));
  const auto none = hallmark({"certify", "pipe:cat", "--filter", "nothing"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--filter nothing matches no case"));
}

TEST_F(CertifyAdapter, OnlyPipesHaveStates) {
  for (const Arguments& arguments :
       {Arguments{"certify", "tcp://127.0.0.1:1", "--dialect", "ratelimit-state"},
        Arguments{"certify", "pipe:cat", "--dialect", "throttr-7.1"}}) {
    const auto outcome = hallmark(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, one_line_with({"allowed: ratelimit-state with pipe:COMMAND"}));
  }
  EXPECT_EQ(hallmark({"identify", "pipe:cat"}).exit_code, 2);
}

TEST_F(CertifyAdapter, ServingStatesTakesStandardInput) {
  const auto refused = hallmark({"serve", "--dialect", "ratelimit-state"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, one_line_with({"allowed: with --stdio"}));
  EXPECT_EQ(hallmark({"serve", "--stdio", "--listen", "tcp://127.0.0.1:0"}).exit_code, 2);
  EXPECT_EQ(hallmark({"serve", "--stdio", "--dialect", "throttr-7.1"}).exit_code, 2);
}

TEST_F(CertifyAdapter, ReportsForContinuousIntegration) {
  const auto outcome = run({"/bin/sh", "-c",
                            "GITHUB_STEP_SUMMARY=summary.md '" + places::program() +
                                "' certify \"pipe:'" + places::program() +
                                "' serve --stdio --mutant window.late\" --github --tap run.tap "
                                "--badge badge.svg"},
                           directory_.string());
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\n::error title=low wrong-field-"));
  EXPECT_THAT(read("summary.md"), HasSubstr("not certified"));
  EXPECT_THAT(read("run.tap"), HasSubstr("- ratelimit-state/fixed-window/decide/edge\n  ---\n"));
  EXPECT_THAT(read("badge.svg"), HasSubstr(" finding</title>"));
}

}  // namespace
}  // namespace hallmark::e2e
