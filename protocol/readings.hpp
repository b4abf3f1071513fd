#pragma once

#include <array>

#include <string>

#include "base/error.hpp"
#include "protocol/chosen.hpp"

namespace hallmark::protocol {

/// A set of answers that a server gives to all the readings of its dialect.
enum class Profile : std::uint8_t {
  literal,   ///< the answers that the text favours; as released where it is silent
  deployed,  ///< those of released servers; where none was observed, those of the text
};

std::string_view name_of(Profile profile);

/// One answer for each reading of a dialect. Where neither the text nor a released server decides,
/// the first answer listed stands.
class Readings {
 public:
  static constexpr std::size_t most = 64;

  constexpr Readings(const Dialect& dialect, Profile profile) : dialect_(&dialect) {
    for (std::size_t i = 0; i < dialect.readings.size(); ++i) {
      answers_[i] = static_cast<std::uint8_t>(default_answer(dialect.readings[i], profile));
    }
  }

  const Dialect& dialect() const { return *dialect_; }

  /// Replaces one answer. Refuses an unknown id or answer with one line that lists what is allowed.
  base::Result<void> set(std::string_view reading, std::string_view answer);

  /// Replaces one answer. Precondition: the dialect has the reading with that answer.
  void choose(Chosen answer);

  /// Id of the answer to `reading`; empty when the dialect has no such reading.
  AnswerName answer(ReadingName reading) const;
  /// The same for a reading of some dialect.
  AnswerName answer(const Reading& reading) const { return answer(reading.id); }
  /// The same for a reading whose name is known at run time only.
  AnswerName answer_called(std::string_view reading) const {
    return answer(ReadingName::unchecked(reading));
  }

  /// True if that answer is the one chosen; false where the dialect does not have the reading.
  bool reads(Chosen answer) const { return holds(answer); }

  bool holds(const When& when) const {
    return when.reading.empty() || answer(when.reading) == when.answer;
  }

  /// The same as `holds`, for a condition whose indices were found at compile time.
  constexpr bool chosen(std::size_t reading, std::size_t answer) const {
    return answers_[reading] == answer;
  }

  static constexpr std::size_t index_of(const Dialect& dialect, std::string_view reading) {
    for (std::size_t i = 0; i < dialect.readings.size(); ++i) {
      if (dialect.readings[i].id == reading) return i;
    }
    return most;
  }

  static constexpr std::size_t index_of(const Reading& reading, std::string_view answer) {
    for (std::size_t i = 0; i < reading.answers.size(); ++i) {
      if (reading.answers[i].id == answer) return i;
    }
    return reading.answers.size();
  }

 private:
  static constexpr std::size_t default_answer(const Reading& reading, Profile profile) {
    const bool literal = profile == Profile::literal;
    const std::string_view first = literal ? reading.favoured : reading.released;
    const std::string_view second = literal ? reading.released : reading.favoured;
    const std::string_view id = first.empty() ? second : first;
    return id.empty() ? 0 : index_of(reading, id);
  }

  const Dialect* dialect_;
  std::array<std::uint8_t, most> answers_{};
};

}  // namespace hallmark::protocol
