#include "reference/faults/catalogue.hpp"

#include <gmock/gmock.h>

#include <set>

#include "protocol/about_clients.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::faults {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const protocol::Dialect* dialect_named(std::string_view name) {
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    if (dialect->name == name) return dialect;
  }
  return nullptr;
}

/// The clauses; one that its dialect does not have fails the test.
std::vector<const protocol::Clause*> clauses_of(const Violation& violation) {
  std::vector<const protocol::Clause*> found;
  const protocol::Dialect* const dialect = dialect_named(violation.dialect);
  for (const std::string_view id : violation.clauses) {
    const auto* const clause = dialect == nullptr ? nullptr : protocol::find_clause(*dialect, id);
    EXPECT_NE(clause, nullptr) << violation.dialect << " has no clause " << id;
    if (clause != nullptr) found.push_back(clause);
  }
  return found;
}

TEST(Catalogue, BugsHaveNamesOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Bug& bug : all_bugs()) EXPECT_TRUE(ids.insert(bug.id).second) << bug.id;
  EXPECT_GE(ids.size(), 280U);
}

TEST(Catalogue, BugsViolateClausesOfTheirDialects) {
  for (const Bug& bug : all_bugs()) {
    EXPECT_FALSE(bug.violates.empty()) << bug.id;
    for (const Violation& violation : bug.violates)
      EXPECT_FALSE(clauses_of(violation).empty()) << bug.id;
  }
}

/// A clause that dialects share is violated once for all of them. A server cannot violate what
/// obliges clients: those clauses have bugs of a client.
TEST(Catalogue, EveryMustIsViolated) {
  std::set<std::pair<std::string_view, std::string_view>> violated;
  for (const Bug& bug : all_bugs()) {
    for (const Violation& violation : bug.violates) {
      for (const protocol::Clause* const clause : clauses_of(violation))
        violated.emplace(clause->id, clause->text);
    }
  }
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    for (const protocol::Clause& clause : dialect->clauses) {
      if (clause.level != protocol::Level::must || about_clients(clause)) continue;
      EXPECT_TRUE(violated.contains({clause.id, clause.text}))
          << dialect->name << " " << clause.id << ": " << clause.text;
    }
  }
}

/// Nobody else could be excluded by it.
TEST(Catalogue, WhatABugSettlesAnotherOneSettlesToo) {
  std::map<std::string_view, int> settled;
  for (const Bug& bug : all_bugs()) ++settled[bug.settles];
  for (const auto& [what, times] : settled) EXPECT_GT(times, 1) << what;
}

TEST(Catalogue, SeveralBugsAreChosenInItsOrder) {
  const auto one = choose({"query.consumes", "purge.keeps"});
  const auto other = choose({"purge.keeps", "query.consumes"});
  ASSERT_TRUE(one && other);
  EXPECT_EQ(*one, *other);
  EXPECT_EQ(one->size(), 2U);
  EXPECT_TRUE(choose({})->empty());
}

TEST(Catalogue, ABugOfNoNameIsRefused) {
  EXPECT_THAT(choose({"purge.keeps", "no.such"}).error().message,
              AllOf(HasSubstr("unknown mutant 'no.such'"), HasSubstr("--list-mutants")));
}

TEST(Catalogue, ABugThatIsNamedTwiceIsRefused) {
  EXPECT_THAT(choose({"purge.keeps", "purge.keeps"}).error().message,
              HasSubstr("--mutant purge.keeps is given twice"));
}

TEST(Catalogue, BugsThatSettleTheSameExcludeEachOther) {
  EXPECT_EQ(
      choose({"query.consumes", "purge.keeps", "purge.all"}).error().message,
      "--mutant purge.keeps and --mutant purge.all exclude each other: both settle what PURGE "
      "removes; give one of them");
}

TEST(Catalogue, BugsOfDifferentTransportsExcludeEachOther) {
  EXPECT_THAT(choose({"purge.keeps", "over.inverted"}).error().message,
              AllOf(HasSubstr("purge.keeps is a bug of throttr-7.1"),
                    HasSubstr("over.inverted one of ratelimit-udp")));
}

TEST(Catalogue, ABugMayBeOfSeveralDialectsOfOneTransport) {
  EXPECT_TRUE(choose({"channels.own-missing", "purge.keeps", "reply.id-missing"}));
}

}  // namespace
}  // namespace hallmark::faults
