#pragma once

#include <exception>
#include <string>
#include <vector>

#include "reports/result.hpp"

namespace hallmark::conformance {

using reports::Code;

/// The verdict of a case, and its reason.
struct Judgement {
  reports::Verdict verdict = reports::Verdict::pass;
  std::string reason;
  std::string likely_cause;
  /// The operation at whose request the target ended the connection; empty otherwise.
  std::string refused_operation;
  /// The target ended the connection where a message was due, behind the last whole one.
  bool ended_between_messages = false;
  /// The events that overlapped in time, drawn for people; see `CaseResult::drawing`.
  std::vector<std::string> drawing = {};
  /// The name of the reason, as far as the place knows it; `conclude` makes one where there is
  /// none.
  std::optional<Code> code = {};
};

/// Ends a case from wherever it is, as an assertion does.
class CaseEnded : public std::exception {
 public:
  explicit CaseEnded(Judgement judgement) : judgement_(std::move(judgement)) {}
  const Judgement& judgement() const { return judgement_; }
  const char* what() const noexcept override { return judgement_.reason.c_str(); }

 private:
  Judgement judgement_;
};

/// Ends the case; its code follows from the reason.
[[noreturn]] void end_case(reports::Verdict verdict, std::string reason,
                           std::string likely_cause = {});

/// Ends the case as failed.
[[noreturn]] void fail_case(Code code, std::string reason, std::string likely_cause = {});

/// Ends the case as an error: no connection could be made, or no process be started.
[[noreturn]] void end_unreachable(std::string reason);

/// Returns true of a failure after which the process was gone, or answered nobody.
bool ends_process(const reports::CaseResult& one);

/// Puts how a case ended into its result. Every failure, error and open question gets a code: that
/// of the judgement, or the reason without what varies. Where a code names no message, it is the
/// operation of the case.
void conclude(reports::CaseResult& result, Judgement judgement);

}  // namespace hallmark::conformance
