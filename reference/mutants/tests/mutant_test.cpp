#include "reference/mutants/mutant.hpp"

#include <gtest/gtest.h>

#include <set>

#include "reference/protocol/dialects/all.hpp"

namespace hallmark::mutants {
namespace {

const protocol::Dialect* dialect_named(std::string_view name) {
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    if (dialect->name == name) return dialect;
  }
  return nullptr;
}

TEST(Mutants, HaveNamesOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Mutant& mutant : table) EXPECT_TRUE(ids.insert(mutant.id).second) << mutant.id;
  EXPECT_GE(ids.size(), 120U);
}

TEST(Mutants, ViolateClausesOfTheirDialect) {
  for (const Mutant& mutant : table) {
    const protocol::Dialect* const dialect = dialect_named(mutant.dialect);
    ASSERT_NE(dialect, nullptr) << mutant.id;
    EXPECT_FALSE(mutant.clauses.ids[0].empty()) << mutant.id;
    for (const std::string_view clause : mutant.clauses.ids) {
      if (clause.empty()) break;
      EXPECT_NE(protocol::find_clause(*dialect, clause), nullptr) << mutant.id << ": " << clause;
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
