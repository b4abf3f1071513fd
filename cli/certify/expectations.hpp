#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/expected.hpp"
#include "conformance/judgement/known_failures.hpp"
#include "reports/certify/comparison.hpp"

/// The expectations of a certify run: known failures, and an earlier result.
namespace hallmark::cli {

class Command;

/// The arguments as given on the command line; empty if not given.
struct ExpectationArguments {
  std::string known_failures;
  std::string write_known_failures;
  std::string baseline;
};

void add_expectation_options(Command& command, ExpectationArguments& arguments);

class Expectations {
 public:
  /// Reads the files. Errors: one line.
  static base::Expected<Expectations, std::string> read(const ExpectationArguments& arguments);

  /// True if there is an expectation about cases.
  bool any() const { return list_.has_value() || baseline_.has_value(); }

  /// Checks the files for a target whose cases, chosen or not, have these ids. Error: one line.
  base::Expected<void, std::string> check(const std::set<std::string>& ids) const;

  /// Judges the result by the known failures. What was to be written is made of the result as it
  /// comes.
  void apply(reports::CertifyResult& result);

  /// Writes the list of known failures where that was asked for. Errors: one line.
  base::Expected<void, std::string> write() const;

  /// The text that is shown of the result, and the exit code that follows.
  std::string shown(const reports::CertifyResult& result,
                    const reports::TerminalStyle& style) const;
  reports::ExitCode exit_code(const reports::CertifyResult& result) const;
  /// The differences from the earlier result, if there is one.
  std::optional<reports::Comparison> changes(const reports::CertifyResult& result) const;

 private:
  ExpectationArguments arguments_;
  std::optional<conformance::KnownFailures> list_;
  std::optional<reports::CertifyResult> baseline_;
  std::string written_;
};

}  // namespace hallmark::cli
