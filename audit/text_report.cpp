#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "audit/report.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::audit {
namespace {

using base::counted;
using base::grouped;
using base::printable;
using reports::Align;
using reports::Colour;
using reports::ExitCode;
using reports::TerminalStyle;

constexpr std::size_t most_groups_shown = 3;
/// Lines of an example, and what stands below the examples.
constexpr std::size_t lines_of_example = 3;
constexpr std::size_t lines_of_verdict = 3;

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

std::string remarks(const AuditResult& audit) {
  std::string text;
  for (const auto& [obstacle, left] : audit.left)
    text += fmt::format("cannot be migrated, {}: {}, first \"{}\": {}\n", name_of(obstacle),
                        grouped(left.count), printable(left.example_key),
                        printable(left.example_reason));
  std::vector<std::string> answers;
  for (const ReadingResult& one : audit.readings)
    answers.push_back(fmt::format("{}={} {}", one.reading, one.answer, grouped(one.count)));
  if (!answers.empty()) text += fmt::format("readings seen: {}\n", fmt::join(answers, ", "));
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
  if (migration.overtaken > 0)
    text += fmt::format("  written by others in the meantime, left to them: {}\n",
                        grouped(migration.overtaken));
  for (const NotDone& one : migration.not_done_first)
    text += fmt::format("  not done: \"{}\": {}\n", printable(one.key), printable(one.reason));
  if (migration.not_done > migration.not_done_first.size())
    text += fmt::format("  not done: {} in all\n", grouped(migration.not_done));
  return text;
}

void add_groups(reports::Table& table, const KindResult& result) {
  auto groups = result.groups;
  std::ranges::stable_sort(groups, std::ranges::greater(), &FindingGroup::count);
  const std::size_t shown = std::min(groups.size(), most_groups_shown);
  for (std::size_t i = 0; i < shown; ++i)
    table.add({"", grouped(groups[i].count),
               fmt::format("  {}{}{}", groups[i].field, groups[i].field.empty() ? "" : " ",
                           printable(groups[i].reason))});
  if (groups.size() > shown || result.ungrouped > 0) {
    std::uint64_t rest = result.count;
    for (std::size_t i = 0; i < shown; ++i) rest -= groups[i].count;
    table.add({"", grouped(rest), "  others"});
  }
}

std::string kinds_table(const AuditResult& audit, const TerminalStyle& style, bool with_groups) {
  reports::Table table({Align::left, Align::right, Align::left});
  for (std::size_t i = 0; i < kinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    if (audit.of(kind).count == 0) continue;
    table.add(
        {std::string(name_of(kind)), grouped(audit.of(kind).count), std::string(meaning_of(kind))},
        style, Colour::red);
    if (with_groups) add_groups(table, audit.of(kind));
  }
  return table.render();
}

/// The text with a mark below what is wrong; of a long one, what is around it.
std::string marked(const Example& example, std::size_t width) {
  constexpr std::size_t before = 20;
  const std::size_t offset = std::min(example.finding.offset, example.text.size());
  const std::size_t begin = offset + before > width ? offset - std::min(offset, before) : 0;
  const std::string lead = (begin > 0 ? "…" : "") +
                           printable(std::string_view(example.text).substr(begin, offset - begin));
  const std::string wrong =
      printable(std::string_view(example.text).substr(offset, example.finding.length));
  const std::size_t after = std::min(offset + example.finding.length, example.text.size());
  const std::size_t used = base::display_width(lead);
  const std::size_t room = width > used ? width - used : 1;
  const std::size_t marks = std::clamp<std::size_t>(base::display_width(wrong), 1, room);
  return fmt::format(
      "    {}{}\n    {}{}\n", lead,
      base::shorten(wrong + printable(std::string_view(example.text).substr(after)), room),
      std::string(used, ' '), std::string(marks, '^'));
}

std::string shown(const Example& example, const TerminalStyle& style) {
  const Finding& finding = example.finding;
  const std::string where =
      finding.field.empty() ? "" : fmt::format(", {} at byte {}", finding.field, finding.offset);
  const std::string line =
      fmt::format("\"{}\"{}: {}", printable(example.key), where, printable(finding.reason));
  const std::string name(name_of(finding.kind));
  const std::size_t room = style.width > name.size() + 2 ? style.width - name.size() - 2 : 1;
  return fmt::format("{}  {}\n{}", reports::paint(style, Colour::red, name),
                     base::shorten(line, room), marked(example, style.width - 4));
}

/// The first of each kind before the second of any.
std::vector<const Example*> in_turn(const AuditResult& audit) {
  std::vector<const Example*> all;
  std::size_t longest = 0;
  for (const KindResult& kind : audit.found) longest = std::max(longest, kind.examples.size());
  for (std::size_t round = 0; round < longest; ++round) {
    for (const KindResult& kind : audit.found) {
      if (round < kind.examples.size()) all.push_back(&kind.examples[round]);
    }
  }
  return all;
}

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string findings_text(const AuditResult& audit, const TerminalStyle& style) {
  if (audit.faulty == 0) return {};
  std::string table = kinds_table(audit, style, true);
  if (style.height > 0 && lines_in(table) > style.height / 2)
    table = kinds_table(audit, style, false);
  const auto examples = in_turn(audit);
  std::size_t fit = examples.size();
  if (style.height > 0) {
    const std::size_t used = lines_in(table) + lines_of_verdict;
    const std::size_t room = style.height > used ? style.height - used : 0;
    fit = std::clamp<std::size_t>(room / lines_of_example, 1, std::max<std::size_t>(fit, 1));
  }
  std::string text = "\n" + table + "\n";
  for (std::size_t i = 0; i < std::min(fit, examples.size()); ++i)
    text += shown(*examples[i], style);
  return text;
}

std::string verdict(const Report& report, const TerminalStyle& style) {
  const AuditResult& audit = report.run.audit;
  const bool partial = audit.interrupted || !audit.error.empty();
  const bool clean = audit.faulty == 0 && exit_code(report) == ExitCode::as_expected;
  std::string text;
  if (!audit.error.empty()) text = fmt::format("the store was lost: {}\n", printable(audit.error));
  const std::string word = partial ? "INCOMPLETE" : clean ? "SOUND" : "FAULTY";
  const Colour colour = partial ? Colour::yellow : clean ? Colour::green : Colour::red;
  const std::uint64_t undone = report.run.migration ? report.run.migration->not_done : 0;
  return text + fmt::format("{}  {}, {} with findings{}{}\n", reports::paint(style, colour, word),
                            counted(audit.entries, "entry", "entries"), grouped(audit.faulty),
                            undone > 0 ? fmt::format(", {} not migrated", grouped(undone)) : "",
                            audit.interrupted ? ", interrupted" : "");
}

}  // namespace

ExitCode exit_code(const Report& report) {
  const AuditResult& audit = report.run.audit;
  if (!audit.error.empty()) return ExitCode::unreachable_or_harness_error;
  const bool undone = report.run.migration && report.run.migration->not_done > 0;
  if (audit.faulty > 0 || undone) return ExitCode::failures;
  return audit.interrupted ? ExitCode::indeterminate : ExitCode::as_expected;
}

std::string render_terminal(const Report& report, const TerminalStyle& style) {
  const AuditResult& audit = report.run.audit;
  std::string text = reports::paint(style, Colour::bold, heading(report)) + "\n" +
                     formats_table(audit, style) + remarks(audit);
  if (report.run.migration) text += migration_text(*report.run.migration);
  return text + findings_text(audit, style) + "\n" + verdict(report, style);
}

}  // namespace hallmark::audit
