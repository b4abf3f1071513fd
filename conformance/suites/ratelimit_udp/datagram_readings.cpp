#include "conformance/suites/ratelimit_udp/datagram_readings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/suites/throttr/readings/survey.hpp"
#include "protocol/codec/encode.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using base::to_bytes;
using protocol::Reading;
using protocol::Readings;

constexpr std::string_view not_without_rules =
    "it takes the target's rules; the cases of the rules judge it";

/// Returns what get_stats says about that key, without its request id; empty if nothing comes.
std::string statistics(Attempt& attempt, std::string_view key) {
  const std::string id = attempt.mail().new_id();
  const auto answer = attempt.answer_to(to_bytes(fmt::format("{} get_stats {}", id, key)), id);
  if (!answer) return {};
  const std::string text(base::as_text(*answer));
  return text.starts_with(id + " ") ? text.substr(id.size() + 1) : text;
}

std::string answered_or_not(const std::string& reply, std::string_view answered) {
  return std::string(reply.empty() ? "silence" : answered);
}

std::string stats_field(Attempt& attempt) {
  const std::string reply = statistics(attempt, attempt.own_key());
  if (reply.find(" n_over=") != std::string::npos) return "n_over";
  return reply.find(" over=") != std::string::npos ? "over" : "";
}

std::string request_id(Attempt& attempt) {
  const std::string id = "000" + attempt.mail().new_id();
  const auto answer = attempt.answer_to(to_bytes(id + " ping"), id);
  if (!answer) return "";
  return base::as_text(*answer).starts_with(id + " ") ? "digits" : "number";
}

std::string key_with_spaces(Attempt& attempt) {
  const std::string key = attempt.own_key();
  const std::string reply = statistics(attempt, key + " and more");
  if (reply.ends_with("key=" + key + " and more")) return "line";
  return reply.ends_with("key=" + key) ? "word" : "";
}

std::string key_with_newline(Attempt& attempt) {
  return answered_or_not(statistics(attempt, attempt.own_key() + "\nmore"), "part");
}

std::string key_of_length_0(Attempt& attempt) {
  return answered_or_not(statistics(attempt, ""), "key");
}

std::string request_beyond_1000(Attempt& attempt) {
  const std::string key = attempt.own_key() + std::string(1100, 'l');
  const std::string reply = statistics(attempt, key);
  if (reply.empty()) return "silence";
  return reply.ends_with("key=" + key) ? "read" : "cut";
}

struct Probe {
  protocol::ReadingName reading;
  protocol::MessageName operation;
  std::string (*ask)(Attempt&);  ///< null: takes more than requests can tell
  Danger danger;
};

constexpr Probe probes[] = {
    {"over-when", "over_limit", nullptr, Danger::documented},
    {"stats-field", "get_stats", stats_field, Danger::documented},
    {"udp-id", "ping", request_id, Danger::open},
    {"udp-key", "get_stats", key_with_spaces, Danger::open},
    {"key-newline", "get_stats", key_with_newline, Danger::malformed},
    {"empty-key", "get_stats", key_of_length_0, Danger::open},
    {"default-key", "over_limit", nullptr, Danger::documented},
    {"long-request", "get_stats", request_beyond_1000, Danger::malformed},
};

const Reading& reading_of(const protocol::Dialect& dialect, std::string_view id) {
  return *std::ranges::find(dialect.readings, id, &Reading::id);
}

CaseEntry entry_of(const protocol::Dialect& dialect, const Probe& probe,
                   const std::string& prefix) {
  const Reading& reading = reading_of(dialect, probe.reading);
  return {reading_case(prefix, probe.reading),
          std::string(reading.question),
          std::string(probe.operation),
          protocol::find_clause(dialect, reading.clause)->level,
          {std::string(reading.clause)},
          Delivery::whole,
          probe.danger};
}

/// The answer to both askings, held to the pin if there is one.
std::string inquire(Attempt& attempt, const Probe& probe, const Pin* pin) {
  const std::string first = probe.ask(attempt);
  const std::string second = probe.ask(attempt);
  if (first != second) {
    attempt.doubt_silence();
    attempt.fail(fmt::format("two askings contradict each other: {}, then {}",
                             first.empty() ? "neither answer" : first,
                             second.empty() ? "neither answer" : second));
  }
  if (pin != nullptr && !first.empty() && pin->answer != first)
    attempt.fail(fmt::format("held to {}, the target answers {}", pin->answer, first));
  return first;
}

const Pin* last_pin(const std::vector<Pin>& pins, const Probe& probe) {
  const auto pin =
      std::ranges::find(pins.rbegin(), pins.rend(), std::string_view(probe.reading), &Pin::reading);
  return pin == pins.rend() ? nullptr : &*pin;
}

/// Empty: it is to be asked for.
std::string why_not_asked(const Probe& probe, const DatagramQuestions& questions) {
  if (const Pin* const pin = last_pin(questions.given, probe); pin != nullptr)
    return "pinned to " + pin->answer;
  if (questions.wanted && !questions.wanted->contains(std::string(probe.reading)))
    return std::string(no_case_rests_on_it);
  return questions.polite && probe.danger != Danger::documented ? "--polite" : "";
}

}  // namespace

std::vector<DatagramAnswer> ask_readings(DatagramContext& context, Danger danger,
                                         Readings& readings, const DatagramQuestions& questions) {
  std::vector<DatagramAnswer> answers;
  for (const Probe& probe : probes) {
    if (context.stopped()) break;
    if (probe.danger != danger) continue;
    DatagramAnswer& answer = answers.emplace_back(DatagramAnswer{probe.reading, {}, {}});
    const CaseEntry entry = entry_of(readings.dialect(), probe, questions.prefix);
    answer.not_asked = why_not_asked(probe, questions);
    if (!answer.not_asked.empty()) {
      answer.played.result =
          not_played(entry, reports::Verdict::skipped, "not asked: " + answer.not_asked);
      continue;
    }
    const Pin* const pin = last_pin(questions.pins, probe);
    context.network.begin_part(entry.id);
    answer.played = questions.play({entry, [&](Attempt& attempt) {
                                      answer.told.clear();
                                      if (probe.ask == nullptr)
                                        attempt.skip(std::string(not_without_rules));
                                      answer.told = inquire(attempt, probe, pin);
                                      if (answer.told.empty())
                                        attempt.skip("the reply is neither of the answers");
                                    }});
    // An answer is shown by its bytes even where nothing fails.
    PlayedCase& played = answer.played;
    if (played.result.evidence.empty() && !played.sockets.empty())
      played.result.evidence = played.sockets.back().evidence->exchanges();
    if (!answer.told.empty()) static_cast<void>(readings.set(probe.reading, answer.told));
  }
  return answers;
}

Danger danger_of_datagram_reading(std::string_view reading) {
  return std::ranges::find(probes, reading, &Probe::reading)->danger;
}

DatagramCases reading_cases(const protocol::Dialect& dialect, const std::string& prefix) {
  DatagramCases cases;
  for (const Probe& probe : probes)
    cases.push_back({entry_of(dialect, probe, prefix), [](Attempt& attempt) {
                       attempt.skip("readings are asked for before other cases");
                     }});
  return cases;
}

}  // namespace hallmark::conformance
