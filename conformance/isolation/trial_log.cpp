#include "conformance/isolation/trial_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace hallmark::conformance {
namespace {

using Harm = Deviation::Harm;
using Inputs = std::span<const Input>;

/// Inputs of a series, with neighbours as "40..4f".
struct Ranges {
  Series series;
  std::size_t inputs = 0;
  std::vector<std::string> names = {};
};

bool follow_each_other(const Input& a, const Input& b) {
  return a.number && b.number && *a.number + 1 == *b.number;
}

/// Returns how many inputs follow each other, from the first on.
std::size_t run_length(Inputs inputs) {
  std::size_t length = 1;
  while (length < inputs.size() && follow_each_other(inputs[length - 1], inputs[length])) ++length;
  return length;
}

std::vector<std::string> ranges_of(Inputs inputs) {
  std::vector<std::string> names;
  while (!inputs.empty()) {
    const std::size_t length = run_length(inputs);
    const Input& first = inputs.front();
    if (length > 2) {
      names.push_back(fmt::format("{}..{}", first.name, inputs[length - 1].name));
    } else if (!first.name.empty()) {
      for (const Input& one : inputs.first(length)) names.push_back(one.name);
    }
    inputs = inputs.subspan(length);
  }
  return names;
}

std::vector<Ranges> by_series(Inputs inputs) {
  std::vector<Ranges> all;
  while (!inputs.empty()) {
    const auto end = std::ranges::find_if(
        inputs, [&](const Input& one) { return one.series != inputs.front().series; });
    const auto count = static_cast<std::size_t>(end - inputs.begin());
    all.push_back({inputs.front().series, count, ranges_of(inputs.first(count))});
    inputs = inputs.subspan(count);
  }
  return all;
}

/// The first few, and how many there are beside them.
std::string few_of(const std::vector<std::string>& all, std::size_t most, std::string_view between,
                   std::string_view more) {
  const std::size_t shown = std::min(all.size(), most);
  std::string text = fmt::format(
      "{}", fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), between));
  if (shown < all.size()) text += fmt::format(fmt::runtime(more), all.size() - shown);
  return text;
}

/// "INSERTs" and " cut at bytes" of "INSERTs cut at bytes": the operation, and what is said of it.
/// A noun without an operation is all there is to say.
std::pair<std::string, std::string> parts_of(const Ranges& ranges) {
  const std::string& noun = ranges.inputs > 1 ? ranges.series.many : ranges.series.one;
  const std::string& message = ranges.series.message;
  if (message.empty() || !noun.starts_with(message)) return {noun, {}};
  const std::size_t end = std::min(noun.find(' '), noun.size());
  return {noun.substr(0, end), noun.substr(end)};
}

/// Inputs of several operations that are the same otherwise.
struct Phrase {
  std::vector<std::string> nouns;  ///< "INSERTs", "QUERYs"
  std::string rest;                ///< " cut at bytes"
  std::vector<std::string> names;
};

std::vector<Phrase> phrases_of(const std::vector<Ranges>& all) {
  std::vector<Phrase> phrases;
  for (const Ranges& one : all) {
    auto [noun, rest] = parts_of(one);
    const auto same = std::ranges::find_if(phrases, [&](const Phrase& phrase) {
      return !rest.empty() && phrase.rest == rest && phrase.names == one.names;
    });
    if (same == phrases.end()) {
      phrases.push_back({{std::move(noun)}, std::move(rest), one.names});
    } else {
      same->nouns.push_back(std::move(noun));
    }
  }
  return phrases;
}

std::string in_words(const Phrase& phrase, std::size_t most_names) {
  const std::string noun = fmt::format("{}{}", fmt::join(phrase.nouns, ", "), phrase.rest);
  const std::string names = few_of(phrase.names, most_names, ", ", " and {} more");
  return names.empty() ? noun : fmt::format("{} {}", noun, names);
}

std::string in_words(Inputs inputs) {
  const std::vector<Phrase> phrases = phrases_of(by_series(inputs));
  const std::size_t most_names =
      phrases.size() > 1 ? TrialLog::most_ranges_beside_others : TrialLog::most_ranges;
  std::vector<std::string> parts;
  for (const Phrase& one : phrases) parts.push_back(in_words(one, most_names));
  return few_of(parts, TrialLog::most_series, ", ", ", and {} more of the kind");
}

/// The noun of a series without the operation, which its code names anyway.
std::string_view noun_beside(std::string_view message, const Series& series) {
  std::string_view noun = series.one;
  if (message.empty() || !noun.starts_with(message)) return noun;
  noun.remove_prefix(message.size());
  noun.remove_prefix(std::min(noun.find_first_not_of(' '), noun.size()));
  return noun;
}

/// "half-closed-behind-byte-3..7,9"
std::string in_code(std::string_view message, Inputs inputs) {
  std::vector<std::string> parts;
  for (const Ranges& one : by_series(inputs)) {
    const std::string names = few_of(one.names, TrialLog::most_ranges, ",", ",+{}");
    const std::string_view noun = noun_beside(message, one.series);
    const bool both = !noun.empty() && !names.empty();
    parts.push_back(fmt::format("{}{}{}", noun, both ? "-" : "", names));
  }
  return few_of(parts, TrialLog::most_series, ",", ",+{}");
}

/// The operation of all of them; empty: they have none in common.
std::string message_of(Inputs inputs) {
  const std::string& message = inputs.front().series.message;
  const bool common =
      std::ranges::all_of(inputs, [&](const Input& one) { return one.series.message == message; });
  return common ? message : std::string();
}

/// Separates the sentences of a reason: no part of one.
std::string one_sentence(std::string text) {
  for (std::size_t at = text.find("; "); at != text.npos; at = text.find("; ", at)) text[at] = ',';
  return text;
}

std::string sentence(const Deviation& deviation, bool alike, Inputs inputs) {
  const std::string who = in_words(inputs);
  const bool one = inputs.size() == 1;
  switch (deviation.harm) {
    case Harm::kills: return fmt::format("{} {} the process", who, one ? "kills" : "kill");
    case Harm::hangs: return fmt::format("{} {} the target", who, one ? "hangs" : "hang");
    case Harm::silences: return fmt::format("after {} {}", who, deviation.reason);
    case Harm::other: break;
  }
  const std::string& reason = deviation.reason;
  if (!alike) return fmt::format("{}: {} (the first of them)", who, reason);
  constexpr std::string_view verb = "is ";
  if (!reason.starts_with(verb)) return fmt::format("{}: {}", who, reason);
  return fmt::format("{} {} {}", who, one ? "is" : "are", reason.substr(verb.size()));
}

}  // namespace

std::string in_words(const Input& input) { return in_words(Inputs(&input, 1)); }

void TrialLog::note(const Input& input, const Deviation& deviation) {
  const auto same = std::ranges::find_if(groups_, [&](const Group& group) {
    return group.deviation.harm == deviation.harm && group.deviation.code == deviation.code;
  });
  if (same == groups_.end()) {
    const auto place = std::ranges::upper_bound(
        groups_, deviation.harm, {}, [](const Group& group) { return group.deviation.harm; });
    groups_.insert(place, Group{deviation, true, {input}});
    return;
  }
  if (std::ranges::find(same->inputs, input) != same->inputs.end()) return;
  same->alike = same->alike && same->deviation.reason == deviation.reason;
  same->inputs.push_back(input);
}

std::string TrialLog::reason(const std::string& stopped) const {
  std::vector<std::string> sentences;
  for (const Group& group : groups_)
    sentences.push_back(one_sentence(sentence(group.deviation, group.alike, group.inputs)));
  if (!untried_.empty())
    sentences.push_back(fmt::format("{} {} not tried: {}", in_words(untried_),
                                    untried_.size() == 1 ? "was" : "were", stopped));
  return fmt::format("{}", fmt::join(sentences, "; "));
}

Code TrialLog::code() const {
  std::vector<Code> codes;
  for (const Group& group : groups_) {
    Code code = group.deviation.code;
    if (code.message.empty()) code.message = message_of(group.inputs);
    const std::string inputs = in_code(code.message, group.inputs);
    code.input = code.input.empty() ? inputs : fmt::format("{}:{}", inputs, code.input);
    codes.push_back(std::move(code));
  }
  Code first = std::move(codes.front());
  first.further.assign(std::move_iterator(codes.begin() + 1), std::move_iterator(codes.end()));
  return first;
}

}  // namespace hallmark::conformance
