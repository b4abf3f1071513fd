#include <gtest/gtest.h>

#include <set>

#include "cmake/places/places.hpp"
#include "conformance/tests/fixture.hpp"
#include "protocol/about_clients.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::conformance::testing {
namespace {

struct Row {
  const protocol::Dialect* dialect;
  protocol::Width width;
};

std::vector<Row> every_width_of_every_dialect() {
  std::vector<Row> rows;
  for (const protocol::Dialect* const dialect : protocol::throttr_dialects) {
    for (const protocol::Width width : dialect->widths) rows.push_back({dialect, width});
  }
  return rows;
}

class Ledger : public ::testing::TestWithParam<Row> {
 protected:
  const protocol::Dialect& dialect() const { return *GetParam().dialect; }

  Suite suite(protocol::Profile profile = protocol::Profile::deployed) const {
    const WireFormat format(GetParam().width, protocol::Readings(dialect(), profile));
    const auto files =
        vectors::load_directory(places::source("vectors"), dialect().name, GetParam().width);
    EXPECT_TRUE(files) << files.error().message;
    Suite all = files ? suite_of_vectors(*files, format).suite : Suite{};
    for (Unit& unit : suite_of_behaviours(behaviour_cases(format), std::string(dialect().name)))
      all.push_back(std::move(unit));
    return all;
  }

  std::set<std::string> cited(protocol::Profile profile) const {
    std::set<std::string> all;
    for (const Unit& unit : suite(profile)) {
      for (const CaseEntry& entry : unit.cases)
        all.insert(entry.clauses.begin(), entry.clauses.end());
    }
    return all;
  }
};

TEST_P(Ledger, HoldsACaseForEveryMust) {
  for (const auto profile : {protocol::Profile::deployed, protocol::Profile::literal}) {
    const std::set<std::string> all = cited(profile);
    for (const protocol::Clause& clause : dialect().clauses) {
      if (clause.level != protocol::Level::must || about_clients(clause)) continue;
      EXPECT_TRUE(all.contains(std::string(clause.id)))
          << clause.id << " is tested by nothing under the " << protocol::name_of(profile)
          << " profile: " << clause.text;
    }
  }
}

TEST_P(Ledger, LeavesTheClausesOfClientsToOthers) {
  const std::set<std::string> all = cited(protocol::Profile::deployed);
  for (const protocol::Clause& clause : dialect().clauses) {
    if (!about_clients(clause)) continue;
    EXPECT_FALSE(all.contains(std::string(clause.id))) << clause.id;
  }
}

TEST_P(Ledger, HoldsOnlyClausesThatExist) {
  for (const Unit& unit : suite()) {
    for (const CaseEntry& entry : unit.cases) {
      EXPECT_FALSE(entry.clauses.empty()) << entry.id;
      for (const std::string& clause : entry.clauses) {
        EXPECT_NE(protocol::find_clause(dialect(), clause), nullptr)
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

INSTANTIATE_TEST_SUITE_P(Widths, Ledger, ::testing::ValuesIn(every_width_of_every_dialect()),
                         [](const auto& row) {
                           std::string name(row.param.dialect->name);
                           for (char& c : name) c = c == '-' || c == '.' ? '_' : c;
                           return name + "_" + std::string(protocol::name_of(row.param.width));
                         });

}  // namespace
}  // namespace hallmark::conformance::testing
