#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audit/findings_text.hpp"
#include "audit/report.hpp"
#include "audit/verdict.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::audit {
namespace {

using base::counted;
using base::grouped;
using base::printable;
using reports::Align;
using reports::Colour;
using reports::TerminalStyle;

std::string cell(std::uint64_t count) { return count == 0 ? "·" : grouped(count); }

std::string heading(const Report& report) {
  const AuditResult& audit = report.run.audit;
  const double seconds = std::chrono::duration<double>(audit.duration).count();
  std::string text =
      fmt::format("{}{}: {} in {}", printable(report.store),
                  report.match == "*" ? "" : " " + printable(report.match),
                  counted(audit.entries, "entry", "entries"), base::human_duration(audit.duration));
  if (seconds >= 0.1)
    text += fmt::format(
        " ({} a second)",
        grouped(static_cast<std::uint64_t>(static_cast<double>(audit.entries) / seconds)));
  return text;
}

std::string formats_table(const AuditResult& audit, const TerminalStyle& style) {
  if (audit.formats.empty()) return {};
  reports::Table table({Align::left, Align::right, Align::right, Align::right, Align::right});
  table.add({"format", "entries", "to rewrite", "to merge", "to leave"}, style, Colour::bold);
  for (const auto& [formats, result] : audit.formats)
    table.add({formats.name(), grouped(result.count), cell(result.rewrite), cell(result.merge),
               cell(result.left)});
  return "\n" + table.render();
}

std::string_view remedy_for(model::Obstacle obstacle) {
  switch (obstacle) {
    case model::Obstacle::ambiguous: return "; --strategy or --config says which";
    case model::Obstacle::quota: return "; --quota or --config names it";
    case model::Obstacle::malformed:
    case model::Obstacle::unwritable: return "";
  }
  return "";
}

std::string remarks(const AuditResult& audit) {
  std::string text;
  for (const auto& [obstacle, left] : audit.left)
    text += fmt::format("cannot be migrated, {}: {}, first \"{}\": {}{}\n", name_of(obstacle),
                        grouped(left.count), printable(left.example_key),
                        printable(left.example_reason), remedy_for(obstacle));
  std::vector<std::string> answers;
  for (const ReadingResult& one : audit.readings)
    answers.push_back(fmt::format("{}={} {}", one.reading, one.answer, grouped(one.count)));
  if (!answers.empty()) text += fmt::format("readings seen: {}\n", fmt::join(answers, ", "));
  if (!audit.unused_rules.empty())
    text += fmt::format("rules that no key matches: {}\n",
                        printable(fmt::format("{}", fmt::join(audit.unused_rules, ", "))));
  if (audit.expired > 0) text += fmt::format("expired, not checked: {}\n", grouped(audit.expired));
  if (audit.seen_again > 0)
    text += fmt::format("given again by the scan, counted once: {}\n", grouped(audit.seen_again));
  if (!audit.exact)
    text += "more keys than are remembered (--remember): some may be counted twice\n";
  return text.empty() ? text : "\n" + text;
}

std::string migration_text(const MigrationResult& migration) {
  std::string text = fmt::format(
      "\n{}\n", migration.dry_run ? "a migration would rewrite (nothing was written)" : "migrated");
  reports::Table table({Align::left, Align::right});
  for (const auto& [formats, count] : migration.rewritten)
    table.add({formats.name(), grouped(count)});
  text += migration.rewritten.empty() ? "  nothing\n" : table.render(2);
  if (migration.merged_keys > 0)
    text += fmt::format("  of these, {} merged into {}\n",
                        counted(migration.merged_parts, "key", "keys"),
                        counted(migration.merged_keys, "key", "keys"));
  for (const Rewritten& one : migration.examples)
    text += fmt::format(
        "  \"{}\"\n    - {}\n    + {}{}\n", printable(one.key), printable(one.before),
        one.after_key.empty() ? "" : printable(one.after_key) + " ", printable(one.after));
  if (migration.repaired > 0)
    text += fmt::format("  {}: {}\n",
                        migration.dry_run ? "entries that would have no finding any more"
                                          : "entries that have no finding any more",
                        grouped(migration.repaired));
  if (migration.overtaken > 0)
    text += fmt::format("  written by others in the meantime, left to them: {}\n",
                        grouped(migration.overtaken));
  for (const NotDone& one : migration.not_done_first)
    text += fmt::format("  not done: \"{}\": {}\n", printable(one.key), printable(one.reason));
  if (migration.not_done > migration.not_done_first.size())
    text += fmt::format("  not done: {} in all\n", grouped(migration.not_done));
  return text;
}

Colour colour_of(Verdict verdict) {
  if (verdict == Verdict::sound) return Colour::green;
  const bool bad = verdict == Verdict::faulty || verdict == Verdict::unfinished;
  return bad ? Colour::red : Colour::yellow;
}

/// ", 2 of them repaired, 1 not migrated"
std::string migration_summary(const RunResult& run) {
  if (!run.migration) return {};
  const MigrationResult& migration = *run.migration;
  std::string text;
  if (migration.repaired > 0)
    text += fmt::format(", {} of them {}", grouped(migration.repaired),
                        migration.dry_run ? "to be repaired" : "repaired");
  if (const std::uint64_t left = not_migrated(run); left > 0)
    text += fmt::format(", {} {}", grouped(left),
                        migration.dry_run ? "not to be migrated" : "not migrated");
  return text;
}

std::string verdict(const RunResult& run, const TerminalStyle& style) {
  const AuditResult& audit = run.audit;
  std::string text;
  if (!audit.error.empty())
    text = fmt::format("{}{}\n", audit.lost ? "the store was lost: " : "", printable(audit.error));
  const Verdict word = verdict_on(run);
  return text + fmt::format("{}  {}, {} with findings{}{}\n",
                            reports::paint(style, colour_of(word), name_of(word)),
                            counted(audit.entries, "entry", "entries"), grouped(audit.faulty),
                            migration_summary(run), audit.interrupted ? ", interrupted" : "");
}

}  // namespace

std::string render_terminal(const Report& report, const TerminalStyle& style) {
  const AuditResult& audit = report.run.audit;
  std::string text = reports::paint(style, Colour::bold, heading(report)) + "\n" +
                     formats_table(audit, style) + remarks(audit);
  if (report.run.migration) text += migration_text(*report.run.migration);
  return text + findings_text(audit, style) + "\n" + verdict(report.run, style);
}

}  // namespace hallmark::audit
