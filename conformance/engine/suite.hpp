#pragma once

#include <map>
#include <memory>
#include <set>

#include "base/expected.hpp"
#include "conformance/drivers/stream/vector_player.hpp"
#include "conformance/engine/case.hpp"

namespace hallmark::conformance {

/// One case as it appears in reports.
struct CaseEntry {
  std::string id;  ///< stable, never positional
  std::string title;
  std::string operation;
  protocol::Level level = protocol::Level::must;
  std::vector<std::string> clauses;
  Delivery delivery = Delivery::whole;  ///< the delivery of a vector
  Danger danger = Danger::documented;
};

/// Cases that are played one after the other: the deliveries of a vector, or one behaviour.
struct Unit {
  std::vector<CaseEntry> cases;
  std::shared_ptr<const vectors::Vector> vector;  ///< null for a behaviour
  std::function<void(Stage&)> run;                ///< plays a behaviour
  std::string name;                               ///< part of the keys of a behaviour
  Needs needs;
  bool empty = false;  ///< the target may hold no record
  /// Keys and channels; units that share one never run at the same time.
  std::vector<std::string> resources;
  /// Readings whose answers decide what is expected, or whether there are such cases at all.
  std::set<std::string> rests_on;

  Danger danger() const { return cases.front().danger; }
};

using Suite = std::vector<Unit>;

std::size_t cases_in(const Suite& suite);

/// The readings that any of the units rests on.
std::set<std::string> readings_of(const Suite& suite);

/// The units in the order of their danger, and otherwise in theirs.
Suite in_order_of_danger(Suite suite);

/// The danger of a vector: the greatest of its requests and of the readings that it rests on.
Danger danger_of(const vectors::Vector& vector, Danger (*danger_of_reading)(std::string_view));

/// The suite made from vector files that suit a target, and the number of scenarios left out.
struct VectorSuite {
  Suite suite;
  /// The number of scenarios that are right under other answers only, by the answer that they need
  /// first (conformance/drivers/stream/variants.hpp).
  std::map<std::string, std::size_t> left_out;
};

/// The units of vector files of both profiles, in their order: no scenario twice.
VectorSuite suite_of_vectors(const std::vector<vectors::VectorFile>& files,
                             const WireFormat& format);

/// A unit of every vector, whichever answers it needs: to learn what the vectors rest on.
Suite suite_of_all_vectors(const std::vector<vectors::VectorFile>& files, const WireFormat& format);

/// `prefix` is the start of the ids: `throttr-7.1/u16`.
Suite suite_of_behaviours(const BehaviourCases& cases, const std::string& prefix);

/// The choice of cases; an empty list chooses everything, and excludes nothing.
struct Filter {
  std::vector<std::string> ids;            ///< globs
  std::vector<std::string> operations;     ///< names, in any case of letters
  std::vector<std::string> levels;         ///< MUST, SHOULD, MAY, in any case of letters
  std::vector<std::string> clauses;        ///< globs
  std::vector<std::string> excluded = {};  ///< globs of ids; outrank what the others choose
};

/// True if the filter chooses all cases.
bool is_whole(const Filter& filter);

/// The cases that all parts of the filter choose, without those that are excluded.
/// Errors: one line for the first value that matches nothing, and what is allowed there.
base::Expected<Suite, std::string> chosen(Suite suite, const Filter& filter);

/// The same of cases that are not units; each has an `entry`.
template <class Case>
base::Expected<std::vector<Case>, std::string> chosen(std::vector<Case> cases,
                                                      const Filter& filter) {
  Suite suite;
  for (const Case& one : cases) suite.emplace_back().cases.push_back(one.entry);
  const auto kept = chosen(std::move(suite), filter);
  if (!kept) return kept.error();
  std::set<std::string> ids;
  for (const Unit& unit : *kept) ids.insert(unit.cases.front().id);
  std::erase_if(cases, [&](const Case& one) { return !ids.contains(one.entry.id); });
  return cases;
}

}  // namespace hallmark::conformance
