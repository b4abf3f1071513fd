#pragma once

#include "protocol/dialect.hpp"

namespace hallmark::protocol {
namespace name_detail {

/// True if `all`, the list of readings, gives `answer` to `reading`.
constexpr bool lists_answer(const char* all, const char* reading, const char* answer) {
  const std::size_t at = place_of(all, reading);
  return at != 0 && has_answer(all, at, end_of_entry(all, at), answer);
}

/// Not constexpr on purpose: reaching it is the error.
inline void the_reading_has_no_such_answer(const char* /*reading*/, const char* /*answer*/) {}

/// The same as RequireListed, for a reading together with its answer.
struct RequireAnswer {
  const char* reading;
  const char* answer;

  constexpr void operator()(const char* there_is) const {
    if (!lists_answer(there_is, reading, answer)) the_reading_has_no_such_answer(reading, answer);
  }
};

}  // namespace name_detail

/// An answer to a reading, written out: `{"ttl-zero", "refused"}`. Does not compile unless some
/// dialect has the reading with that answer.
struct Chosen : When {
  consteval Chosen(const char* of, const char* chosen)
      : When{ReadingName(of), AnswerName::unchecked(chosen)} {
    ReadingNames::pass_to(name_detail::RequireAnswer{of, chosen});
  }

  /// True if the vocabulary gives that answer to the reading; both end with a zero.
  static constexpr bool exists(const char* reading, const char* answer) {
    return ReadingNames::pass_to([reading, answer](const char* all) {
      return name_detail::lists_answer(all, reading, answer);
    });
  }
};

}  // namespace hallmark::protocol
