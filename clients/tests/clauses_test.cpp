#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "clients/judge/judge.hpp"
#include "clients/judge/request_judge.hpp"
#include "clients/tests/client_fixture.hpp"
#include "protocol/about_clients.hpp"

namespace hallmark::clients::testing {
namespace {

std::vector<const protocol::Dialect*> spoken_dialects() {
  std::vector<const protocol::Dialect*> all;
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    if (dialect->transport != protocol::Transport::at_rest) all.push_back(dialect);
  }
  return all;
}

TEST(ClientClauses, AreEachJudgedBySomething) {
  for (const protocol::Dialect* const dialect : spoken_dialects()) {
    const Format format = format_of(*dialect, dialect->widths.front());
    std::size_t about = 0;
    for (const protocol::Clause& clause : dialect->clauses) {
      if (!protocol::about_clients(clause)) continue;
      ++about;
      EXPECT_FALSE(judges_of(format, clause.id).empty()) << dialect->name << " " << clause.id;
    }
    EXPECT_GT(about, 5U) << dialect->name;
  }
}

TEST(ClientClauses, ThatPerturbationsAndRequestsCiteExist) {
  std::set<std::string_view> known;
  for (const protocol::Dialect* const dialect : spoken_dialects()) {
    const Format format = format_of(*dialect, dialect->widths.front());
    for (const Perturbation& one : catalogue(format)) {
      if (one.clause.empty()) continue;
      const auto* const clause = protocol::find_clause(*dialect, one.clause);
      ASSERT_NE(clause, nullptr) << one.id;
      EXPECT_TRUE(protocol::about_clients(*clause)) << one.id;
    }
    for (const protocol::Clause& clause : dialect->clauses) known.insert(clause.id);
  }
  for (const std::string_view clause : RequestJudge::clauses())
    EXPECT_TRUE(known.contains(clause)) << clause;
}

PerturbationResult result_of(const char* id, const char* clause, Verdict verdict) {
  PerturbationResult one;
  one.id = id;
  one.clause = clause;
  one.verdict = verdict;
  one.reason = "as it was";
  return one;
}

TEST(ClientClauses, FollowFromPerturbations) {
  const Format format = usual_format();
  Coverage met;
  met["QUERY"].requests = 1;
  const auto clauses =
      judge_clauses(format, met, {{{"client.width", 1, 2, "too wide"}, "baseline"}},
                    {result_of("a", "client.framing", Verdict::passed),
                     result_of("b", "client.framing", Verdict::fails),
                     result_of("c", "client.unlisted", Verdict::passed),
                     result_of("d", "client.endings", Verdict::not_judged),
                     result_of("e", "client.assumptions", Verdict::not_judged)});
  const auto verdict = [&](std::string_view id) {
    return std::ranges::find(clauses, id, &ClauseResult::id)->verdict;
  };
  EXPECT_EQ(verdict("client.framing"), ClauseVerdict::broken);
  EXPECT_EQ(verdict("client.unlisted"), ClauseVerdict::kept);
  EXPECT_EQ(verdict("client.endings"), ClauseVerdict::kept);
  EXPECT_EQ(verdict("client.silence"), ClauseVerdict::not_met);
  EXPECT_EQ(verdict("client.assumptions"), ClauseVerdict::kept);
  EXPECT_EQ(verdict("client.width"), ClauseVerdict::broken);
  EXPECT_EQ(verdict("client.operations"), ClauseVerdict::kept);
}

/// The end of a run, and the verdict that it should get.
struct Judged {
  const char* name;
  Demand demand;
  CommandEnd end;
  std::uint64_t met;
  Verdict verdict;
};

CommandEnd exited(int code) {
  CommandEnd end;
  end.exit_code = code;
  return end;
}
CommandEnd hung() {
  CommandEnd end;
  end.timed_out = true;
  return end;
}
CommandEnd died() {
  CommandEnd end;
  end.signal = 11;
  return end;
}

TEST(Judge, DecidesByDemandAndEnd) {
  const Judged rows[] = {
      {"legal, passes", Demand::passes, exited(0), 1, Verdict::passed},
      {"legal, fails", Demand::passes, exited(1), 1, Verdict::fails},
      {"legal, hangs", Demand::passes, hung(), 1, Verdict::fails},
      {"legal, never met", Demand::passes, exited(0), 0, Verdict::not_met},
      {"other expectations, passes", Demand::ends, exited(0), 1, Verdict::passed},
      {"other expectations, fails", Demand::ends, exited(1), 1, Verdict::not_judged},
      {"other expectations, hangs", Demand::ends, hung(), 1, Verdict::fails},
      {"other expectations, dies", Demand::ends, died(), 1, Verdict::fails},
      {"wrong, noticed", Demand::notices, exited(1), 1, Verdict::passed},
      {"wrong, accepted", Demand::notices, exited(0), 1, Verdict::fails},
      {"wrong, never met", Demand::notices, exited(0), 0, Verdict::not_met},
      {"wrong, dies", Demand::notices, died(), 1, Verdict::fails},
      {"wrong, hangs", Demand::notices, hung(), 1, Verdict::fails},
  };
  for (const Judged& row : rows) {
    Perturbation perturbation;
    perturbation.demand = row.demand;
    Observed observed;
    observed.connections = 1;
    observed.changed = observed.met = row.met;
    const auto judged = judge(perturbation, row.end, observed, std::chrono::seconds(5));
    EXPECT_EQ(judged.verdict, row.verdict) << row.name;
    EXPECT_FALSE(judged.reason.empty()) << row.name;
  }
}

}  // namespace
}  // namespace hallmark::clients::testing
