#include "conformance/identify/identification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hallmark::conformance {
namespace {

std::string in_words(const protocol::Dialect& dialect, protocol::Width width) {
  return fmt::format("{} {}", dialect.name, protocol::name_of(width));
}

}  // namespace

const Finding* Identification::find(std::string_view subject) const {
  const auto found = std::ranges::find(findings, subject, &Finding::subject);
  return found == findings.end() ? nullptr : &*found;
}

std::string Identification::spoken() const { return in_words(*dialect, *width); }

std::string Identification::advice() const {
  return fmt::format("the target answers as {}: {}", spoken(), pinning_options(*dialect, *width));
}

std::string Identification::why_unknown(bool open) const {
  if (!stranger.empty()) {
    return fmt::format("the target is no Throttr{}: {}",
                       open ? ", unless --dialect and --width say so" : "", stranger);
  }
  std::vector<std::string_view> names;
  for (const protocol::Dialect* const one : possible) names.push_back(one->name);
  std::string text = open ? "--dialect has to say what the target speaks: "
                          : "the dialect of the target could not be told: ";
  text += names.empty() ? "its messages fit none"
                        : fmt::format("its messages fit {}", fmt::join(names, " and "));
  const Finding* const finding = find("dialect");
  if (finding == nullptr || finding->clues.empty()) return text;
  const Clue& last = finding->clues.back();
  return fmt::format("{}; {} was answered {}: {}", text, last.sent, last.came, last.shows);
}

std::string pinning_options(const protocol::Dialect& dialect, protocol::Width width) {
  return fmt::format("--dialect {} --width {}", dialect.name, protocol::name_of(width));
}

std::string found_line(const protocol::Dialect& dialect, protocol::Width width) {
  return fmt::format("found by its replies: {}; {} pins it", in_words(dialect, width),
                     pinning_options(dialect, width));
}

}  // namespace hallmark::conformance
