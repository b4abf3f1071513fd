
#include "audit/report.hpp"
#include "audit/verdict.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "reports/json_number.hpp"

namespace hallmark::audit {
namespace {

using base::Json;
using base::printable;
using reports::json_number;

Json json_of(const Limits& limits) {
  return {{"now", std::to_string(limits.now)},
          {"skew", std::to_string(limits.skew)},
          {"horizon", std::to_string(limits.horizon)},
          {"oldest", std::to_string(limits.oldest)}};
}

Json json_of(FormatSet formats, const FormatResult& result) {
  return {{"format", formats.name()},
          {"count", json_number(result.count)},
          {"rewrite", json_number(result.rewrite)},
          {"merge", json_number(result.merge)},
          {"left", json_number(result.left)}};
}

Json json_of(const FindingGroup& group) {
  return {{"field", group.field},
          {"reason", printable(group.reason)},
          {"count", json_number(group.count)}};
}

Json json_of(const Example& example) {
  return {{"key", printable(example.key)},
          {"field", example.finding.field},
          {"offset", json_number(example.finding.offset)},
          {"length", json_number(example.finding.length)},
          {"reason", printable(explanation(example.finding))},
          {"value", printable(example.text)},
          {"value_begin", json_number(example.begin)}};
}

Json json_of(Kind kind, const KindResult& result) {
  Json json = {{"kind", name_of(kind)},
               {"count", json_number(result.count)},
               {"groups", Json::array()},
               {"ungrouped", json_number(result.ungrouped)},
               {"examples", Json::array()}};
  for (const FindingGroup& group : result.groups) json["groups"].push_back(json_of(group));
  for (const Example& example : result.examples) json["examples"].push_back(json_of(example));
  return json;
}

Json json_of(const MigrationResult& result) {
  Json json = {{"dry_run", result.dry_run},
               {"rewritten", Json::array()},
               {"merged_keys", json_number(result.merged_keys)},
               {"merged_parts", json_number(result.merged_parts)},
               {"overtaken", json_number(result.overtaken)},
               {"repaired", json_number(result.repaired)},
               {"not_done", json_number(result.not_done)},
               {"examples", Json::array()},
               {"not_done_first", Json::array()}};
  for (const auto& [formats, count] : result.rewritten)
    json["rewritten"].push_back({{"format", formats.name()}, {"count", json_number(count)}});
  for (const Rewritten& one : result.examples) {
    json["examples"].push_back(
        {{"key", printable(one.key)},
         {"before", printable(one.before)},
         {"after_key", printable(one.after_key.empty() ? one.key : one.after_key)},
         {"after", printable(one.after)}});
  }
  for (const NotDone& one : result.not_done_first)
    json["not_done_first"].push_back(
        {{"key", printable(one.key)}, {"reason", printable(one.reason)}});
  return json;
}

Json json_of(const AuditResult& audit) {
  Json json = {{"entries", json_number(audit.entries)},
               {"states", json_number(audit.states)},
               {"faulty", json_number(audit.faulty)},
               {"expired", json_number(audit.expired)},
               {"seen_again", json_number(audit.seen_again)},
               {"exact", audit.exact},
               {"formats", Json::array()},
               {"findings", Json::array()},
               {"readings", Json::array()},
               {"left", Json::array()},
               {"unused_rules", Json::array()}};
  for (const auto& [formats, result] : audit.formats)
    json["formats"].push_back(json_of(formats, result));
  for (std::size_t i = 0; i < kinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    if (audit.of(kind).count > 0) json["findings"].push_back(json_of(kind, audit.of(kind)));
  }
  for (const ReadingResult& one : audit.readings)
    json["readings"].push_back(
        {{"reading", one.reading}, {"answer", one.answer}, {"count", json_number(one.count)}});
  for (const auto& [obstacle, left] : audit.left)
    json["left"].push_back({{"why", name_of(obstacle)},
                            {"count", json_number(left.count)},
                            {"example_key", printable(left.example_key)},
                            {"example_reason", printable(left.example_reason)}});
  for (const std::string& pattern : audit.unused_rules)
    json["unused_rules"].push_back(printable(pattern));
  return json;
}

}  // namespace

std::string render_json(const Report& report) {
  const AuditResult& audit = report.run.audit;
  Json json = {{"format", "hallmark-audit"},
               {"format_version", 1},
               {"version", report.version},
               {"exit_code", static_cast<int>(exit_code(report.run))},
               {"verdict", base::lower_case(name_of(verdict_on(report.run)))},
               {"store", printable(report.store)},
               {"match", printable(report.match)},
               {"started", base::iso_utc(report.started)},
               {"duration_ns", audit.duration.count()},
               {"limits_ns", json_of(report.limits)},
               {"interrupted", audit.interrupted},
               {"error", printable(audit.error)},
               {"audit", json_of(audit)}};
  if (report.run.migration) json["migration"] = json_of(*report.run.migration);
  return json.dump(1) + '\n';
}

}  // namespace hallmark::audit
