#pragma once

#include <cstdint>
#include <string_view>

#include "reports/result.hpp"

namespace hallmark::conformance {

/// The case that asks the same again and again, and the promises that a target breaks which is
/// right about most requests, but not about every one. What becomes of any other case of such a
/// target depends on how much was asked before.
inline constexpr std::string_view all_answered_case = "stream/all-answered";
inline constexpr std::string_view every_request_is_answered = "every request is answered";
inline constexpr std::string_view every_reply_is_right = "the same request has the same reply";

/// The promise that a target breaks, in the same case, all of whose connections are answered so
/// many times and no more. What becomes of any other case depends on nothing but itself.
inline constexpr std::string_view every_connection_lasts =
    "a connection is answered however many requests it has sent";

/// A target loses or changes some of its replies, and not others to the same request.
enum class Lapses : std::uint8_t { none, loses, changes };

/// True of that case.
inline bool asks_again_and_again(const reports::CaseResult& one) {
  return one.id.ends_with(all_answered_case);
}

/// The lapses that a failed case shows.
inline Lapses lapses_shown_by(const reports::CaseResult& one) {
  if (one.verdict != reports::Verdict::fail || !one.code) return Lapses::none;
  if (one.code->promise == every_reply_is_right) return Lapses::changes;
  return one.code->promise == every_request_is_answered ? Lapses::loses : Lapses::none;
}

/// True of that case if every connection of the target is answered so many times and no more.
inline bool tells_of_every_connection(const reports::CaseResult& one) {
  return one.code && one.code->promise == every_connection_lasts;
}

}  // namespace hallmark::conformance
