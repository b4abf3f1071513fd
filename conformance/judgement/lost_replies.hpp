#pragma once

#include <string_view>

#include "reports/result.hpp"

namespace hallmark::conformance {

/// The case that asks the same again and again, and the promise that a target breaks which answers,
/// but not every request. What becomes of any other case of such a target depends on how much was
/// asked before.
inline constexpr std::string_view all_answered_case = "stream/all-answered";
inline constexpr std::string_view every_request_is_answered = "every request is answered";

/// True of that case.
inline bool asks_again_and_again(const reports::CaseResult& one) {
  return one.id.ends_with(all_answered_case);
}

/// True of a case that failed because the target loses replies.
inline bool shows_lost_replies(const reports::CaseResult& one) {
  return one.verdict == reports::Verdict::fail && one.code &&
         one.code->promise == every_request_is_answered;
}

}  // namespace hallmark::conformance
