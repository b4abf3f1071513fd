#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/engine/danger.hpp"
#include "conformance/engine/stage.hpp"
#include "protocol/dialect.hpp"

namespace hallmark::conformance {

/// The conditions that a case needs beyond its own operation.
struct Needs {
  bool slow = false;       ///< has to wait out a minute
  bool exclusive = false;  ///< nobody else may use the target meanwhile
  bool alone = false;      ///< no other is played meanwhile: it may end the target, or hold it up
  /// Operations that the dialect has to have.
  std::vector<protocol::MessageName> operations = {};
  /// A field that the request of its operation has to have.
  protocol::FieldName field = protocol::FieldName::none();
  /// A unit that the dialect's TTLs have to have.
  std::optional<TtlUnit> unit = {};
  /// Answers that have to be the ones chosen …
  std::vector<Chosen> when = {};
  /// … and those that may not be; a dialect without such a reading is no hindrance.
  std::vector<Chosen> unless = {};
  /// Readings that it rests on beside those and beside those whose clauses it cites.
  std::vector<protocol::ReadingName> readings = {};
  /// The case that tests an ability without which this one shows nothing; empty: there is none.
  std::string tested_by = {};
};

/// A case that no vector can be: written out, with conditions on times and several connections.
struct BehaviourCase {
  std::string name;  ///< stable; `insert/expires-at-time-point`
  std::string title;
  protocol::MessageName operation;
  protocol::Level level = protocol::Level::must;
  /// Ids of clauses of any dialect; for a dialect, those that it lacks are dropped.
  std::vector<std::string> clauses;
  std::function<void(Stage&)> run;
  Needs needs = {};
  Danger danger = Danger::documented;
};

using BehaviourCases = std::vector<BehaviourCase>;

}  // namespace hallmark::conformance
