// Feeds arbitrary text to the reader of JSON. What is accepted is written as text that reads back
// as the same value, on one line and on many; it nests no deeper than was allowed. A refusal is one
// line.
//
// The last byte chooses the depth that is allowed and if the text is a line, the rest is the text.
#include "base/json.hpp"

#include "base/fuzz/requirement.hpp"

namespace hallmark::base {
namespace {

using fuzz::require;

std::size_t depth_of(const Json& json) {
  std::size_t deepest = 0;
  for (const Json& item : json.items()) deepest = std::max(deepest, depth_of(item));
  for (const auto& [name, value] : json.members()) deepest = std::max(deepest, depth_of(value));
  return json.is_array() || json.is_object() ? deepest + 1 : 0;
}

void read(std::string_view text, const JsonOptions& options) {
  const auto json = parse_json(text, options);
  if (!json) return fuzz::require_line(json.error().message);
  require(depth_of(*json) <= options.depth, "values nest as deep as allowed", text);
  for (const int indent : {-1, 2}) {
    const std::string written = json->dump(indent);
    const auto again = parse_json(written, options);
    require(again && *again == *json, "JSON reads back as the same", written);
    require(again->dump(indent) == written, "equal values are written alike", written);
  }
}

}  // namespace
}  // namespace hallmark::base

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  fuzz::Input input(data, size);
  const std::uint8_t choice = input.last();
  base::read(input.text(), {.depth = choice % 32U + 1, .is_line = (choice & 32) != 0});
  return 0;
}
