#include "audit/findings_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace hallmark::audit {
namespace {

using base::grouped;
using base::printable;
using reports::Align;
using reports::Colour;
using reports::TerminalStyle;

constexpr std::size_t most_groups_shown = 3;
/// Lines of an example, and what stands below the examples.
constexpr std::size_t lines_of_example = 3;
constexpr std::size_t lines_of_verdict = 3;

void add_groups(reports::Table& table, const KindResult& result) {
  auto groups = result.groups;
  std::ranges::stable_sort(groups, std::ranges::greater(), &FindingGroup::count);
  const std::size_t shown = std::min(groups.size(), most_groups_shown);
  for (std::size_t i = 0; i < shown; ++i)
    table.add({"", grouped(groups[i].count),
               fmt::format("  {}{}{}", groups[i].field, groups[i].field.empty() ? "" : ": ",
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
  const std::size_t offset = std::min(example.finding.offset - example.begin, example.text.size());
  const std::size_t begin = offset + before > width ? offset - std::min(offset, before) : 0;
  const std::string lead = (begin + example.begin > 0 ? "…" : "") +
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

/// The key in quotes, cut so that what is said about it fits the line.
std::string quoted_key(std::string_view key, std::size_t room) {
  constexpr std::size_t least = 16;
  return fmt::format("\"{}\"", base::excerpt(key, std::max(room, least)));
}

std::string shown(const Example& example, const TerminalStyle& style) {
  const Finding& finding = example.finding;
  const std::string where =
      finding.field.empty() ? "" : fmt::format(", {} at byte {}", finding.field, finding.offset);
  const std::string said = fmt::format("{}: {}", where, printable(explanation(finding)));
  const std::string name(name_of(finding.kind));
  const std::size_t room = style.width > name.size() + 2 ? style.width - name.size() - 2 : 1;
  const std::size_t used = base::display_width(said) + std::string_view("\"\"").size();
  const std::string line = quoted_key(example.key, room > used ? room - used : 0) + said;
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

}  // namespace

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

}  // namespace hallmark::audit
