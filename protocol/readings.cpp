#include "protocol/readings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace hallmark::protocol {

std::string_view name_of(Profile profile) {
  return profile == Profile::literal ? "literal" : "deployed";
}

base::Result<void> Readings::set(std::string_view reading, std::string_view answer) {
  const auto ids = [](const auto& things) {
    std::vector<std::string_view> all;
    for (const auto& thing : things) all.push_back(thing.id);
    return fmt::format("{}", fmt::join(all, ", "));
  };
  const std::size_t index = index_of(*dialect_, reading);
  if (index == most) {
    return base::Error{fmt::format("unknown reading '{}' of {}: expected one of {}", reading,
                                   dialect_->name, ids(dialect_->readings))};
  }
  const Reading& chosen = dialect_->readings[index];
  const std::size_t position = index_of(chosen, answer);
  if (position == chosen.answers.size()) {
    return base::Error{fmt::format("unknown answer '{}' to reading {}: expected one of {}", answer,
                                   reading, ids(chosen.answers))};
  }
  if (chosen.answers[position].served == Served::no) {
    return base::Error{fmt::format("reading {}={} can be neither served nor judged: {}", reading,
                                   answer, chosen.answers[position].meaning)};
  }
  answers_[index] = static_cast<std::uint8_t>(position);
  return {};
}

void Readings::choose(Chosen answer) { set(answer.reading, answer.answer).value(); }

AnswerName Readings::answer(ReadingName reading) const {
  const auto& declared = dialect_->readings;
  const auto found = std::ranges::find(declared, reading, &Reading::id);
  if (found == declared.end()) return AnswerName::none();
  return found->answers[answers_[static_cast<std::size_t>(found - declared.begin())]].id;
}

}  // namespace hallmark::protocol
