#include <gtest/gtest.h>

#include <set>

#include "conformance/tests/fixture.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::conformance::testing {
namespace {

class Ledger : public ::testing::TestWithParam<protocol::Width> {
 protected:
  Suite suite() const {
    const WireFormat format(GetParam(),
                            protocol::Readings(protocol::throttr_7_1, protocol::Profile::deployed));
    const auto files =
        vectors::load_directory(HALLMARK_SOURCE_DIR "/vectors", "throttr-7.1", GetParam());
    EXPECT_TRUE(files) << files.error().message;
    Suite all = files ? suite_of_vectors(*files, format) : Suite{};
    for (Unit& unit : suite_of_behaviours(behaviour_cases(), "throttr-7.1"))
      all.push_back(std::move(unit));
    return all;
  }
};

TEST_P(Ledger, HoldsACaseForEveryMust) {
  std::set<std::string> cited;
  for (const Unit& unit : suite()) {
    for (const CaseEntry& entry : unit.cases)
      cited.insert(entry.clauses.begin(), entry.clauses.end());
  }
  for (const protocol::Clause& clause : protocol::throttr_7_1.clauses) {
    if (clause.level != protocol::Level::must) continue;
    EXPECT_TRUE(cited.contains(std::string(clause.id)))
        << clause.id << " is tested by nothing: " << clause.text;
  }
}

TEST_P(Ledger, HoldsOnlyClausesThatExist) {
  for (const Unit& unit : suite()) {
    for (const CaseEntry& entry : unit.cases) {
      EXPECT_FALSE(entry.clauses.empty()) << entry.id;
      for (const std::string& clause : entry.clauses) {
        EXPECT_NE(protocol::find_clause(protocol::throttr_7_1, clause), nullptr)
            << entry.id << " cites " << clause;
      }
    }
  }
}

TEST_P(Ledger, HoldsEachIdOnce) {
  std::set<std::string> ids;
  for (const Unit& unit : suite()) {
    for (const CaseEntry& entry : unit.cases) EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, Ledger,
                         ::testing::Values(protocol::Width::u8, protocol::Width::u16,
                                           protocol::Width::u32, protocol::Width::u64),
                         [](const auto& row) { return std::string(protocol::name_of(row.param)); });

}  // namespace
}  // namespace hallmark::conformance::testing
