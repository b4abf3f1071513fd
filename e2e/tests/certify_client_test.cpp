#include <signal.h>

#include <algorithm>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"
#include "e2e/refusal.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;
using testing::StartsWith;

class CertifyClientProgram : public EndToEnd {
 protected:
  /// `hallmark certify-client` with the client in Python.
  static Arguments certify(const Arguments& options, const Arguments& client = {}) {
    Arguments all = {"certify-client", "--width", "u16"};
    all.insert(all.end(), options.begin(), options.end());
    all.insert(all.end(),
               {"--", "/usr/bin/python3", "-S", "-E", "-B",
                std::string(places::source()) + "/clients/tests/client/throttr_client_test.py",
                "--deadline", "10"});
    all.insert(all.end(), client.begin(), client.end());
    return all;
  }
};

TEST_F(CertifyClientProgram, WritesWhatItFound) {
  const auto outcome = hallmark(certify({"--filter", "status/*", "--filter", "cut/one-by-one",
                                         "--json", "client.json", "--junit", "client.xml"},
                                        {"--bug", "any-status-is-success"}));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("accepted a wrong reply"));
  EXPECT_THAT(outcome.out, HasSubstr("\nFAILED  "));
  EXPECT_EQ(violations("certify-client.schema.json", "client.json"), "");
  const Json json = parsed(read("client.json"));
  EXPECT_EQ(json["exit_code"].natural(), 1U);
  EXPECT_EQ(json["baseline"]["passed"], Json(true));
  EXPECT_THAT(read("client.xml"), HasSubstr("name=\"status/INSERT\""));
}

TEST_F(CertifyClientProgram, PassesWhereNothingIsWrong) {
  const auto outcome = hallmark(certify({"--filter", "status/QUERY", "--quiet"}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, one_line_with({"PASSED  1 perturbation passed, 0 failed"}));
}

TEST_F(CertifyClientProgram, ListsPerturbationsWithoutACommand) {
  const auto outcome = hallmark({"certify-client", "--dialect", "throttr-2.0", "--list"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("other-id/INSERT"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("LIST")));
}

TEST_F(CertifyClientProgram, SaysWhichCommandDidNotStart) {
  const auto outcome = hallmark({"certify-client", "--quiet", "--", "/no/such/program"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, one_line_with({"cannot start '/no/such/program'"}));
}

TEST_F(CertifyClientProgram, KeepsWhatItHasWhenItIsInterrupted) {
  Program program(command(certify({"--jobs", "1", "--verbose", "--json", "client.json"})),
                  directory_.string());
  ASSERT_TRUE(program.wait_for_out_lines(3));
  program.send_signal(SIGINT);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out;
  EXPECT_EQ(violations("certify-client.schema.json", "client.json"), "");
  const Json json = parsed(read("client.json"));
  EXPECT_EQ(json["interrupted"], Json(true));
  EXPECT_GE(json["counts"]["passed"].natural() + json["counts"]["not_judged"].natural(), 3U);
  EXPECT_GT(json["counts"]["not_played"].natural(), 0U);
}

TEST_F(CertifyClientProgram, CapturesWhatCrossedWithWhatWasChanged) {
  const auto outcome = hallmark(
      certify({"--filter", "status/*", "--filter", "cut/one-by-one", "--pcap", "run.pcapng"},
              {"--bug", "any-status-is-success"}));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  const std::string capture = read("run.pcapng");
  EXPECT_THAT(capture, HasSubstr("baseline: exited with code 0"));
  EXPECT_THAT(capture, HasSubstr("cut/one-by-one (legal; the client passes): passed"));
  EXPECT_THAT(capture, HasSubstr("accepted a wrong reply"));
  EXPECT_THAT(capture, HasSubstr("; undisturbed: 0"));
  const auto decoded =
      hallmark({"decode", "run.pcapng", "--dialect", "throttr-7.3", "--width", "u16"});
  EXPECT_THAT(decoded.out, HasSubstr("INSERT")) << decoded.err;
}

TEST_F(CertifyClientProgram, RefusesToCaptureWhereNothingCanBeWritten) {
  const auto outcome = hallmark(certify({"--pcap", "missing/run.pcapng"}));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, one_line_with({"missing/run.pcapng"}));
}

class CertifyClientRefusal : public CertifyClientProgram,
                             public testing::WithParamInterface<Refusal> {};

TEST_P(CertifyClientRefusal, IsOneLine) {
  const auto outcome = hallmark(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, one_line_with(GetParam().parts));
}

INSTANTIATE_TEST_SUITE_P(
    Arguments, CertifyClientRefusal,
    testing::Values(Refusal{"NoCommand", {"certify-client"}, {"no command", "after --"}},
                    Refusal{"FilterThatMatchesNothing",
                            {"certify-client", "--filter", "nothing*", "--", "true"},
                            {"nothing*", "--list"}},
                    Refusal{"DialectAtRest",
                            {"certify-client", "--dialect", "ratelimit-state", "--", "true"},
                            {"ratelimit-state", "nobody sends it"}},
                    Refusal{"TimeoutOfNothing",
                            {"certify-client", "--timeout", "0s", "--", "true"},
                            {"--timeout 0s", "allowed"}}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace hallmark::e2e
