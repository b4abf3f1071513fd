// Feeds arbitrary text to the readers of vector files: of streams and datagrams, of states, of
// invalid messages, and of format 2. What is accepted is written as a file that reads back as the
// same; a refusal is one line.
#include "base/fuzz/requirement.hpp"
#include "vectors/format/format_2.hpp"
#include "vectors/format/invalid.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/state_json.hpp"

namespace hallmark::vectors {
namespace {

using fuzz::require;

template <class Read>
void read_and_write(std::string_view text, Read read) {
  const auto value = read(text);
  if (!value) return fuzz::require_line(value.error().message);
  if constexpr (requires { value->empty(); }) {
    if (value->empty()) return;  // nothing to write
  }
  const std::string written = write_json(*value);
  const auto again = read(written);
  require(again.has_value(), "a file reads back", written);
  require(*again == *value, "a file reads back as the same", written);
  require(write_json(*again) == written, "equal files are equal text", written);
}

}  // namespace
}  // namespace hallmark::vectors

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark::vectors;
  const std::string_view text = hallmark::fuzz::Input(data, size).text();
  if (is_format_2(text)) {
    const auto file = read_format_2(text);
    if (!file) hallmark::fuzz::require_line(file.error().message);
  }
  read_and_write(text, [](std::string_view json) { return read_json(json); });
  read_and_write(text, read_state_json);
  read_and_write(text, read_invalid_json);
  return 0;
}
