// Feeds arbitrary text to the readers of durations, shares, counts and times, and to those of bytes
// in hexadecimal and base64. What is accepted lies within its bounds, and is printed as text that
// reads back as the same; a refusal is one line.
#include "base/quantity.hpp"

#include "base/base64.hpp"
#include "base/fuzz/requirement.hpp"
#include "base/hex.hpp"
#include "base/utc.hpp"
#include "base/utf8.hpp"

namespace hallmark::base {
namespace {

using fuzz::require;
using fuzz::require_line_about;
using std::chrono::nanoseconds;

void read_duration(std::string_view text) {
  const auto read = parse_duration(text);
  if (!read) return require_line_about(text, read.error().message);
  require(*read >= nanoseconds::zero() && *read <= std::chrono::hours(24), "at most a day", text);
  const std::string printed = exact_duration(*read);
  const auto again = parse_duration(printed);
  require(again && *again == *read, "a duration reads back as the same", printed);
  require(!human_duration(*read).empty(), "a duration is shown", text);
}

void read_share(std::string_view text) {
  const auto read = parse_share(text);
  if (!read) return require_line_about(text, read.error().message);
  require(*read >= 0 && *read <= 1, "a share is at most all", text);
}

void read_count(std::string_view text) {
  const auto read = quantity_in(text, count_units);
  if (!read || !(read->value() >= 0 && read->value() <= 1e8)) return;
  const std::string printed = human_count(read->value());
  const auto again = quantity_in(printed, count_units);
  require(again && again->value() == read->value(), "a count reads back as the same", printed);
}

void read_time(std::string_view text) {
  const auto read = parse_utc(text);
  require(!read || iso_utc(*read) == text, "a time is written as it was read", text);
}

void read_bytes(std::string_view text) {
  if (const auto bytes = from_canonical_hex(text))
    require(to_hex(*bytes) == text, "hex is written as it was read", text);
  if (const auto bytes = from_hex(text))
    require(from_hex(to_hex(*bytes, " ")) == bytes, "bytes read back from hex", text);
  if (const auto bytes = from_base64(text))
    require(to_base64(*bytes) == text, "base64 is written as it was read", text);
  const auto bytes = from_any_base64(text);
  if (!bytes) return require_line_about(text, bytes.error().message);
  require(from_base64(to_base64(*bytes)) == *bytes, "bytes read back from base64", text);
}

/// Requires that text made printable stays as it is, and that an excerpt keeps to its columns.
void show(std::string_view text) {
  const std::string shown = printable(text);
  require(printable(shown) == shown, "what may be shown stays as it is", text);
  require(display_width(excerpt(text, 20)) <= 20, "an excerpt keeps to its columns", text);
  if (!text.empty())
    require(printable_prefix(text) <= text.size(), "a sequence lies within the text", text);
}

}  // namespace
}  // namespace hallmark::base

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  const std::string_view text = fuzz::Input(data, size).text();
  base::read_duration(text);
  base::read_share(text);
  base::read_count(text);
  base::read_time(text);
  base::read_bytes(text);
  base::show(text);
  return 0;
}
