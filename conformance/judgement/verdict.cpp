#include "conformance/judgement/verdict.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Verdict;

/// The kind of a code that no place has named; empty for an end that needs none.
std::optional<Code::Kind> kind_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::fail:
    case Verdict::unstable: return Code::Kind::broken_promise;
    case Verdict::error: return Code::Kind::harness;
    case Verdict::indeterminate: return Code::Kind::undecided;
    default: return std::nullopt;
  }
}

std::optional<Code> code_of(const Judgement& judgement, const std::string& operation) {
  const auto kind = kind_of(judgement.verdict);
  if (!kind) return std::nullopt;
  Code code = judgement.code.value_or(
      Code{.kind = *kind, .promise = reports::promise_of(judgement.reason)});
  const bool of_no_message = code.kind == Code::Kind::refused_connection;
  if (code.message.empty() && !of_no_message) code.message = operation;
  // Reads the code back as from a saved result: that one and this one have to be equal.
  return reports::parse_code(reports::text_of(code));
}

}  // namespace

bool ends_process(const CaseResult& one) {
  return one.code && (one.code->kind == Code::Kind::crash || one.code->kind == Code::Kind::hang);
}

void end_case(Verdict verdict, std::string reason, std::string likely_cause) {
  throw CaseEnded({verdict, std::move(reason), std::move(likely_cause), {}});
}

void fail_case(Code code, std::string reason, std::string likely_cause) {
  Judgement judgement{Verdict::fail, std::move(reason), std::move(likely_cause), {}};
  judgement.code = std::move(code);
  throw CaseEnded(std::move(judgement));
}

void end_unreachable(std::string reason) {
  Judgement judgement{Verdict::error, std::move(reason), {}, {}};
  judgement.code = Code{.kind = Code::Kind::refused_connection};
  throw CaseEnded(std::move(judgement));
}

void conclude(CaseResult& result, Judgement judgement) {
  result.code = code_of(judgement, result.operation);
  result.verdict = judgement.verdict;
  result.reason = std::move(judgement.reason);
  result.likely_cause = std::move(judgement.likely_cause);
  result.drawing = std::move(judgement.drawing);
}

}  // namespace hallmark::conformance
