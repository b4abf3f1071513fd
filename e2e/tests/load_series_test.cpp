// Load runs in series, what they write besides their result, and named workloads.

#include <chrono>

#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::AnyOf;
using testing::HasSubstr;

class LoadSeries : public EndToEnd {
 protected:
  Json result(const std::string& file) { return parsed(read(file)); }
  Server server_{"u16", directory_.string()};

  Arguments load(Arguments more) const {
    Arguments all = {"load", server_.target(), "--width", "u16", "--keys", "100"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(LoadSeries, SearchFindsARateThatHolds) {
  const auto outcome =
      hallmark(load({"--search", "p50<10s,errors<=100%,rate>=0", "--rate", "8M", "--duration",
                     "50ms", "--confirm", "100ms", "--json", "knee.json", "--csv", "knee.csv"}));
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("from below "));
  EXPECT_THAT(outcome.err, HasSubstr("search, bracket: 8,000,000 requests/s"));  // no terminal
  EXPECT_THAT(outcome.err, HasSubstr("search, confirm: "));
  EXPECT_EQ(violations("knee.schema.json", "knee.json"), "");
  EXPECT_GT(result("knee.json")["points"].size(), 1U);
  EXPECT_THAT(read("knee.csv"), HasSubstr("\r\nbracket,8000000.0,"));
  const auto again = hallmark({"report", "knee.json", "--csv", "again.csv"});
  EXPECT_EQ(again.exit_code, outcome.exit_code) << again.err;
  EXPECT_THAT(outcome.out, testing::EndsWith(again.out));
  EXPECT_EQ(read("again.csv"), read("knee.csv"));
  const auto same = hallmark({"report", "compare", "knee.json", "knee.json", "--json", "c.json"});
  EXPECT_THAT(same.exit_code, answered) << same.err;
  EXPECT_THAT(same.out, HasSubstr("capacity"));
  EXPECT_EQ(violations("load-comparison.schema.json", "c.json"), "");
}

TEST_F(LoadSeries, SearchThatFindsNothingIsAFailure) {
  const auto outcome =
      hallmark(load({"--search", "p50<1ns", "--rate", "500", "--duration", "100ms"}));
  EXPECT_THAT(outcome.exit_code, AnyOf(1, 4)) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("NONE"));
}

TEST_F(LoadSeries, VersusComparesTwoTargets) {
  Server other("u16", directory_.string());
  const auto outcome = hallmark(load({"--versus", other.target(), "--rate", "500", "--duration",
                                      "1s", "--rounds", "1", "--json", "versus.json"}));
  EXPECT_THAT(outcome.exit_code, AnyOf(0, 1, 4)) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("99 % interval"));
  EXPECT_EQ(violations("load-comparison.schema.json", "versus.json"), "");
  EXPECT_EQ(result("versus.json")["blocks_before"], 2);
  EXPECT_EQ(result("versus.json")["blocks_now"], 2);
  const auto again = hallmark({"report", "versus.json"});
  EXPECT_EQ(again.exit_code, outcome.exit_code) << again.err;
  EXPECT_THAT(outcome.out, testing::EndsWith(again.out));
}

TEST_F(LoadSeries, VersusATargetThatIsNotThereIsAnError) {
  const auto outcome = hallmark(load(
      {"--versus", "tcp://127.0.0.1:1", "--rate", "500", "--duration", "100ms", "--rounds", "1"}));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("tcp://127.0.0.1:1: cannot connect"));
}

TEST_F(LoadSeries, ResultsAreMergedAndCompared) {
  for (const auto* file : {"a.json", "b.json"}) {
    const auto outcome = hallmark(load({"--rate", "500", "--duration", "1s", "--json", file}));
    ASSERT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  }
  const auto merged = hallmark({"report", "merge", "a.json", "b.json", "--json", "both.json"});
  EXPECT_THAT(merged.exit_code, answered) << merged.out << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("2 runs merged"));
  EXPECT_EQ(violations("load.schema.json", "both.json"), "");
  EXPECT_EQ(result("both.json")["counts"]["planned"], 1'000);
  EXPECT_EQ(result("both.json")["rate_asked"], 500);
  EXPECT_EQ(result("both.json")["series"].size(), 2U);
  const auto compared = hallmark({"report", "compare", "a.json", "both.json", "--json", "c.json"});
  EXPECT_EQ(compared.exit_code, 4) << compared.out;  // one second says nothing
  EXPECT_EQ(violations("load-comparison.schema.json", "c.json"), "");
}

TEST_F(LoadSeries, SecondsAreWrittenAsCsv) {
  const auto outcome = hallmark(load({"--rate", "500", "--duration", "1s", "--csv", "run.csv"}));
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_THAT(read("run.csv"),
              testing::StartsWith("second,seconds,sent,completed,errors,p50_ns,p99_ns,max_ns,"
                                  "p50_at_least,p99_at_least,max_at_least,"
                                  "p50_by_client,p99_by_client,max_by_client,reconnects\r\n"
                                  "0,1.000,500,500,0,"));
}

/// Asks for /metrics until a text matches, and returns that one.
constexpr auto scrape_until = R"(
      const [address, pattern] = process.argv.slice(1);
      const told = () => fetch(`http://${address}/metrics`).then(r => r.text()).catch(() => '');
      const awaitIt = text => new RegExp(pattern).test(text) ? console.log(text)
                                                             : told().then(awaitIt);
      told().then(awaitIt))";

TEST_F(LoadSeries, PrometheusIsToldWhileARunLastsAndAfterIt) {
  const std::string address = Port().target().substr(std::string("tcp://").size());
  Program program(command(load({"--rate", "500", "--duration", "3s", "--run-id", "night",
                                "--metrics", address, "--metrics-linger", "1h"})),
                  directory_.string());
  const auto scraped = [&](const std::string& pattern) {
    return run({"node", "-e", scrape_until, address, pattern}, directory_.string()).out;
  };
  const std::string told = scraped("outcome=\"completed\".*} [1-9]");
  const std::string labels = R"({dialect="throttr-7.1",rank="0",run="night",target=")" +
                             server_.target() + R"(",operation="query",)";
  EXPECT_THAT(told, HasSubstr("hallmark_load_requests_total" + labels + R"(outcome="completed"})"));
  EXPECT_THAT(told, HasSubstr("hallmark_load_latency_seconds_bucket" + labels + "le="));
  EXPECT_THAT(told, testing::Not(HasSubstr("exposer_")));
  const std::string last = scraped("hallmark_load_running{.*} 0");
  EXPECT_THAT(last,
              testing::ContainsRegex("hallmark_load_planned_requests_total[^\n]*query[^\n]* 13"));
  program.send_signal(SIGINT);
  const auto outcome = program.wait();
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
}

TEST_F(LoadSeries, AnAddressForMetricsThatIsNoneIsAMistake) {
  const std::vector<std::pair<Arguments, std::string>> mistakes = {
      {{"--metrics", "256.0.0.1:1"}, "--metrics 256.0.0.1:1"},
      {{"--metrics", "nonsense"}, "--metrics nonsense"},
      {{"--metrics-push", "gopher://x"}, "--metrics-push gopher://x"},
      {{"--metrics", "127.0.0.1:0", "--metrics-linger", "soon"}, "--metrics-linger"},
      {{"--run-id", "a b"}, "--run-id a b"},
      {{"--abort-on", "rate<1"}, "--abort-on rate<1"},
      {{"--search", "p99<1s", "--confirm", "long"}, "--confirm"}};
  for (const auto& [options, named] : mistakes) {
    const auto refused = hallmark(load(options));
    EXPECT_EQ(refused.exit_code, 2) << named;
    EXPECT_THAT(refused.err, one_line_with({named}));
  }
}

TEST_F(LoadSeries, MetricsThatNoGatewayTakesAreAnError) {
  Nobody nobody;
  const std::string url = "http" + nobody.target().substr(std::string("tcp").size());
  const auto outcome =
      hallmark(load({"--rate", "500", "--duration", "200ms", "--metrics-push", url}));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_THAT(outcome.err, one_line_with({"--metrics-push " + url}));
}

TEST_F(LoadSeries, RepeatedRunsAreOneResultWithTheirSpread) {
  const auto outcome = hallmark(load({"--rate", "500", "--duration", "300ms", "--repeat", "3",
                                      "--slo", "errors<1%", "--json", "run.json"}));
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("between 3 runs"));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  const Json run = result("run.json");
  EXPECT_EQ(run["counts"]["planned"], 450);
  EXPECT_EQ(run["spread"][0]["runs"].size(), 3U);
  EXPECT_EQ(run["objectives"][0]["met"], "yes");
}

TEST_F(LoadSeries, ATargetThatStopsAnsweringEndsTheRun) {
  Program program(command(load({"--rate", "500", "--duration", "1h", "--timeout", "200ms",
                                "--abort-on", "errors>10%", "--verbose", "--json", "run.json"})),
                  directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  server_.send_signal(SIGSTOP);
  const auto outcome = program.wait();
  server_.send_signal(SIGCONT);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  const Json run = result("run.json");
  EXPECT_THAT(run["aborted"].string(), testing::StartsWith("errors>10% in second "));
  EXPECT_GT(run["counts"]["completed"], 0);
  EXPECT_EQ(run["interrupted"], false);
}

TEST_F(LoadSeries, ANamedWorkloadGivesOptionsAndWhatIsTypedGoesBeforeThem) {
  for (const auto* name : {"api-gateway", "login-throttling", "write-heavy"}) {
    const auto outcome = hallmark(load({"--workload", name, "--rate", "500", "--duration", "200ms",
                                        "--connections", "3", "--json", "run.json"}));
    EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
    EXPECT_EQ(violations("load.schema.json", "run.json"), "");
    std::map<std::string, std::string> options;
    const Json header = result("run.json")["header"];
    for (const auto& option : header["options"].items())
      options[option["name"].string()] = option["value"].string();
    EXPECT_EQ(options["connections"], "3") << name;
    EXPECT_EQ(options["keys"], "100") << name;
    EXPECT_NE(options["mix"], "query=90,update=9,insert=1") << name;
  }
}

TEST_F(LoadSeries, AWorkloadFileIsCheckedInOneLine) {
  const auto refused = [&](const std::string& content) {
    write("mine.json", content);
    const auto outcome = hallmark(load({"--workload", "mine.json"}));
    EXPECT_EQ(outcome.exit_code, 2) << content;
    return outcome.err;
  };
  EXPECT_THAT(refused("[1]"), one_line_with({"mine.json: line 1, column 1: expected an object"}));
  EXPECT_THAT(refused(R"({"speed": 1})"),
              one_line_with({"/speed: no such option; did you mean seed?"}));
  EXPECT_THAT(refused(R"({"mix": {}})"),
              one_line_with({"/mix: expected a string, a number, true or false"}));
  EXPECT_THAT(refused(R"({"connections": "many"})"),
              one_line_with({"mine.json: line 1, column 17: /connections: "}));
  EXPECT_THAT(refused(R"({"mix": "fly=1"})"), one_line_with({"unknown operation 'fly'"}));
  const auto none = hallmark(load({"--workload", "nobody"}));
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, one_line_with({"api-gateway, login-throttling, write-heavy"}));
  write("mine.json", R"({"description": "small", "mix": "query=1", "stages": true})");
  const auto mine =
      hallmark(load({"--workload", "mine.json", "--rate", "200", "--duration", "100ms"}));
  EXPECT_THAT(mine.exit_code, answered) << mine.out << mine.err;
  EXPECT_THAT(mine.out, HasSubstr("planned → written"));
}

TEST_F(LoadSeries, WhatIsPublishedReachesEverySubscriber) {
  const auto outcome =
      hallmark(load({"--rate", "500", "--duration", "500ms", "--mix", "publish=50,query=50",
                     "--subscribers", "5", "--churn", "10", "--json", "run.json"}));
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  const Json fan_out = result("run.json")["fan_out"];
  EXPECT_GT(fan_out["published"], 50);
  EXPECT_EQ(fan_out["expected"], fan_out["delivered"]);
  EXPECT_EQ(fan_out["unstamped"], 0);
  EXPECT_EQ(fan_out["latency"]["quantiles_ns"]["count"], fan_out["delivered"]);
}

TEST_F(LoadSeries, KeysComeFromAFile) {
  write("keys", "alice\nbob\nalice\n");
  const auto outcome = hallmark({"load", server_.target(), "--width", "u16", "--keys-from", "keys",
                                 "--mix", "query=1,set=1,get=1", "--rate", "300", "--duration",
                                 "200ms", "--value-bytes", "1..100", "--json", "run.json"});
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_EQ(result("run.json")["counts"]["failed"], 0);
  EXPECT_THAT(result("run.json")["slowest"][0]["key"].string(),
              AnyOf(HasSubstr("alice"), HasSubstr("bob")));
  const auto refused = hallmark(load({"--keys-from", "nowhere"}));
  EXPECT_EQ(refused.exit_code, 2);
}

/// The same requests, whichever process sends them.
TEST_F(LoadSeries, SharesAreTogetherWhatOneProcessIs) {
  const Arguments asked = {
      "--mix", "query=50,update=30,insert=20", "--rate", "1k", "--duration", "1s", "--timeout",
      "10s"};
  const auto run = [&](Arguments more, const std::string& file) {
    more.insert(more.end(), asked.begin(), asked.end());
    more.insert(more.end(), {"--json", file});
    const auto outcome = hallmark(load(more));
    EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  };
  run({}, "whole.json");
  const auto start = std::chrono::system_clock::now() + std::chrono::seconds(2);
  const std::string at = std::to_string(
      std::chrono::duration_cast<std::chrono::seconds>(start.time_since_epoch()).count());
  std::vector<std::thread> shares;
  for (const char* const share : {"1/3", "2/3", "3/3"}) {
    shares.emplace_back([&run, &at, share] {
      run({"--share", share, "--start-at", at}, std::string(1, share[0]) + ".json");
    });
  }
  for (std::thread& share : shares) share.join();
  const auto merged =
      hallmark({"report", "merge", "1.json", "2.json", "3.json", "--json", "merged.json"});
  EXPECT_THAT(merged.exit_code, answered) << merged.out << merged.err;
  EXPECT_EQ(violations("load.schema.json", "merged.json"), "");
  const Json whole = result("whole.json");
  const Json sum = result("merged.json");
  EXPECT_EQ(sum["header"]["duration_ns"], 1'000'000'000);
  EXPECT_EQ(sum["rate_asked"], 1'000);
  EXPECT_LE(sum["series"].size(), 2U);  // the seconds of all, and what came after the last
  const auto twice = hallmark({"report", "merge", "1.json", "2.json", "1.json"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, one_line_with({"1.json and 1.json are the same share, 1/3"}));
  const auto mixed = hallmark({"report", "merge", "1.json", "whole.json"});
  EXPECT_EQ(mixed.exit_code, 2);
  EXPECT_THAT(mixed.err, one_line_with({"1.json and whole.json"}));
  const auto some = hallmark({"report", "merge", "1.json", "2.json"});
  EXPECT_EQ(some.exit_code, 4) << some.out;
  EXPECT_THAT(some.out, HasSubstr("1 of 3 shares are missing"));
  ASSERT_EQ(sum["operations"].size(), whole["operations"].size());
  for (std::size_t i = 0; i < whole["operations"].size(); ++i) {
    EXPECT_EQ(sum["operations"][i]["operation"], whole["operations"][i]["operation"]);
    EXPECT_EQ(sum["operations"][i]["counts"]["planned"],
              whole["operations"][i]["counts"]["planned"]);
  }
}

TEST_F(LoadSeries, AShareNeedsATimeThatIsStillToCome) {
  const auto without = hallmark(load({"--share", "1/3"}));
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("--start-at"));
  const auto late = hallmark(load({"--share", "1/3", "--start-at", "5"}));
  EXPECT_EQ(late.exit_code, 3);
  EXPECT_THAT(late.out, HasSubstr("after the start of all shares; start later"));
}

}  // namespace
}  // namespace hallmark::e2e
