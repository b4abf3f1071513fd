#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;
using testing::Not;

class Mutants : public EndToEnd {};

/// The most bugs that one of the references has which `mutants` has started and which run now.
std::size_t bugs_served_by(pid_t mutants) {
  const std::string reference = fmt::format("/proc/{}/exe", mutants);
  std::size_t most = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream words(entry.path() / "cmdline");
    std::string word;
    if (!std::getline(words, word, '\0') || word != reference) continue;
    std::size_t bugs = 0;
    while (std::getline(words, word, '\0')) {
      if (word == "--mutant") ++bugs;
    }
    most = std::max(most, bugs);
  }
  return most;
}

/// Waits, for so long as a test may take, until the reference is served with so many bugs at a
/// time.
bool wait_for_bugs(pid_t mutants, std::size_t least, std::size_t most = 100) {
  const auto until = std::chrono::steady_clock::now() + Program::patience;
  while (std::chrono::steady_clock::now() < until) {
    const std::size_t bugs = bugs_served_by(mutants);
    if (bugs >= least && bugs <= most) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST_F(Mutants, AreFoundInEveryKindOfDialect) {
  const auto outcome =
      hallmark({"mutants", "run", "--filter", "reply.query-missing-padded", "--filter",
                "over.inverted", "--filter", "denied.writes", "--filter", "codes.shifted", "--json",
                "kills.json", "--page", "mutants.md"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("COMPLETE  6 of 6 mutants killed"));
  EXPECT_EQ(violations("../../reports/schema/kill-matrix.schema.json", "kills.json"), "");
  const Json kills = parsed(read("kills.json"));
  for (const Json& mutant : kills["mutants"].items()) {
    EXPECT_FALSE(mutant["killed_by"].empty()) << mutant["id"];
    EXPECT_TRUE(mutant["not_proved"].empty()) << mutant["id"];
  }
  EXPECT_THAT(read("mutants.md"), HasSubstr("| over.inverted | "));
}

TEST_F(Mutants, AreServedByTheProgramThatRunsEvenIfItsFileIsGone) {
  const auto outcome =
      run({"/bin/sh", "-c",
           "cp '" + places::program() +
               "' copy && exec 9< copy && rm copy && exec /proc/self/fd/9 mutants run "
               "--quick --filter over.inverted"},
          directory_.string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("COMPLETE  1 of 1 mutant killed"));
}

TEST_F(Mutants, AreFoundByTheCasesThatCiteWhatTheyViolate) {
  const auto outcome = hallmark(
      {"mutants", "run", "--quick", "--filter", "over.inverted", "--filter", "get.reads-counters"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("COMPLETE  "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("no mutant")));
}

TEST_F(Mutants, ThatAnInterruptionLeavesAreNotJudged) {
  Program mutants(command({"mutants", "run", "--filter", "over.*", "--filter", "get.*", "--jobs",
                           "1", "--json", "kills.json", "--page", "mutants.md"}),
                  directory_.string());
  EXPECT_TRUE(wait_for_bugs(mutants.id(), 1));
  mutants.send_signal(SIGINT);
  const Outcome outcome = mutants.wait();
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::MatchesRegex("INCOMPLETE  [0-9]+ of [0-9]+ mutants killed in .*; "
                                    "interrupted\n"));
  EXPECT_EQ(violations("../../reports/schema/kill-matrix.schema.json", "kills.json"), "");
  const Json kills = parsed(read("kills.json"));
  EXPECT_TRUE(kills["interrupted"].boolean());
  for (const Json& mutant : kills["mutants"].items())
    EXPECT_FALSE(mutant["killed_by"].empty()) << mutant["id"];
  EXPECT_GT(kills["not_run"].size(), 1U);
  EXPECT_THAT(read("mutants.md"), HasSubstr("The run was interrupted: this page is not complete."));
}

TEST_F(Mutants, HaveNoMatrixOfAQuickRun) {
  const auto outcome = hallmark({"mutants", "run", "--quick", "--json", "kills.json"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--json excludes --quick"));
}

TEST_F(Mutants, OfNoNameAreRefused) {
  const auto run = hallmark({"mutants", "run", "--filter", "no.such"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("no mutant matches no.such"));
  const auto serve = hallmark({"serve", "--mutant", "no.such"});
  EXPECT_EQ(serve.exit_code, 2);
  EXPECT_THAT(serve.err, HasSubstr("unknown mutant 'no.such'"));
  EXPECT_THAT(hallmark({"serve", "--list-mutants"}).out, HasSubstr("purge.keeps"));
}

TEST_F(Mutants, TwoAtOnceEachShow) {
  const Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"},
                      {"--mutant", "purge.keeps", "--mutant", "get.reads-counters"});
  const auto outcome =
      hallmark({"certify", server.target(), "--width", "u16", "--profile", "deployed", "--filter",
                "throttr-7.1/u16/purge/counter", "--filter", "throttr-7.1/u16/get/counter",
                "--filter", "throttr-7.1/u16/set/typical", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  std::map<std::string, std::string> verdicts;
  const Json run = parsed(read("run.json"));
  for (const Json& one : run["cases"].items())
    verdicts[one["id"].string()] = one["verdict"].string();
  EXPECT_EQ(verdicts["throttr-7.1/u16/purge/counter"], "fail");
  EXPECT_EQ(verdicts["throttr-7.1/u16/get/counter"], "fail");
  EXPECT_EQ(verdicts["throttr-7.1/u16/set/typical"], "pass");
}

TEST_F(Mutants, ThatExcludeEachOtherAreRefusedWithBothNames) {
  const auto serve = hallmark({"serve", "--mutant", "purge.keeps", "--mutant", "purge.all"});
  EXPECT_EQ(serve.exit_code, 2);
  EXPECT_EQ(serve.err,
            "hallmark serve: --mutant purge.keeps and --mutant purge.all exclude each other: both "
            "settle what PURGE removes; give one of them\n");
}

class MutantsOfWholeProcesses : public Mutants, public testing::WithParamInterface<const char*> {};

TEST_P(MutantsOfWholeProcesses, AreFound) {
  const auto outcome = hallmark({"mutants", "run", "--filter", GetParam()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("COMPLETE  1 of 1 mutant killed"));
}

INSTANTIATE_TEST_SUITE_P(, MutantsOfWholeProcesses,
                         testing::Values("death.of-empty-key", "race.threads-crash"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

class Localize : public EndToEnd {};

std::vector<std::string> strings_of(const Json& list) {
  std::vector<std::string> strings;
  for (const Json& item : list.items()) strings.push_back(item.string());
  return strings;
}

TEST_F(Localize, CertifiesSetsOfBugsAndMatchesFindings) {
  const auto outcome = hallmark({"mutants", "localize", "--sets", "2", "--seed", "5", "--most", "3",
                                 "--dialect", "ratelimit-*", "--json", "sets.json"});
  EXPECT_THAT(outcome.out, HasSubstr("LOCALIZED  2 of 2 sets in ")) << outcome.err;
  EXPECT_EQ(violations("../../reports/schema/localization.schema.json", "sets.json"), "");
  const Json all = parsed(read("sets.json"));
  EXPECT_EQ(outcome.exit_code, all["good"].boolean() ? 0 : 1);
  ASSERT_EQ(all["sets"].size(), 2U);
  for (const Json& set : all["sets"].items()) {
    const auto bugs = strings_of(set["bugs"]);
    EXPECT_THAT(bugs.size(), testing::AllOf(testing::Ge(1U), testing::Le(3U)));
    for (const Json& missed : set["missed"].items())
      EXPECT_THAT(bugs, testing::Contains(missed["bug"].string()));
    const auto failed =
        std::ranges::count(set["verdicts"].members(), Json("fail"), &Json::Member::value);
    EXPECT_GT(failed, 0) << set["seed"].natural();
  }
}

TEST_F(Localize, DrawsASetAgainFromItsSeedAndTheKillsOfTheFirstRun) {
  const Arguments first{"mutants", "localize",  "--sets",        "1",      "--seed",  "5", "--most",
                        "2",       "--dialect", "ratelimit-udp", "--json", "one.json"};
  hallmark(first);
  hallmark({"mutants", "localize", "--sets", "1", "--seed", "5", "--most", "2", "--dialect",
            "ratelimit-udp", "--matrix", "one.json", "--repeat", "2", "--json", "again.json"});
  const Json one = parsed(read("one.json"));
  const Json again = parsed(read("again.json"));
  EXPECT_EQ(again["sets"][0]["bugs"], one["sets"][0]["bugs"]);
  EXPECT_EQ(again["mutants"], one["mutants"]) << "no bug was certified alone again";
  EXPECT_EQ(again["sets"][0]["runs"].natural(), 2U);
}

TEST_F(Localize, JudgesNoSetWhoseBugsItWasNotLeftToPlayAlone) {
  Program localize(command({"mutants", "localize", "--sets", "1", "--seed", "2", "--most", "2",
                            "--dialect", "ratelimit-state", "--json", "cut.json"}),
                   directory_.string());
  EXPECT_TRUE(wait_for_bugs(localize.id(), 2)) << "the set is not certified";
  EXPECT_TRUE(wait_for_bugs(localize.id(), 1, 1)) << "its bugs are not played alone";
  localize.send_signal(SIGINT);
  const Outcome outcome = localize.wait();
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("LOCALIZED  0 of 1 set in "));
  EXPECT_EQ(parsed(read("cut.json"))["sets"].size(), 0U);
}

TEST_F(Localize, DrawsOnlyBugsThatAMatrixHas) {
  write("kills.json", R"({"mutants": [
    {"id": "id.of-16-bits", "dialect": "ratelimit-udp", "width": "none",
     "killed_by": ["ratelimit-udp/get_size/id-beyond-64-bits"]}]})");
  const auto outcome = hallmark({"mutants", "localize", "--sets", "1", "--seed", "5", "--matrix",
                                 "kills.json", "--only-known", "--json", "sets.json"});
  const Json all = parsed(read("sets.json"));
  ASSERT_EQ(all["sets"].size(), 1U) << outcome.err;
  EXPECT_EQ(strings_of(all["sets"][0]["bugs"]), std::vector<std::string>{"id.of-16-bits"});
  EXPECT_EQ(all["mutants"].size(), 1U) << "no bug was certified alone";
}

TEST_F(Localize, RefusesToDrawKnownBugsWithoutAMatrix) {
  const auto outcome = hallmark({"mutants", "localize", "--only-known"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--only-known draws bugs of --matrix files"));
}

TEST_F(Localize, RefusesAChoiceWithoutADialect) {
  const auto outcome = hallmark({"mutants", "localize", "--dialect", "no-such"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no dialect that matches --dialect 'no-such' has a width;"));
}

TEST_F(Localize, RefusesAMatrixThatIsNotOne) {
  write("kills.json", "{}");
  const auto outcome = hallmark({"mutants", "localize", "--matrix", "kills.json"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("hallmark mutants localize: kills.json: "));
}

class Clauses : public EndToEnd {};

TEST_F(Clauses, EveryMustHasACase) {
  const auto outcome = hallmark({"clauses", "--untested", "--json", "clauses.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("TESTED  0 MUSTs without a case, 0 cases without a clause\n"));
  EXPECT_EQ(violations("../../reports/schema/clauses.schema.json", "clauses.json"), "");
  const Json clauses = parsed(read("clauses.json"));
  EXPECT_EQ(clauses["dialects"].size(), 6U);
}

TEST_F(Clauses, AreShownWithTheirCases) {
  const auto outcome = hallmark({"clauses", "ratelimit-udp", "--cases"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("ping.pong"));
  EXPECT_THAT(outcome.out, HasSubstr("ratelimit-udp/ping/no-id"));
  EXPECT_EQ(hallmark({"clauses", "throttr-9"}).exit_code, 2);
}

}  // namespace
}  // namespace hallmark::e2e
