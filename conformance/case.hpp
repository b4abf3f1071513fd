#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/stage.hpp"
#include "reference/protocol/dialect.hpp"

namespace hallmark::conformance {

/// What a case needs beyond a target that speaks the dialect.
struct Needs {
  bool slow = false;       ///< has to wait out a minute
  bool exclusive = false;  ///< nobody else may use the target meanwhile
};

/// A case that no vector can be: written out, with conditions on times and several connections.
struct BehaviourCase {
  std::string name;  ///< stable; `insert/expires-at-time-point`
  std::string title;
  std::string operation;
  protocol::Level level = protocol::Level::must;
  std::vector<std::string> clauses;
  std::function<void(Stage&)> run;
  Needs needs = {};
};

using BehaviourCases = std::vector<BehaviourCase>;

}  // namespace hallmark::conformance
