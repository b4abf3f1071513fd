// Feeds arbitrary text to the reader of lists of known failures. A list that is accepted is written
// as a file that reads back as the same, and can be checked against ids; a refusal is one line. A
// pinned reason without places matches itself and nothing else.
//
// The list ends at the first zero; the rest is a pinned reason, a zero and a reason.
#include "base/fuzz/requirement.hpp"
#include "conformance/judgement/known_failures.hpp"

namespace hallmark::conformance {
namespace {

using fuzz::require;

void read_list(std::string_view text) {
  const auto list = parse_known_failures(text, "FILE");
  if (!list) return fuzz::require_line(list.error());
  const std::string written = render_known_failures(*list);
  const auto again = parse_known_failures(written, "FILE");
  require(again.has_value(), again ? "" : again.error(), written);
  require(*again == *list, "a list reads back as the same", written);
  const auto checked = check_known_failures(*list, {"throttr-7.1/u16/query/found"});
  if (!checked) fuzz::require_line(checked.error());
}

void match(std::string_view pinned, std::string_view reason) {
  const bool matches = reason_matches(pinned, reason);
  if (pinned.find('{') == pinned.npos)
    require(matches == (pinned == reason), "a reason without places matches itself", pinned);
}

}  // namespace
}  // namespace hallmark::conformance

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hallmark::fuzz::Input input(data, size);
  hallmark::conformance::read_list(input.until('\0'));
  const std::string_view pinned = input.until('\0');
  hallmark::conformance::match(pinned, input.text());
  return 0;
}
