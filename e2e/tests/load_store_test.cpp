#include <csignal>

#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"
#include "stores/tests/support/postgres_server.hpp"
#include "stores/tests/support/redis_server.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using stores::test::PostgresServer;
using stores::test::RedisServer;
using testing::HasSubstr;

class LoadOnAStore : public EndToEnd {
 protected:
  Json result() { return parsed(read("run.json")); }
};

struct StrategyRow {
  const char* name;
  Arguments options;
};

class LoadOfEveryStrategy : public LoadOnAStore, public testing::WithParamInterface<StrategyRow> {};

TEST_P(LoadOfEveryStrategy, StaysWithinItsLimitsOnRedis) {
  const RedisServer server;
  Arguments arguments{"load",      server.url(), "--rate", "2000",    "--connections",
                      "4",         "--duration", "500ms",  "--keys",  "5",
                      "--timeout", "10s",        "--json", "run.json"};
  arguments.insert(arguments.end(), GetParam().options.begin(), GetParam().options.end());
  const auto outcome = hallmark(arguments);
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  const auto store = result()["store"];
  EXPECT_EQ(result()["counts"]["completed"], 1000) << outcome.out;
  EXPECT_EQ(result()["header"]["dialect"], "ratelimit-state");
  EXPECT_GT(store["counts"]["allowed"], 0);
  EXPECT_GT(store["counts"]["denied"], 0);
  EXPECT_EQ(store["admissions"]["judged"], store["counts"]["allowed"]);
  EXPECT_EQ(store["admissions"]["exceeded"], 0) << outcome.out;
  EXPECT_EQ(server.run({"DBSIZE"}), "0");
}

INSTANTIATE_TEST_SUITE_P(
    Rows, LoadOfEveryStrategy,
    testing::Values(
        StrategyRow{"TokenBucket", {"--strategy", "token-bucket:burst=10,rate=50"}},
        StrategyRow{"LeakyBucket", {"--strategy", "leaky-bucket:capacity=10,rate=50"}},
        StrategyRow{"Gcra", {"--strategy", "gcra:burst=10,rate=50"}},
        StrategyRow{"FixedWindow", {"--strategy", "fixed-window:default=10/100ms,long=30/1s"}},
        StrategyRow{"Composite",
                    {"--strategy", "composite", "--primary", "fixed-window:default=20/100ms",
                     "--secondary", "token-bucket:burst=10,rate=50"}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(LoadOnAStore, OnPostgresWithATableOfItsOwn) {
  const PostgresServer server;
  server.run("CREATE TABLE limits (k text PRIMARY KEY, v text NOT NULL, e timestamptz)");
  const auto outcome =
      hallmark({"load",     server.url(),     "--strategy", "token-bucket:burst=10,rate=50",
                "--closed", "--connections",  "4",          "--duration",
                "500ms",    "--keys",         "2",          "--timeout",
                "10s",      "--table",        "limits",     "--key-column",
                "k",        "--value-column", "v",          "--expires-column",
                "e",        "--json",         "run.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("conflicts"));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_GT(result()["store"]["counts"]["allowed"], 20);
  EXPECT_EQ(result()["store"]["admissions"]["exceeded"], 0);
  EXPECT_EQ(server.run("SELECT count(*) FROM limits"), "0");
}

TEST_F(LoadOnAStore, CtrlCKeepsWhatWasMeasuredAndRemovesItsKeys) {
  const RedisServer server;
  Program program(
      command({"load", server.url(), "--strategy", "token-bucket:burst=10,rate=50", "--rate",
               "1000", "--duration", "10m", "--verbose", "--json", "run.json"}),
      directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  program.send_signal(SIGINT);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_EQ(result()["interrupted"], true);
  EXPECT_GT(result()["counts"]["completed"], 0);
  EXPECT_EQ(server.run({"DBSIZE"}), "0");
}

TEST_F(LoadOnAStore, AbortOnEndsItWithWhatWasMeasuredAndRemovesItsKeys) {
  const RedisServer server;
  const auto outcome =
      hallmark({"load", server.url(), "--strategy", "token-bucket:burst=10,rate=50", "--rate",
                "500", "--timeout", "10s", "--duration", "10m", "--abort-on", "throughput<1M",
                "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out << outcome.err;
  // On a busy machine the client is judged first.
  EXPECT_THAT(outcome.out, HasSubstr("throughput<1M in second 1"));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_THAT(result()["aborted"].string(), testing::StartsWith("throughput<1M in second 1"));
  EXPECT_GT(result()["counts"]["completed"], 0);
  EXPECT_EQ(server.run({"DBSIZE"}), "0");
}

TEST_F(LoadOnAStore, AStoreThatIsGoneIsWhatAbortOnSees) {
  RedisServer server;
  Program program(command({"load", server.url(), "--strategy", "token-bucket:burst=10,rate=50",
                           "--rate", "500", "--timeout", "10s", "--duration", "10m", "--verbose",
                           "--abort-on", "errors>50%", "--json", "run.json"}),
                  directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  server.kill();
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(result()["aborted"].string(), testing::StartsWith("errors>50% in second "));
}

TEST_F(LoadOnAStore, APasswordIsInNoReport) {
  const RedisServer server({.password = "secret"});
  const auto outcome =
      hallmark({"load", server.url(), "--strategy", "gcra:burst=10,rate=50", "--rate", "500",
                "--duration", "200ms", "--timeout", "10s", "--json", "run.json"});
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err + read("run.json"), testing::Not(HasSubstr("secret")));
}

TEST_F(LoadOnAStore, WhatIsWrongIsSaidInOneLine) {
  struct {
    Arguments arguments;
    int code;
    Arguments parts;
  } const rows[] = {
      {{"load", "redis://127.0.0.1:1"}, 2, {"needs --strategy"}},
      {{"load", "redis://127.0.0.1:1", "--strategy", "x"}, 2, {"--strategy 'x'", "expected"}},
      {{"load", "redis://127.0.0.1:1", "--strategy", "gcra:burst=1,rate=1", "--mix", "a=1"},
       2,
       {"--mix is not for stores"}},
      {{"load", "tcp://127.0.0.1:1", "--strategy", "gcra:burst=1,rate=1"},
       2,
       {"--strategy is for redis:// and postgres://"}},
  };
  for (const auto& row : rows) {
    const auto outcome = hallmark(row.arguments);
    EXPECT_EQ(outcome.exit_code, row.code) << outcome.err;
    EXPECT_THAT(outcome.err, one_line_with(row.parts));
  }
  const Nobody nobody;
  const auto address = "redis" + nobody.target().substr(3);
  const auto outcome = hallmark({"load", address, "--strategy", "gcra:burst=1,rate=1"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("Connection refused"));
}

}  // namespace
}  // namespace hallmark::e2e
