#include "vectors/format/json_bytes.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "base/read_file.hpp"
#include "base/text.hpp"

namespace hallmark::vectors {
namespace {

using base::Bytes;
using base::ByteView;
using base::Json;
using base::JsonMembers;
using base::JsonReader;

/// The spelling of a part. Its name is also that of the member that spells a run.
enum class Spelling : std::uint8_t { hex, text };

std::string_view name_of(Spelling spelling) { return spelling == Spelling::hex ? "hex" : "text"; }

/// Periods in which long values of the vectors repeat.
constexpr std::size_t periods[] = {1, 251};
/// A run shorter than this is written out.
constexpr std::size_t shortest_run = 64;
constexpr std::size_t most_bytes = 16 * base::mebibyte;

Json spelled(Spelling spelling, ByteView bytes) {
  if (spelling == Spelling::hex) return base::to_hex(bytes);
  return std::string(bytes.begin(), bytes.end());
}

struct Run {
  std::size_t period = 0;  ///< 0: there is none
  std::size_t times = 0;
};

/// The longest run that `bytes` begin with.
Run leading_run(ByteView bytes) {
  Run best;
  for (const std::size_t period : periods) {
    std::size_t n = std::min(period, bytes.size());
    while (n < bytes.size() && bytes[n] == bytes[n - period]) ++n;
    const std::size_t times = n / period;
    if (n >= shortest_run && times >= 3 && times * period > best.times * best.period)
      best = {period, times};
  }
  return best;
}

/// One text, or a list where there are runs.
Json parts_of(Spelling spelling, ByteView bytes) {
  Json parts = Json::array();
  std::size_t written = 0;
  const auto flush = [&](std::size_t end) {
    if (end > written) parts.push_back(spelled(spelling, bytes.subspan(written, end - written)));
    written = end;
  };
  for (std::size_t at = 0; at < bytes.size();) {
    const Run run = leading_run(bytes.subspan(at));
    if (run.period == 0) {
      ++at;
      continue;
    }
    flush(at);
    parts.push_back({{name_of(spelling), spelled(spelling, bytes.subspan(at, run.period))},
                     {"times", run.times}});
    at += run.period * run.times;
    written = at;
  }
  if (parts.empty()) return spelled(spelling, bytes);
  flush(bytes.size());
  return parts;
}

Bytes read_spelled(Spelling spelling, const JsonReader& reader) {
  if (spelling == Spelling::text) return base::to_bytes(reader.string());
  auto bytes = base::from_canonical_hex(reader.string());
  if (!bytes) reader.refuse("pairs of lower-case hexadecimal digits");
  return *std::move(bytes);
}

/// Appends bytes, or as many repetitions of them as the run says.
void append_part(Spelling spelling, Bytes& all, const JsonReader& part) {
  Bytes once;
  std::size_t times = 1;
  if (part.json().is_object()) {
    JsonMembers run(part);
    once = read_spelled(spelling, run[name_of(spelling)]);
    times = run["times"].natural();
    run.no_more();
  } else {
    once = read_spelled(spelling, part);
  }
  const std::size_t room = most_bytes - all.size();
  if (!once.empty() && times > room / once.size()) part.refuse("at most 16 MiB in all");
  for (std::size_t i = 0; i < times && !once.empty(); ++i)
    all.insert(all.end(), once.begin(), once.end());
}

Bytes read_parts(Spelling spelling, const JsonReader& reader) {
  if (!reader.json().is_array()) return read_spelled(spelling, reader);
  Bytes all;
  for (const JsonReader& part : reader.items()) append_part(spelling, all, part);
  return all;
}

bool is_text(ByteView bytes) {
  return std::ranges::all_of(
      bytes, [](std::uint8_t byte) { return base::is_printable(static_cast<char>(byte)); });
}

}  // namespace

Json hex_json(ByteView bytes) { return parts_of(Spelling::hex, bytes); }

Bytes read_hex(const JsonReader& reader) { return read_parts(Spelling::hex, reader); }

Json value_json(ByteView bytes) {
  const Spelling spelling = is_text(bytes) ? Spelling::text : Spelling::hex;
  Json parts = parts_of(spelling, bytes);
  if (spelling == Spelling::text && parts.is_string()) return parts;
  return {{name_of(spelling), std::move(parts)}};
}

Bytes read_value_bytes(const JsonReader& reader) {
  if (reader.json().is_string()) return read_spelled(Spelling::text, reader);
  if (!reader.json().is_object()) reader.refuse("text, {\"text\": …} or {\"hex\": …}");
  JsonMembers members(reader);
  const Spelling spelling = reader.json().contains("text") ? Spelling::text : Spelling::hex;
  Bytes bytes = read_parts(spelling, members[name_of(spelling)]);
  members.no_more();
  return bytes;
}

}  // namespace hallmark::vectors
