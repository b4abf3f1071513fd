#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "cmake/places/places.hpp"
#include "conformance/drivers/adapter/tests/fake_adapter.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/state_json.hpp"

namespace hallmark::conformance::testing {
namespace {

AdapterCases all_cases() {
  const auto files = vectors::load_state_directory(places::source("vectors"));
  EXPECT_TRUE(files) << files.error().message;
  const WireFormat format(protocol::Width::none, adapter_readings(options_for_adapter().asked));
  AdapterCases cases = cases_without_vectors();
  if (!files) return cases;
  for (AdapterCase& one : adapter_vector_cases(*files, format).cases)
    cases.push_back(std::move(one));
  return cases;
}

/// Clauses of the line protocol are told where it is documented.
std::string line_protocol_document() {
  std::ifstream file(places::source("docs/adapter.md"));
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(AdapterLedger, HoldsACaseForEveryMust) {
  std::set<std::string> cited;
  for (const AdapterCase& one : all_cases())
    cited.insert(one.entry.clauses.begin(), one.entry.clauses.end());
  for (const protocol::Clause& clause : protocol::ratelimit_state.clauses) {
    if (clause.level != protocol::Level::must) continue;
    EXPECT_TRUE(cited.contains(std::string(clause.id)))
        << clause.id << " is tested by nothing: " << clause.text;
  }
}

TEST(AdapterLedger, HoldsOnlyClausesThatExist) {
  const std::string document = line_protocol_document();
  for (const AdapterCase& one : all_cases()) {
    EXPECT_FALSE(one.entry.clauses.empty()) << one.entry.id;
    for (const std::string& clause : one.entry.clauses) {
      const bool exists = clause.starts_with("adapter.")
                              ? document.find("`" + clause + "`") != std::string::npos
                              : protocol::find_clause(protocol::ratelimit_state, clause) != nullptr;
      EXPECT_TRUE(exists) << one.entry.id << " cites " << clause;
    }
  }
}

TEST(AdapterLedger, HoldsEachIdOnce) {
  std::set<std::string> ids;
  for (const AdapterCase& one : all_cases())
    EXPECT_TRUE(ids.insert(one.entry.id).second) << one.entry.id;
}

}  // namespace
}  // namespace hallmark::conformance::testing
