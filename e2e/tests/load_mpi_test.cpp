#include <signal.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/read_file.hpp"
#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"
#include "stores/tests/support/redis_server.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

/// Several ranks on this machine, joined by Open MPI over memory; its daemons talk over loopback.
class LoadMpi : public EndToEnd {
 protected:
  void SetUp() override {
    if (places::mpi_program().empty()) GTEST_SKIP() << "built without MPI";
  }

  static Arguments with_ranks(int ranks, const Arguments& arguments) {
    // A terminal that has colours: nobody prints them into what is no terminal.
    Arguments command{"env",
                      "-u",
                      "NO_COLOR",
                      "TERM=xterm",
                      "OMPI_ALLOW_RUN_AS_ROOT=1",
                      "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                      places::mpi_launcher(),
                      "--oversubscribe",
                      "--mca",
                      "btl",
                      "self,vader",
                      "--mca",
                      "oob_tcp_if_include",
                      "lo",
                      "-n",
                      std::to_string(ranks),
                      places::mpi_program()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
  }

  Outcome ranks(int count, const Arguments& arguments) {
    return run(with_ranks(count, arguments), directory_.string());
  }

  /// A run of a minute, whose rank 0 says a line each second.
  static Arguments three_ranks(const Server& server) {
    return with_ranks(
        3, {"load", server.target(), "--width", "u16", "--dialect", "throttr-7.1", "--rate", "500",
            "--connections", "6", "--duration", "60s", "--verbose", "--json", "run.json"});
  }

  Json result() { return parsed(read("run.json")); }
};

/// The process that is a rank of the programs that run in `directory`, not its keeper.
std::optional<pid_t> process_of(int rank, const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc", gone)) {
    if (fs::read_symlink(entry.path() / "cwd", gone) != fs::canonical(directory)) continue;
    // It cannot be read once the process has ended.
    const auto environment =
        base::read_file(entry.path() / "environ", base::mebibyte, "an environment");
    const std::string all = environment ? *environment : "";
    const std::string wanted = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
    if (all.find(wanted) == std::string::npos) continue;
    if (all.find("HALLMARK_MPI_KEPT=") == std::string::npos) continue;
    return std::stoi(entry.path().filename().string());
  }
  return std::nullopt;
}

TEST_F(LoadMpi, FourRanksCountWhatOneProcessOfFourThreadsCounts) {
  Server server("u16", directory_.string());
  const Arguments load{
      "load",   server.target(), "--width", "u16",        "--dialect", "throttr-7.1", "--rate",
      "1k",     "--connections", "8",       "--duration", "2s",        "--seed",      "7",
      "--json", "run.json"};
  const auto together = ranks(4, load);
  ASSERT_THAT(together.exit_code, answered) << together.out << together.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  const Json of_ranks = result();
  ASSERT_EQ(of_ranks["ranks"].size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(of_ranks["ranks"][i]["rank"], i);
    EXPECT_EQ(of_ranks["ranks"][i]["counts"]["completed"], 500);
  }
  Arguments threads = load;
  threads.insert(threads.end(), {"--threads", "4"});
  const auto alone = hallmark(threads);
  ASSERT_THAT(alone.exit_code, answered) << alone.out << alone.err;
  const Json of_process = result();
  EXPECT_EQ(of_ranks["counts"], of_process["counts"]);
  EXPECT_EQ(of_ranks["counts"]["completed"], 2000);
  EXPECT_EQ(of_ranks["rate_asked"], of_process["rate_asked"]);
  EXPECT_EQ(of_ranks["bytes_out"], of_process["bytes_out"]);
  ASSERT_EQ(of_ranks["operations"].size(), of_process["operations"].size());
  for (std::size_t i = 0; i < of_ranks["operations"].size(); ++i) {
    const Json& one = of_ranks["operations"][i];
    EXPECT_EQ(one["counts"], of_process["operations"][i]["counts"]) << one["operation"];
    EXPECT_EQ(one["corrected"]["quantiles_ns"]["count"], one["counts"]["completed"])
        << one["operation"];
  }
  ASSERT_EQ(of_ranks["series"].size(), of_process["series"].size());
  EXPECT_EQ(of_ranks["client"]["threads"].size(), 4U);
  EXPECT_THAT(together.out, HasSubstr("4 ranks began within"));
  EXPECT_THAT(together.out, Not(HasSubstr("\x1b")));
}

TEST_F(LoadMpi, RecordsAreJudgedByWhatAllRanksWereTold) {
  const Arguments load{
      "--dialect", "throttr-7.1", "--width",  "u16",       "--mix", "query=1,increase=1",
      "--keys",    "100",         "--closed", "--depth",   "4",     "--connections",
      "8",         "--duration",  "1s",       "--timeout", "10s",   "--json",
      "run.json"};
  const auto run = [&](const Arguments& options) {
    Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"}, options);
    Arguments arguments{"load", server.target()};
    arguments.insert(arguments.end(), load.begin(), load.end());
    return ranks(2, arguments);
  };
  const auto right = run({"--threads", "2"});
  EXPECT_THAT(right.exit_code, answered) << right.out << right.err;
  EXPECT_EQ(result()["records"]["violated"], 0) << right.out;
  // Each counter is what all ranks together made of it.
  EXPECT_EQ(result()["records"]["counters"], 100);
  EXPECT_EQ(result()["records"]["counters_wrong"], 0) << right.out;
  EXPECT_GT(result()["records"]["requests"], 100);
  const auto wrong = run({"--threads", "2", "--mutant", "race.update-lost"});
  EXPECT_EQ(wrong.exit_code, 1) << wrong.out << wrong.err;
  EXPECT_GT(result()["records"]["violated"], 0);
}

TEST_F(LoadMpi, ARankThatIsKilledIsNamedAndLeavesTheResultsOfTheOthers) {
  Server server("u16", directory_.string());
  Program program(three_ranks(server), directory_.string());
  // Rank 0 has the first second of all.
  ASSERT_TRUE(program.wait_for_err_lines(1));
  const auto victim = process_of(1, directory_.string());
  ASSERT_TRUE(victim);
  kill(*victim, SIGKILL);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("rank 1 was killed by signal 9"));
  EXPECT_THAT(outcome.out, HasSubstr("rank 1 ("));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_THAT(result()["run_error"].string(), HasSubstr(") died "));
  EXPECT_GE(result()["counts"]["completed"].natural(), 500U);
}

TEST_F(LoadMpi, TheDeathOfRank0LeavesTheSharesOfTheOthers) {
  Server server("u16", directory_.string());
  Program program(three_ranks(server), directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  const auto root = process_of(0, directory_.string());
  ASSERT_TRUE(root);
  kill(*root, SIGKILL);
  const auto outcome = program.wait();
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("rank 0 was killed by signal 9"));
  for (int rank = 1; rank < 3; ++rank) {
    // The launcher may go before the last of them.
    for (const auto until = std::chrono::steady_clock::now() + Program::patience;
         process_of(rank, directory_.string()) && std::chrono::steady_clock::now() < until;)
      std::this_thread::yield();
    const std::string share = "run.json.rank" + std::to_string(rank);
    EXPECT_EQ(violations("load.schema.json", share), "") << share;
    EXPECT_THAT(parsed(read(share))["run_error"].string(), HasSubstr("rank 0 died"));
    EXPECT_GT(parsed(read(share))["counts"]["completed"], 0);
  }
  const auto merged =
      hallmark({"report", "merge", "run.json.rank1", "run.json.rank2", "--json", "both.json"});
  EXPECT_EQ(merged.exit_code, 3) << merged.out << merged.err;
  EXPECT_THAT(parsed(read("both.json"))["inconclusive"].string(),
              testing::StartsWith("1 of 3 shares are missing"));
}

TEST_F(LoadMpi, RanksShareAStore) {
  const stores::test::RedisServer server;
  const auto outcome =
      ranks(2, {"load", server.url(), "--strategy", "token-bucket:burst=10,rate=50", "--rate",
                "500", "--connections", "3", "--duration", "1s", "--keys", "5", "--timeout", "10s",
                "--json", "run.json"});
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_EQ(result()["counts"]["completed"], 500) << outcome.out;
  const Json store = result()["store"];
  EXPECT_EQ(store["counts"]["allowed"].natural() + store["counts"]["denied"].natural(), 500U);
  EXPECT_EQ(store["admissions"]["exceeded"], 0) << outcome.out;
  EXPECT_EQ(server.run({"DBSIZE"}), "0");
}

TEST_F(LoadMpi, RanksShareATargetOfDatagrams) {
  write("limits.rules", "22/20 strict stats \"ws ip=*\"\n");
  const Server server("", directory_.string(), {"udp://127.0.0.1:0"},
                      {"--dialect", "ratelimit-udp", "--rules", path("limits.rules")});
  const auto outcome = ranks(2, {"load",          server.target(),
                                 "--dialect",     "ratelimit-udp",
                                 "--rate",        "1k",
                                 "--connections", "4",
                                 "--threads",     "2",
                                 "--duration",    "1s",
                                 "--timeout",     "20s",
                                 "--keys",        "50",
                                 "--rules",       path("limits.rules"),
                                 "--reading",     "over-when=at-limit",
                                 "--json",        "run.json"});
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  const Json datagram = result()["datagram"];
  EXPECT_EQ(datagram["counts"]["received"], 1000) << outcome.out;
  EXPECT_EQ(datagram["limits"]["findings"], Json::array()) << outcome.out;
  EXPECT_EQ(datagram["limits"]["uses"], 1000);
  // Each key is used by one rank, which compares its count with the target's.
  EXPECT_EQ(datagram["server"]["keys"], 50);
  EXPECT_EQ(datagram["server"]["n_req"], 1000);
  EXPECT_EQ(datagram["server"]["disagreeing"], 0) << outcome.out;
}

TEST_F(LoadMpi, AnInterruptedRankEndsAllWithWhatWasMeasured) {
  Server server("u16", directory_.string());
  Program program(with_ranks(2, {"load", server.target(), "--width", "u16", "--dialect",
                                 "throttr-7.1", "--rate", "500", "--connections", "6", "--duration",
                                 "60s", "--verbose", "--json", "run.json"}),
                  directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  const auto rank = process_of(1, directory_.string());
  ASSERT_TRUE(rank);
  kill(*rank, SIGINT);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out << outcome.err;
  EXPECT_GE(result()["counts"]["completed"].natural(), 500U);
}

TEST_F(LoadMpi, WhatKeepsARankFromStartingIsOneLine) {
  const Nobody nobody;
  struct Row {
    std::string name;
    Arguments arguments;
    int exit_code;
    std::string says;
    std::string target = {};  ///< empty: nobody listens there
  };
  const Row rows[] = {
      {"a name that nobody has",
       {"--connections", "2"},
       3,
       "nobody.invalid:9000: cannot resolve: ",
       "tcp://nobody.invalid:9000"},
      {"a rate that is none", {"--rate", "5x"}, 2, "hallmark load: --rate 5x"},
      {"too few connections", {"--connections", "1"}, 2, "--connections 1 for 2 ranks"},
      {"clocks", {"--start-slack", "1ns"}, 2, "the clock of rank 1 ("},
      {"nobody there", {"--connections", "2"}, 3, "cannot connect"},
      {"a search",
       {"--search", "p99<1ms"},
       2,
       "--search is for one process: several ranks make one run. Search with `hallmark load`"},
      {"several runs", {"--repeat", "2"}, 2, "add up with `hallmark report merge`"},
      {"two targets", {"--versus", "tcp://127.0.0.1:1"}, 2, "use `hallmark report compare`"},
      {"subscribers",
       {"--connections", "2", "--subscribers", "1", "--mix", "publish=1"},
       2,
       "--subscribers is for one process"},
  };
  for (const Row& row : rows) {
    Arguments arguments{"load",      row.target.empty() ? nobody.target() : row.target,
                        "--dialect", "throttr-7.1",
                        "--width",   "u16"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    const auto outcome = ranks(2, arguments);
    EXPECT_EQ(outcome.exit_code, row.exit_code) << row.name;
    const std::string all = outcome.out + outcome.err;
    EXPECT_THAT(all, HasSubstr(row.says)) << row.name;
    EXPECT_EQ(all.find(row.says), all.rfind(row.says)) << row.name << ": said once, by rank 0";
  }
}

TEST_F(LoadMpi, RanksWithOtherOptionsAreRefused) {
  const Nobody nobody;
  Arguments arguments{"load",      nobody.target(),
                      "--dialect", "throttr-7.1",
                      "--width",   "u16",
                      "--rate",    "1k",
                      ":",         "-n",
                      "1",         places::mpi_program()};
  arguments.insert(arguments.end(), {"load", nobody.target(), "--dialect", "throttr-7.1", "--width",
                                     "u16", "--rate", "2k"});
  const auto outcome = ranks(1, arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("was given --rate 2k instead of --rate 1k"));
}

TEST_F(LoadMpi, HelpIsPrintedOnce) {
  const auto outcome = ranks(2, {"load", "--help"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("--start-slack"));
  EXPECT_EQ(outcome.out.find("--start-slack"), outcome.out.rfind("--start-slack"));
}

}  // namespace
}  // namespace hallmark::e2e
