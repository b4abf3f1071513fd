#include <csignal>
#include <nlohmann/json.hpp>

#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;

/// A busy machine makes a run inconclusive, which is an honest answer and not a failure.
const auto answered = AnyOf(0, 4);

class Load : public EndToEnd {
 protected:
  json result() { return json::parse(read("run.json")); }
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

TEST_F(Load, EveryWidthAndOperation) {
  for (const char* width : {"u8", "u16", "u32", "u64"}) {
    Server server(width, directory_.string());
    const auto outcome =
        hallmark({"load", server.target(), "--width", width, "--closed", "--depth", "4",
                  "--connections", "2", "--duration", "200ms", "--json", "run.json", "--mix",
                  "insert=1,query=1,update=1,purge=1,set=1,get=1,stat=1,info=1,whoami=1"});
    EXPECT_THAT(outcome.exit_code, answered) << width << outcome.out << outcome.err;
    EXPECT_EQ(violations("load.schema.json", "run.json"), "") << width;
    EXPECT_EQ(result()["operations"].size(), 9U) << width;
  }
}

TEST_F(Load, WrongWidthIsSeenInTheReplies) {
  Server server("u16", directory_.string());
  const auto outcome =
      hallmark({"load", server.target(), "--width", "u64", "--rate", "500", "--duration", "500ms",
                "--timeout", "200ms", "--json", "run.json"});
  EXPECT_THAT(outcome.exit_code, AnyOf(1, 3)) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
}

TEST_F(Load, InterruptPrintsAndWritesWhatThereIs) {
  Server server("u16", directory_.string());
  Program program(
      command({"load", server.target(), "--width", "u16", "--rate", "1000", "--duration", "60s",
               "--live", "--json", "run.json", "--hlog", "run.hlog"}),
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
               "--timeout", "200ms", "--live", "--json", "run.json"}),
      directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  server.stop(SIGTERM);
  const auto outcome = program.wait();
  EXPECT_THAT(outcome.exit_code, AnyOf(1, 3)) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_GT(result()["counts"]["failed"].get<int>() + result()["counts"]["shed"].get<int>(), 0);
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
