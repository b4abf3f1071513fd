#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cerrno>

#include "conformance/drivers/adapter/pipe_host.hpp"
#include "conformance/drivers/adapter/tests/fake_adapter.hpp"
#include "conformance/engine/target.hpp"

/// Adapters as real processes that do what no adapter should.
namespace hallmark::conformance::testing {
namespace {

using reports::CertifyResult;
using reports::Verdict;
using ::testing::HasSubstr;

const std::string prefix = "ratelimit-state";

/// Answers each hello and lists nothing; does `otherwise` at any other request, and `in_the_end` at
/// the end of its input.
std::string greeting(const std::string& otherwise, const std::string& in_the_end) {
  const std::string answer =
      R"(i=${l#*\"id\":}; i=${i%%,*}; echo "{\"id\":$i,\"protocol\":1,\"implementation\":\"a\",)"
      R"(\"supports\":{\"decode\":[],\"encode\":[],\"decide\":[]}}")";
  return "while read l; do case \"$l\" in *hello*) " + answer + ";; *) " + otherwise +
         ";; esac; done; " + in_the_end;
}

/// Longer than an honest shell takes to answer, also when all else is busy.
#ifdef HALLMARK_SANITIZED
constexpr Time short_deadline = 2'000'000'000;
#else
constexpr Time short_deadline = 300'000'000;
#endif
const std::string silent = "the adapter did not answer within ";

CertifyResult certified(const std::string& script, Time deadline = short_deadline) {
  CertifyOptions options = options_for_adapter();
  options.deadline = deadline;
  options.target = base::PipeEndpoint{"sh -c '" + script + "'"};
  auto outcome = certify_adapter(line_protocol_cases(prefix), options);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process was left behind";
  EXPECT_EQ(errno, ECHILD);
  return std::move(*outcome);
}

/// Escapes the text for use between single quotes of the shell.
std::string quoted(std::string text) {
  for (std::size_t at = text.find('\''); at != std::string::npos; at = text.find('\'', at + 4))
    text.replace(at, 1, "'\\''");
  return text;
}

struct Row {
  std::string_view name;
  std::string script;
  std::string reason;
};

class NeverRuns : public ::testing::TestWithParam<Row> {};

TEST_P(NeverRuns, IsNoVerdictButAnError) {
  const CertifyResult result = certified(quoted(GetParam().script));
  EXPECT_THAT(result.run_error, HasSubstr(GetParam().reason));
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::unreachable_or_harness_error);
}

INSTANTIATE_TEST_SUITE_P(
    , NeverRuns,
    ::testing::Values(Row{"exits", "echo no such luck >&2; exit 7",
                          "exited with code 7, asked {\"id\":1,\"op\":\"hello\",\"protocol\":1}; "
                          "it wrote last to "
                          "its standard error: no such luck"},
                      Row{"is_not_there", "exec no-such-adapter", "exited with code 127"},
                      Row{"is_killed", "read l; kill -SEGV $$",
                          "was killed by signal 11 (Segmentation fault)"}),
    [](const auto& one) { return std::string(one.param.name); });

class BreaksHello : public ::testing::TestWithParam<Row> {};

TEST_P(BreaksHello, FailsTheFirstCase) {
  const CertifyResult result = certified(quoted(GetParam().script));
  EXPECT_EQ(result.run_error, "");
  EXPECT_EQ(result.cases.front().verdict, Verdict::fail);
  EXPECT_THAT(result.cases.front().reason, HasSubstr(GetParam().reason));
  EXPECT_EQ(result.cases.back().verdict, Verdict::skipped);
}

INSTANTIATE_TEST_SUITE_P(
    , BreaksHello,
    ::testing::Values(
        Row{"hangs", "sleep 1000", silent},
        Row{"hangs_with_children", "sleep 1000 & sleep 1000", silent},
        Row{"ignores_signals", "trap \"\" TERM HUP; sleep 1000", silent},
        Row{"floods", "yes", "a line that is no JSON: y"},
        Row{"floods_without_end", "cat /dev/zero", "without an end"},
        Row{"floods_its_error", "yes >&2", "; it wrote last to its standard error: y"},
        Row{"writes_half_a_line", "printf %s {; sleep 1000", "1 bytes without a newline: {"},
        Row{"dies_within_a_line", "read l; printf %s {; exit 1", "of its answer came: {"},
        Row{"closes_its_output", "exec >&-; sleep 1000", "closed its output and goes on running"},
        Row{"talks_first", "echo ready; sleep 1000", "no JSON: ready"}),
    [](const auto& one) { return std::string(one.param.name); });

class BreaksLater : public ::testing::TestWithParam<Row> {};

TEST_P(BreaksLater, FailsItsCaseAndIsStartedAfresh) {
  const CertifyResult result = certified(quoted(greeting(GetParam().script, "exit 0")));
  EXPECT_EQ(result.cases.front().verdict, Verdict::pass);
  EXPECT_EQ(result.cases[2].id, prefix + "/adapter/unknown-operation");
  EXPECT_EQ(result.cases[2].verdict, Verdict::fail);
  EXPECT_THAT(result.cases[2].reason, HasSubstr(GetParam().reason));
  EXPECT_FALSE(result.cases[2].evidence.empty());
}

INSTANTIATE_TEST_SUITE_P(, BreaksLater,
                         ::testing::Values(Row{"is_killed", "kill -9 $$",
                                               "was killed by signal 9 (Killed), asked {"},
                                           Row{"exits", "exit 0", "it exited with code 0, asked {"},
                                           Row{"hangs", "sleep 1000", silent},
                                           Row{"closes_its_output", "exec >&-; sleep 1000",
                                               "closed its output and goes on running, asked {"}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(PipeHost, DoesNotEndWithItsInput) {
  const CertifyResult result = certified(quoted(greeting("echo no", "sleep 1000")));
  EXPECT_EQ(result.cases.back().id, prefix + "/adapter/end-of-input");
  EXPECT_THAT(result.cases.back().reason, HasSubstr("this one goes on running"));
}

TEST(CertifyAdapter, TakesNoOtherTarget) {
  CertifyOptions options = options_for_adapter();
  options.target = base::TcpEndpoint{"127.0.0.1", 1};
  const auto outcome = certify_adapter({}, options);
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error(), HasSubstr("allowed: pipe:COMMAND"));
}

}  // namespace
}  // namespace hallmark::conformance::testing
