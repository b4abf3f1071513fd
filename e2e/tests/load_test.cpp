#include <algorithm>
#include <csignal>

#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::AnyOf;
using testing::HasSubstr;

class Load : public EndToEnd {
 protected:
  Json result() { return parsed(read("run.json")); }
};

TEST_F(Load, OpenLoopWritesItsResultAndHistograms) {
  Server server("u16", directory_.string());
  const auto outcome =
      hallmark({"load", server.target(), "--width", "u16", "--rate", "2000", "--connections", "4",
                "--duration", "1s", "--json", "run.json", "--hlog", "run.hlog"});
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("p99.9"));
  EXPECT_THAT(outcome.out, HasSubstr("\nquery "));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_EQ(result()["counts"]["planned"], 2000);
  EXPECT_EQ(result()["counts"]["failed"], 0);
  EXPECT_THAT(read("run.hlog"), testing::StartsWith("#"));
  EXPECT_THAT(read("run.hlog"), HasSubstr("HISTF"));
}

TEST_F(Load, ARateMayChangeWhileItRuns) {
  Server server("u16", directory_.string());
  const auto outcome = hallmark({"load", server.target(), "--width", "u16", "--rate", "1k..3k",
                                 "--duration", "1s", "--warmup", "200ms", "--json", "run.json"});
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  // The warm-up goes at the first rate, and is not counted.
  EXPECT_EQ(result()["rate_asked"], 2000);
  EXPECT_EQ(result()["counts"]["planned"], 2000);
}

TEST_F(Load, AReplaySendsWhatTheFileSays) {
  Server server("u16", directory_.string());
  write("times", "# of yesterday\n1763776000.5\n1763776000.51 GET\n1763776000.51\n1763776000.8\n");
  const auto outcome = hallmark(
      {"load", server.target(), "--width", "u16", "--replay", "times", "--json", "run.json"});
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_EQ(result()["counts"]["planned"], 4);
  write("times", "2\n1\n");
  const auto refused = hallmark({"load", server.target(), "--width", "u16", "--replay", "times"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, one_line_with({"times:2:", "ascend"}));
}

TEST_F(Load, ObjectivesDecideWhetherItPassed) {
  Server server("u16", directory_.string());
  const auto run = [&](const std::string& slo) {
    return hallmark({"load", server.target(), "--width", "u16", "--rate", "500", "--duration",
                     "500ms", "--slo", slo, "--json", "run.json"});
  };
  const auto met = run("p50<10s,errors<=0,rate>=0.5");
  EXPECT_THAT(met.exit_code, answered) << met.out << met.err;
  EXPECT_THAT(met.out, HasSubstr("\np50<10s    met "));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_EQ(result()["objectives"].size(), 3U);
  const auto missed = run("p50<1ns");
  EXPECT_THAT(missed.exit_code, AnyOf(1, 4)) << missed.out << missed.err;
  EXPECT_THAT(missed.out, HasSubstr("missed"));
}

struct LoadFormat {
  std::string name;
  std::string dialect;
  std::string width;
  std::string mix;
  Arguments options;  ///< --profile and --reading, of server and client alike
};

/// On a busy machine, a client may get no processor for longer than a short run.
bool was_too_short(const Json& measured) {
  if (measured["counts"]["failed"] > 0 || measured["errors"] != Json::array()) return false;
  return std::ranges::any_of(measured["operations"].items(), [](const Json& operation) {
    return operation["counts"]["completed"] == 0;
  });
}

class LoadInEveryFormat : public Load, public testing::WithParamInterface<LoadFormat> {};

TEST_P(LoadInEveryFormat, EveryReplyIsRight) {
  const auto& [name, dialect, width, mix, chosen] = GetParam();
  Arguments format = {"--dialect", dialect};
  format.insert(format.end(), chosen.begin(), chosen.end());
  const Server server(width, directory_.string(), {"tcp://127.0.0.1:0"}, format);
  Arguments arguments = {
      "load",     server.target(), "--width", width,           "--closed", "--depth",
      "4",        "--keys",        "100",     "--connections", "2",        "--json",
      "run.json", "--value-bytes", "20",      "--mix",         mix};
  arguments.insert(arguments.end(), format.begin(), format.end());
  Outcome outcome;
  for (const char* const duration : {"200ms", "2s", "20s"}) {
    Arguments whole = arguments;
    whole.insert(whole.end(), {"--duration", duration});
    outcome = hallmark(whole);
    if (!was_too_short(result())) break;
  }
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  const Json measured = result();
  EXPECT_EQ(measured["errors"], Json::array()) << outcome.out;
  EXPECT_EQ(measured["counts"]["failed"], 0);
  for (const auto& operation : measured["operations"].items()) {
    EXPECT_GT(operation["counts"]["completed"], 0) << operation["operation"];
  }
}

constexpr const char* of_2_0 = "insert=1,query=1,update=1,purge=1";
constexpr const char* of_6_0 = "insert=1,query=1,update=1,purge=1,set=1,get=1,list=1";
constexpr const char* without_channels =
    "insert=1,query=1,update=1,purge=1,set=1,get=1,list=1,info=1,stat=1,stats=1,unsubscribe=1,"
    "publish=1,connections=1,connection=1,channels=1,channel=1,whoami=1";
constexpr const char* of_7 =
    "insert=1,query=1,update=1,purge=1,set=1,get=1,list=1,info=1,stat=1,stats=1,subscribe=1,"
    "unsubscribe=1,publish=1,connections=1,connection=1,channels=1,channel=1,whoami=1";

std::vector<LoadFormat> every_format() {
  std::vector<LoadFormat> formats;
  for (const std::string profile : {"deployed", "literal"}) {
    const Arguments options = {"--profile", profile};
    formats.push_back({"throttr_2_0_u64_" + profile, "throttr-2.0", "u64", of_2_0, options});
    for (const std::string width : {"u8", "u16", "u32", "u64"}) {
      const auto named = [&](std::string dialect) { return dialect + "_" + width + "_" + profile; };
      const bool literal = profile == "literal";
      formats.push_back({named("throttr_6_0"), "throttr-6.0", width, of_6_0, options});
      formats.push_back(
          {named("throttr_7_1"), "throttr-7.1", width, literal ? without_channels : of_7, options});
      formats.push_back({named("throttr_7_3"), "throttr-7.3", width, of_7, options});
    }
  }
  return formats;
}

/// Readings under which another answer than the profile's is right.
std::vector<LoadFormat> other_readings() {
  const auto reading = [](std::string answer) { return Arguments{"--reading", std::move(answer)}; };
  return {
      {"insert_replaces", "throttr-7.1", "u16", of_7, reading("insert-existing=replaced")},
      {"insert_replaces_2_0", "throttr-2.0", "u64", of_2_0, reading("insert-existing=replaced")},
      {"set_is_refused", "throttr-7.1", "u16", of_7, reading("set-existing=refused")},
      {"purge_of_nothing", "throttr-7.3", "u16", of_7, reading("purge-missing=accepted")},
      {"no_maximum", "throttr-7.1", "u8", of_7, reading("maximum-values=invalid")},
      {"ttl_as_set", "throttr-6.0", "u16", of_6_0, reading("ttl-left=as-set")},
      {"ttl_rounded_up", "throttr-2.0", "u64", of_2_0, reading("ttl-left=left-rounded-up")},
      {"restored", "throttr-2.0", "u64", of_2_0, reading("expiry-2.0=restored")},
      {"any_order", "throttr-2.0", "u64", of_2_0, reading("reply-order=any-order")},
      {"to_itself", "throttr-7.3", "u16", of_7, reading("publish-self=yes")},
  };
}

std::string format_name(const testing::TestParamInfo<LoadFormat>& row) { return row.param.name; }
INSTANTIATE_TEST_SUITE_P(Formats, LoadInEveryFormat, testing::ValuesIn(every_format()),
                         format_name);
INSTANTIATE_TEST_SUITE_P(Readings, LoadInEveryFormat, testing::ValuesIn(other_readings()),
                         format_name);

TEST_F(Load, TheReportNamesTheFormat) {
  const Nobody nobody;
  hallmark({"load", nobody.target(), "--dialect", "throttr-2.0", "--profile", "literal",
            "--reading", "reply-order=any-order", "--json", "run.json"});
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_EQ(result()["header"]["dialect"], "throttr-2.0");
  EXPECT_EQ(result()["header"]["width"], "u64");
  EXPECT_EQ(result()["header"]["profile"], "literal");
  EXPECT_EQ(result()["header"]["readings"], Json::array({"reply-order=any-order"}));
}

TEST_F(Load, ValuesThatAReadingForbidsAreAUsageError) {
  const auto outcome =
      hallmark({"load", "tcp://127.0.0.1:1", "--dialect", "throttr-7.1", "--width", "u16",
                "--profile", "literal", "--mix", "set=1", "--value-bytes", "256"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "hallmark load: value size: a value of 256 bytes; allowed: at most 255 "
            "(set-value-size=one-byte)\n");
}

TEST_F(Load, AnotherDialectIsSeenInTheReplies) {
  Server server("u64", directory_.string());
  const auto outcome =
      hallmark({"load", server.target(), "--dialect", "throttr-2.0", "--rate", "500", "--duration",
                "500ms", "--timeout", "200ms", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("ERROR  " + server.target() + ": cannot store the keys: End of file"));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
}

TEST_F(Load, WrongWidthIsSeenInTheReplies) {
  Server server("u16", directory_.string());
  const auto outcome =
      hallmark({"load", server.target(), "--dialect", "throttr-7.1", "--width", "u64", "--rate",
                "500", "--duration", "500ms", "--timeout", "200ms", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("cannot store the keys: "));
  EXPECT_THAT(outcome.out, HasSubstr("; the target answers as throttr-7.1 u16: --dialect "
                                     "throttr-7.1 --width u16\n"));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
}

TEST_F(Load, InterruptPrintsAndWritesWhatThereIs) {
  Server server("u16", directory_.string());
  Program program(
      command({"load", server.target(), "--width", "u16", "--rate", "1000", "--duration", "60s",
               "--verbose", "--json", "run.json", "--hlog", "run.hlog"}),
      directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  program.send_signal(SIGINT);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nquery "));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_EQ(result()["interrupted"], true);
  EXPECT_GT(result()["counts"]["completed"], 0);
  EXPECT_LT(result()["counts"]["planned"], 60'000);
  EXPECT_THAT(read("run.hlog"), HasSubstr("HISTF"));
}

TEST_F(Load, TargetNotThereWritesTheReport) {
  const Nobody nobody;
  const auto outcome = hallmark(
      {"load", nobody.target(), "--width", "u16", "--duration", "1s", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr(nobody.target().substr(6)));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_NE(result()["run_error"], "");
}

TEST_F(Load, ServerThatGoesAwayIsCountedNotWaitedFor) {
  Server server("u16", directory_.string());
  Program program(
      command({"load", server.target(), "--width", "u16", "--rate", "1000", "--duration", "2s",
               "--timeout", "200ms", "--verbose", "--json", "run.json"}),
      directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  server.stop(SIGTERM);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_GT(result()["counts"]["completed"].natural(), 0);
  EXPECT_GT(result()["counts"]["failed"].natural(), 0);
}

/// A target that is stopped for a part of the run: what it does not answer counts as longer than
/// its timeout.
TEST_F(Load, AStoppedServerMissesAnObjectiveOnAQuantileThatItsTimeoutsHide) {
  Server server("u16", directory_.string());
  Program program(
      command({"load", server.target(), "--width", "u16", "--rate", "1000", "--duration", "4s",
               "--timeout", "200ms", "--verbose", "--json", "run.json", "--hlog", "run.hlog",
               "--csv", "run.csv", "--slo", "p90<5ms,errors<80%"}),
      directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  server.send_signal(SIGSTOP);
  // The second that follows has nothing but timeouts.
  ASSERT_TRUE(program.wait_for_err_lines(3));
  server.send_signal(SIGCONT);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("p90<5ms +missed +>= 200 ms"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("errors<80% +met "));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  const Json quantiles = result()["corrected"]["quantiles_ns"];
  EXPECT_EQ(quantiles["p90_at_least"], true);
  EXPECT_EQ(result()["objectives"][0]["proven"], true);
  EXPECT_THAT(read("run.hlog"), HasSubstr("Tag=query.unanswered,"));
  EXPECT_THAT(read("run.csv"), HasSubstr(",max_by_client,reconnects\r\n"));
  const auto again = hallmark({"report", "run.json"});
  EXPECT_EQ(again.exit_code, outcome.exit_code);
  EXPECT_EQ(again.out, outcome.out);
}

TEST_F(Load, AServerKilledInTheMiddleMissesItsErrorsWhateverTheClientDid) {
  Server server("u16", directory_.string());
  Program program(command({"load", server.target(), "--width", "u16", "--rate", "1000",
                           "--duration", "2s", "--timeout", "200ms", "--lag-bound", "1ns",
                           "--verbose", "--json", "run.json", "--slo", "errors<1%,p90<5ms"}),
                  directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  server.stop(SIGKILL);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("FAILED  2 of 2 objectives missed"));
  EXPECT_EQ(result()["objectives"][1]["proven"], true) << "a dead target has no quantiles";
  EXPECT_NE(result()["inconclusive"], "") << "a bound of 1 ns taints every client";
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
}

TEST_F(Load, ReportRendersASavedResultAgain) {
  Server server("u8", directory_.string());
  const auto outcome = hallmark({"load", server.target(), "--width", "u8", "--rate", "500",
                                 "--duration", "300ms", "--json", "run.json"});
  ASSERT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  const auto again = hallmark({"report", "run.json"});
  EXPECT_EQ(again.exit_code, outcome.exit_code);
  EXPECT_EQ(again.out, outcome.out);
}

}  // namespace
}  // namespace hallmark::e2e
