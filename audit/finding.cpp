#include "audit/finding.hpp"

#include <algorithm>
#include <array>

namespace hallmark::audit {
namespace {

struct Words {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<Words, kinds> words = {{
    {"malformed", "no state"},
    {"json", "JSON, as states were before version 1"},
    {"other-type", "no string"},
    {"overlong", "a line longer than allowed"},
    {"unexpected", "a state of another strategy than configured"},
    {"future", "a time in the future"},
    {"past", "a time long ago"},
    {"wrong-unit", "a time that is not in nanoseconds"},
    {"zero-time", "the zero time of Go"},
    {"senseless", "a number that makes no sense"},
    {"not-canonical", "reads, but is not how it would be written"},
    {"mixed-versions", "a composite of old and new formats"},
    {"nested", "a composite in a composite"},
}};

const Words& words_of(Kind kind) { return words[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view name_of(Kind kind) { return words_of(kind).name; }
std::string_view meaning_of(Kind kind) { return words_of(kind).meaning; }

Excerpt excerpt_of(std::string_view text, const Finding& finding) {
  constexpr std::size_t around = 40;
  const std::size_t offset = std::min(finding.offset, text.size());
  const std::size_t end = offset + std::min(finding.length, around);
  const std::size_t begin = end <= longest_shown ? 0 : offset - around;
  return {text.substr(begin, longest_shown), begin};
}

std::string explanation(const Finding& finding) {
  return finding.detail.empty() ? finding.reason : finding.reason + ": " + finding.detail;
}

}  // namespace hallmark::audit
