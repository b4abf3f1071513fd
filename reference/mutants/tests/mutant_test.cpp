#include "reference/mutants/mutant.hpp"

#include <gtest/gtest.h>

#include <set>

#include "reference/protocol/dialects.hpp"

namespace hallmark::mutants {
namespace {

const protocol::Dialect* dialect_named(std::string_view name) {
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    if (dialect->name == name) return dialect;
  }
  return nullptr;
}

/// Clauses of that dialect; one that it does not have fails the test.
std::vector<const protocol::Clause*> violated_by(std::string_view dialect, const Clauses& clauses) {
  std::vector<const protocol::Clause*> found;
  for (const std::string_view id : clauses.ids) {
    if (id.empty()) break;
    const protocol::Dialect* const known = dialect_named(dialect);
    const auto* const clause = known == nullptr ? nullptr : protocol::find_clause(*known, id);
    EXPECT_NE(clause, nullptr) << dialect << " has no clause " << id;
    if (clause != nullptr) found.push_back(clause);
  }
  return found;
}

TEST(Mutants, HaveNamesOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Mutant& mutant : table) EXPECT_TRUE(ids.insert(mutant.id).second) << mutant.id;
  EXPECT_GE(ids.size(), 120U);
}

TEST(Mutants, ViolateClausesOfTheirDialect) {
  for (const Mutant& mutant : table) {
    EXPECT_FALSE(violated_by(mutant.dialect, mutant.clauses).empty()) << mutant.id;
    EXPECT_EQ(violated_by(mutant.also, mutant.clauses_there).empty(), mutant.also.empty())
        << mutant.id;
  }
}

/// A clause that dialects share is violated once for all of them.
TEST(Mutants, ViolateEveryMust) {
  std::set<std::pair<std::string_view, std::string_view>> violated;
  for (const Mutant& mutant : table) {
    for (const protocol::Clause* const clause : violated_by(mutant.dialect, mutant.clauses))
      violated.emplace(clause->id, clause->text);
    for (const protocol::Clause* const clause : violated_by(mutant.also, mutant.clauses_there))
      violated.emplace(clause->id, clause->text);
  }
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    for (const protocol::Clause& clause : dialect->clauses) {
      if (clause.level != protocol::Level::must) continue;
      EXPECT_TRUE(violated.contains({clause.id, clause.text}))
          << dialect->name << " " << clause.id << ": " << clause.text;
    }
  }
}

TEST(Mutants, AreOnOneAtATime) {
  EXPECT_FALSE(any());
  switch_on(find("purge.keeps"));
  EXPECT_TRUE(on("purge.keeps"_mutant));
  EXPECT_FALSE(on("purge.all"_mutant));
  switch_on(nullptr);
  EXPECT_FALSE(any());
  EXPECT_EQ(find("no.such"), nullptr);
}

}  // namespace
}  // namespace hallmark::mutants
