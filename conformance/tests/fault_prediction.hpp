#pragma once

#include <optional>
#include <set>

#include "conformance/isolation/trial_log.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {

/// The end of a case.
struct Ending {
  reports::Verdict verdict = reports::Verdict::pass;
  std::string reason = {};
  bool operator==(const Ending&) const = default;
};

/// Prints the ending in the message of a test that fails.
std::ostream& operator<<(std::ostream& out, const Ending& ending);

/// The facts about a case that a prediction needs beside the history of its run.
struct FaultScenario {
  const WireFormat& format;
  /// The names of the connections in the order in which the case opens them, and opens them again
  /// in each further round. Those that tidy up are not among them.
  std::vector<std::string> connections;
  /// The inputs of a case that tries bytes which are not a request: one for each of the connections
  /// `wrong`. Empty if the case has no such connections. `expected_answer` is what the case
  /// expects.
  std::vector<Input> inputs = {};
  std::string expected_answer = {};
};

/// Predicts how one case ends when a fault is injected, from the fault and from the history of a
/// run without one: the first operation that the fault changes decides.
class FaultPrediction {
 public:
  /// The case's own operations are those from `begin` to `end`.
  FaultPrediction(const FaultScenario& scenario, const std::vector<Operation>& history,
                  std::size_t begin, std::size_t end);

  /// Precondition: `fault.at` is an operation of the case.
  Ending of(Fault fault) const;

  /// False: it meets those that tidy up. What is left behind may decide, and whether the target is
  /// given up then depends on what they were about to do.
  bool is_certain(Fault fault) const;

 private:
  class Course;
  using Connection = FakeServer::Connection;

  struct Role {
    std::string name;
    bool tidies = false;
    std::optional<std::size_t> wrong = {};  ///< its place in `inputs`
  };

  Role role_of(Connection connection, std::size_t& opened, std::size_t& wrong) const;
  bool is_tidying(Connection connection) const;
  std::optional<std::size_t> next_on(Connection connection, std::size_t from,
                                     std::optional<OperationKind> kind = {}) const;
  const Operation* last_send_on(Connection connection, std::size_t before) const;
  bool brought_bytes(Connection connection, std::size_t before) const;
  /// The input that is tried at that operation.
  std::size_t input_at(std::size_t at) const;

  /// The request before shows whether the target still answers others.
  bool shows_life(Connection connection, std::size_t at) const;
  Ending after_garbage(std::size_t at) const;
  Ending after_unread(Connection connection, std::size_t received, base::Bytes unread) const;
  Ending misread(std::size_t received, std::size_t due, const base::Bytes& unread) const;
  Ending surplus(Connection connection, std::size_t at, const base::Bytes& unread) const;
  Ending unexpected_answer(Connection wrong, std::string_view answer) const;
  /// The target answers nobody any more behind that input.
  Ending lost_at(std::size_t input, Loss loss) const;
  /// Returns how the case ends if that is found on the connection at the operation. A finding of
  /// those that tidy up ends no case.
  std::optional<Ending> found_on(Connection connection, std::size_t at, reports::Verdict verdict,
                                 std::string reason) const;

  const FaultScenario& scenario_;
  const std::vector<Operation>& history_;
  std::size_t begin_;
  std::size_t end_;
  std::map<Connection, Role> roles_;
};

/// Expects that the one case of the unit passes, that it ends as predicted with a fault of that
/// kind at each of its steps, and that it never waits without end.
void expect_predicted(const Unit& unit, const FaultScenario& scenario, FaultKind kind);

/// Returns the kind as it stands in the names of tests.
std::string name_of(FaultKind kind);

}  // namespace hallmark::conformance::testing
