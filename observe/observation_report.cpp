#include "observe/observation_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "reports/json_number.hpp"

namespace hallmark::observe {
namespace {

using base::Json;
using reports::Colour;
using reports::json_number;

constexpr std::size_t bytes_shown = 16;

std::string place_of(const FindingGroup& group) {
  std::string place = fmt::format("connection {}", group.connection);
  if (group.request != 0) place += fmt::format(", request {}", group.request);
  return fmt::format("{}, byte {} of the {}, after {}", place, group.offset,
                     captures::name_of(group.sender), base::human_duration(group.at));
}

std::string hex_of(const base::Bytes& bytes) {
  const base::ByteView shown = base::ByteView(bytes).first(std::min(bytes.size(), bytes_shown));
  return base::to_hex(shown, " ") + (shown.size() < bytes.size() ? " …" : "");
}

std::string operations_table(const Observation& seen, const reports::TerminalStyle& style) {
  reports::Table table({reports::Align::left, reports::Align::right, reports::Align::right});
  table.add({"operation", "requests", "replies"}, style, Colour::bold);
  for (const OperationCounts& one : seen.operations)
    table.add({std::string(one.name), base::grouped(one.requests), base::grouped(one.replies)});
  return table.render();
}

std::string violations_text(const Observation& seen, const reports::TerminalStyle& style) {
  std::string text;
  for (const FindingGroup& group : seen.violations) {
    text += fmt::format("\n{} ({})\n", reports::paint(style, Colour::red, title_of(group)),
                        base::counted(group.count, "time", "times"));
    text += reports::wrapped(group.reason, style, 2);
    text += fmt::format("  first: {}\n", place_of(group));
    if (!group.bytes.empty()) text += fmt::format("  bytes: {}\n", hex_of(group.bytes));
  }
  return text;
}

std::string not_looked_at(const Observation& seen) {
  if (seen.missed_connections == 0) return {};
  return fmt::format("\nnot looked at: {} of {}, since decoding did not keep up with what passed\n",
                     base::counted(seen.missed_bytes, "byte", "bytes"),
                     base::counted(seen.missed_connections, "connection", "connections"));
}

std::string side_notes(const Observation& seen) {
  std::string text;
  const auto note = [&text](std::uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{}: {}\n", what, base::grouped(count));
  };
  note(seen.unclaimed, "not claimed, as bytes of their connections were not looked at before");
  note(seen.consequences, "requests that were not waited for, and bytes behind a violation");
  note(seen.unreachable, "refused by the target");
  note(seen.evicted, "clients forgotten to make room for others");
  note(seen.not_sent[0] + seen.not_sent[1], "datagrams that the system did not take");
  return text;
}

std::string verdict(const Observation& seen, const reports::TerminalStyle& style) {
  if (seen.violation_count() > 0) {
    return reports::paint(
        style, Colour::red,
        fmt::format("{} of {}", base::counted(seen.violation_count(), "violation", "violations"),
                    base::counted(seen.violations.size(), "kind", "kinds")));
  }
  const bool all = seen.missed_connections == 0;
  return reports::paint(style, all ? Colour::green : Colour::yellow,
                        all ? "no violation" : "no violation in what was looked at");
}

Json json_of(const FindingGroup& group) {
  Json json = {{"kind", captures::name_of(group.kind)},
               {"side", captures::name_of(group.side)},
               {"count", json_number(group.count)},
               {"reason", base::printable(group.reason)},
               {"first",
                {{"connection", json_number(group.connection)},
                 {"at_ns", group.at.count()},
                 {"sender", captures::name_of(group.sender)},
                 {"offset", json_number(group.offset)},
                 {"hex", base::to_hex(group.bytes)}}}};
  if (!group.operation.empty()) json["operation"] = group.operation;
  if (group.request != 0) json["first"]["request"] = json_number(group.request);
  return json;
}

}  // namespace

std::string render_first(const FindingGroup& group, const reports::TerminalStyle& style) {
  return fmt::format("{}: {} ({})\n", reports::paint(style, Colour::red, title_of(group)),
                     base::printable(group.reason), place_of(group));
}

std::string render_terminal(const Observation& seen, const reports::TerminalStyle& style) {
  std::string text = fmt::format("{} -> {}, {}{}{}, {}, {}\n", seen.listen, seen.target,
                                 seen.dialect, seen.width.empty() ? "" : " ", seen.width,
                                 base::counted(seen.connections, "connection", "connections"),
                                 base::human_duration(seen.duration));
  text += fmt::format("passed on: {} from clients, {} from the target\n\n",
                      base::human_bytes(seen.bytes[0]), base::human_bytes(seen.bytes[1]));
  if (!seen.operations.empty()) text += operations_table(seen, style);
  if (seen.pushes > 0) text += fmt::format("pushes: {}\n", base::grouped(seen.pushes));
  text += side_notes(seen);
  text += violations_text(seen, style);
  text += not_looked_at(seen);
  return text + "\n" + verdict(seen, style) + "\n";
}

std::string render_json(const Observation& seen, std::string_view version, int exit_code) {
  Json operations = Json::array();
  for (const OperationCounts& one : seen.operations) {
    operations.push_back({{"name", one.name},
                          {"requests", json_number(one.requests)},
                          {"replies", json_number(one.replies)}});
  }
  Json violations = Json::array();
  for (const FindingGroup& group : seen.violations) violations.push_back(json_of(group));
  const Json json = {
      {"format", "hallmark-observe"},
      {"format_version", 1},
      {"version", version},
      {"dialect", seen.dialect},
      {"width", seen.width},
      {"profile", seen.profile},
      {"readings", seen.readings},
      {"listen", seen.listen},
      {"target", seen.target},
      {"started", base::iso_utc(seen.started)},
      {"duration_ns", seen.duration.count()},
      {"connections",
       {{"opened", json_number(seen.connections)},
        {"open_at_end", json_number(seen.open)},
        {"refused", json_number(seen.unreachable)},
        {"evicted", json_number(seen.evicted)}}},
      {"bytes",
       {{"from_clients", json_number(seen.bytes[0])}, {"from_target", json_number(seen.bytes[1])}}},
      {"datagrams_not_sent", json_number(seen.not_sent[0] + seen.not_sent[1])},
      {"messages",
       {{"requests", json_number(seen.requests)},
        {"replies", json_number(seen.replies)},
        {"pushes", json_number(seen.pushes)}}},
      {"operations", std::move(operations)},
      {"violations", std::move(violations)},
      {"violation_count", json_number(seen.violation_count())},
      {"unclaimed", json_number(seen.unclaimed)},
      {"consequences", json_number(seen.consequences)},
      {"not_looked_at",
       {{"bytes", json_number(seen.missed_bytes)},
        {"connections", json_number(seen.missed_connections)}}},
      {"exit_code", exit_code}};
  return json.dump(1) + '\n';
}

}  // namespace hallmark::observe
