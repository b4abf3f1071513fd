#pragma once

#include <functional>
#include <string_view>
#include <vector>

/// Bugs that servers really have. The reference can be told to have any number of them at once:
/// `hallmark serve --mutant ID --mutant ID`. They prove that `certify` finds what it says it tests.
namespace hallmark::faults {

struct Faults;

/// Adds what a bug puts around the parts of a server.
using Code = std::function<void(Faults&)>;

/// Clauses of a dialect, by their ids.
struct Violation {
  std::string_view dialect;
  std::vector<std::string_view> clauses;
};

struct Bug {
  std::string_view id;      ///< stable: what it is about, a point, what is wrong
  std::string_view breaks;  ///< the fault in words, for people
  /// The dialects and the clauses that it breaks. In each of these dialects, `hallmark mutants run`
  /// has to find it by cases that cite the clauses.
  std::vector<Violation> violates;
  Code code;
  /// The question that it settles: two bugs that settle the same one exclude each other.
  std::string_view settles = {};
  bool hides_all = false;  ///< behind it, nothing else can be seen to be wrong with the server
  bool slow = false;       ///< only cases find it that wait out a minute
  unsigned threads = 1;    ///< threads of a server that shows it
  /// True if the bug is that an operation is missing: then a case that finds it unsupported counts.
  bool operation_missing = false;
};

using Bugs = std::vector<Bug>;

}  // namespace hallmark::faults
