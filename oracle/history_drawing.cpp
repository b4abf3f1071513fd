#include "oracle/history_drawing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "oracle/history_lanes.hpp"

namespace hallmark::oracle {
namespace {

constexpr std::int64_t microsecond = 1'000;
constexpr std::int64_t millisecond = 1'000'000;
/// A TTL from here on ends nothing that is drawn.
constexpr std::int64_t long_ttl = 60'000 * millisecond;

std::string quantity(std::int64_t ns) {
  if (ns < 10 * millisecond) return fmt::format("{} µs", ns / microsecond);
  return fmt::format("{} ms", ns / millisecond);
}

std::string request_of(const RecordOperation& operation, const HistoryNames& names) {
  switch (operation.action) {
    case RecordAction::insert: return fmt::format("INSERT {}", operation.argument);
    case RecordAction::query: return "QUERY";
    case RecordAction::increase: return fmt::format("INCREASE {}", operation.argument);
    case RecordAction::decrease: return fmt::format("DECREASE {}", operation.argument);
    case RecordAction::patch: return fmt::format("PATCH {}", operation.argument);
    case RecordAction::patch_ttl: return "PATCH TTL";
    case RecordAction::purge: return "PURGE";
    case RecordAction::set: return fmt::format("SET {}", names.value(operation.argument));
    case RecordAction::get: return "GET";
  }
  return {};
}

std::string reply_of(const RecordOperation& operation, const HistoryNames& names) {
  if (operation.reply == RecordReply::none) return "?";
  if (operation.reply == RecordReply::failure) return "failed";
  if (!operation.told) return "ok";
  if (operation.action == RecordAction::get) return names.value(*operation.told);
  return fmt::format("{}", *operation.told);
}

std::string label_of(const RecordOperation& operation, const HistoryNames& names) {
  const std::string ttl =
      operation.ttl_ns >= long_ttl ? std::string() : " for " + quantity(operation.ttl_ns);
  return fmt::format("{}{} → {}", request_of(operation, names), ttl, reply_of(operation, names));
}

/// Each once: states may differ in when they end alone.
std::string described(const std::vector<RecordState>& states, const HistoryNames& names) {
  std::map<RecordState::Kind, std::vector<std::string>> contents;
  for (const RecordState& state : states) {
    auto& known = contents[state.kind];
    const bool counter = state.kind == RecordState::Kind::counter;
    const std::string one = counter ? std::to_string(state.content)
                            : state.kind == RecordState::Kind::buffer ? names.value(state.content)
                                                                      : std::string();
    if (known.size() < HistoryFinding::most_states && std::ranges::find(known, one) == known.end())
      known.push_back(one);
  }
  std::vector<std::string> parts;
  for (const auto& [kind, known] : contents) {
    if (kind == RecordState::Kind::absent) parts.emplace_back("absent");
    if (kind == RecordState::Kind::counter)
      parts.push_back("a counter of " + base::either_of(known));
    if (kind == RecordState::Kind::buffer) parts.push_back("a buffer of " + base::either_of(known));
  }
  return base::either_of(parts);
}

std::string heading(const SmallHistory& history, const HistoryNames& names) {
  const std::size_t count = history.operations.size();
  return fmt::format("before: {}; then {} of {} operations on the record, which fit no order:",
                     described(history.before, names), count, history.of);
}

Lanes lanes_of(const SmallHistory& history, const HistoryNames& names, std::size_t columns) {
  Lanes lanes(columns);
  for (const RecordOperation& operation : history.operations) {
    Span span;
    span.lane = names.client(operation.client);
    span.label = label_of(operation, names);
    span.from = operation.invoked_ns;
    if (operation.returned()) span.to = operation.returned_ns;
    lanes.add(std::move(span));
  }
  return lanes;
}

}  // namespace

std::string summary(const SmallHistory& history, const HistoryNames& names) {
  const RecordOperation& stuck = history.operations[history.finding.stuck_at];
  return fmt::format(
      "no order of the requests explains their replies: {} on {}, but the record is {}",
      label_of(stuck, names), names.client(stuck.client), described(history.finding.states, names));
}

std::vector<std::string> drawn(const SmallHistory& history, const HistoryNames& names,
                               std::size_t most_columns) {
  std::vector<std::string> lines{heading(history, names)};
  const RecordOperation& stuck = history.operations[history.finding.stuck_at];
  const std::string why =
      fmt::format("no order fits from here: {}, but the record is {}", label_of(stuck, names),
                  described(history.finding.states, names));
  const Lanes lanes = lanes_of(history, names, most_columns);
  for (std::string& line : lanes.drawn(history.finding.stuck_at, why, quantity))
    lines.push_back(std::move(line));
  return lines;
}

}  // namespace hallmark::oracle
