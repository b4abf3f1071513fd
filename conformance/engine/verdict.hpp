#pragma once

#include <exception>
#include <string>
#include <vector>

#include "reports/result.hpp"

namespace hallmark::conformance {

/// How a case ended, and why.
struct Judgement {
  reports::Verdict verdict = reports::Verdict::pass;
  std::string reason;
  std::string likely_cause;
  /// The operation at whose request the target ended the connection; empty otherwise.
  std::string refused_operation;
  /// The target ended the connection where a message was due, behind the last whole one.
  bool ended_between_messages = false;
  /// What happened at a time, for people; see `CaseResult::drawing`.
  std::vector<std::string> drawing = {};
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

[[noreturn]] inline void end_case(reports::Verdict verdict, std::string reason,
                                  std::string likely_cause = {}) {
  throw CaseEnded({verdict, std::move(reason), std::move(likely_cause), {}});
}

}  // namespace hallmark::conformance
