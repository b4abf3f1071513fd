#include "cli/proxy/proxy_report.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "reports/json_number.hpp"

namespace hallmark::cli {
namespace {

using base::Json;
using proxy::Counts;
using proxy::FaultPlan;
using reports::json_number;

struct CountName {
  const char* shown;
  const char* key;
  std::uint64_t Counts::*count;
};

// The counts, in two parts: the discarded datagrams are shown between them.
constexpr CountName passed[] = {{"received", "received", &Counts::received},
                                {"duplicated", "duplicated", &Counts::duplicated},
                                {"forwarded", "forwarded", &Counts::forwarded},
                                {"dropped", "dropped", &Counts::dropped}};
constexpr CountName befallen[] = {
    {"held at the end", "held", &Counts::held},     {"delayed", "delayed", &Counts::delayed},
    {"held back", "held_back", &Counts::held_back}, {"reordered", "reordered", &Counts::reordered},
    {"corrupted", "corrupted", &Counts::corrupted}, {"truncated", "truncated", &Counts::truncated},
    {"refused", "refused", &Counts::refused},       {"missed", "missed", &Counts::missed}};

std::string cell(std::uint64_t count) { return count == 0 ? "·" : base::grouped(count); }

void add_rows(reports::Table& table, std::span<const CountName> names,
              const proxy::Summary& summary) {
  for (const auto& [shown, key, count] : names) {
    table.add({shown, cell(summary.requests.*count), cell(summary.replies.*count)});
  }
}

std::string counts_table(const proxy::Summary& summary, const reports::TerminalStyle& style) {
  reports::Table table({reports::Align::left, reports::Align::right, reports::Align::right});
  table.add({"datagrams", "requests", "replies"}, style, reports::Colour::bold);
  add_rows(table, passed, summary);
  table.add(
      {"discarded", cell(summary.requests.discarded.all()), cell(summary.replies.discarded.all())});
  add_rows(table, befallen, summary);
  return table.render();
}

/// Names the losses to the proxy's own limits: they would pass for faults of the plan.
std::string own_losses(const proxy::Summary& summary) {
  const auto both = [&](std::uint64_t proxy::Discarded::*reason) {
    return summary.requests.discarded.*reason + summary.replies.discarded.*reason;
  };
  const std::pair<std::uint64_t, const char*> losses[] = {
      {both(&proxy::Discarded::held_limit), "beyond --max-held or --max-held-bytes"},
      {both(&proxy::Discarded::flow_closed), "beyond --max-flows, or no socket for their client"},
      {both(&proxy::Discarded::not_sent), "not taken by the system"},
      {summary.requests.missed + summary.replies.missed, "thrown away before they were read"}};
  std::string text;
  for (const auto& [count, reason] : losses) {
    if (count == 0) continue;
    text += fmt::format("lost by the proxy itself, not by a fault: {} {}\n",
                        base::counted(count, "datagram", "datagrams"), reason);
  }
  return text;
}

Json json_of(const FaultPlan& plan) {
  return {{"drop", plan.drop},
          {"duplicate", plan.duplicate},
          {"reorder", plan.reorder},
          {"corrupt", plan.corrupt},
          {"truncate", plan.truncate},
          {"delay_ns", Json::array({plan.delay.shortest.count(), plan.delay.longest.count()})},
          {"overtaken_by_at_most", plan.overtaken_by_at_most},
          {"held_back_at_most_ns", plan.held_back_at_most.count()}};
}

Json json_of(const Counts& counts) {
  Json json;
  for (const auto& [shown, key, count] : passed) json[key] = counts.*count;
  json["discarded"] = {{"held_limit", counts.discarded.held_limit},
                       {"flow_closed", counts.discarded.flow_closed},
                       {"not_sent", counts.discarded.not_sent}};
  for (const auto& [shown, key, count] : befallen) json[key] = counts.*count;
  return json;
}

Json json_of(const proxy::Copy& copy) {
  Json json = {{"delay_ns", copy.delay.count()}};
  if (copy.overtaken_by > 0) json["overtaken_by"] = copy.overtaken_by;
  if (copy.cut_to) json["cut_to"] = *copy.cut_to;
  if (copy.flip) json["flip"] = {{"position", copy.flip->position}, {"mask", copy.flip->mask}};
  return json;
}

}  // namespace

std::string render_proxy_terminal(const ProxyRun& run, const reports::TerminalStyle& style) {
  return fmt::format("{} -> {}, seed {}, {}, {}\n\n{}{}", run.listen, run.target, run.options.seed,
                     base::counted(run.summary.flows_opened, "client", "clients"),
                     base::human_duration(run.duration), counts_table(run.summary, style),
                     own_losses(run.summary));
}

std::string render_proxy_json(const ProxyRun& run) {
  const Json json = {
      {"format", "hallmark-proxy"},
      {"format_version", 1},
      {"version", HALLMARK_VERSION},
      {"listen", run.listen},
      {"target", run.target},
      {"seed", json_number(run.options.seed)},
      {"started", base::iso_utc(run.started)},
      {"duration_ns", run.duration.count()},
      {"flows", {{"opened", run.summary.flows_opened}, {"evicted", run.summary.flows_evicted}}},
      {"faults",
       {{"requests", json_of(run.options.requests)}, {"replies", json_of(run.options.replies)}}},
      {"counts",
       {{"requests", json_of(run.summary.requests)}, {"replies", json_of(run.summary.replies)}}}};
  return json.dump(1) + '\n';
}

std::string render_decision(const proxy::Decision& decision) {
  const bool is_request = decision.id.direction == proxy::Direction::requests;
  Json json = {{"direction", is_request ? "request" : "reply"},
               {"flow", decision.id.flow},
               {"number", decision.id.number},
               {"size", decision.size},
               {"copies", Json::array()}};
  for (const proxy::Copy& copy : decision.fate) json["copies"].push_back(json_of(copy));
  return json.dump() + '\n';
}

}  // namespace hallmark::cli
