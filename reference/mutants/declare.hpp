#pragma once

#include <string_view>

namespace hallmark::mutants {

/// Ids of clauses.
struct Clauses {
  std::string_view ids[24];
};

/// A bug that servers really have.
struct Mutant {
  std::string_view id;         ///< stable: what it is about, a point, what is wrong
  std::string_view breaks;     ///< what it does wrong, for people
  std::string_view dialect;    ///< of the server that has it when all mutants are run
  Clauses clauses;             ///< what it violates, in the table of that dialect …
  std::string_view also = {};  ///< … and in that of another one, with which it is run as well
  Clauses clauses_there = {};
  bool slow = false;  ///< only cases find it that wait out a minute
};

}  // namespace hallmark::mutants
