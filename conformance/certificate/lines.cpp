#include "conformance/certificate/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/json.hpp"
#include "base/text.hpp"
#include "conformance/certificate/packed_hex.hpp"

namespace hallmark::certificate {
namespace {

using base::Error;
using conformance::Crossing;
using conformance::Packed;
using conformance::Part;
using conformance::Shared;
using Kind = Crossing::Kind;
using Outcome = Crossing::Outcome;

constexpr Kind of_connections[] = {Kind::open,   Kind::send,  Kind::offer, Kind::receive,
                                   Kind::finish, Kind::reset, Kind::close, Kind::wait,
                                   Kind::ended,  Kind::words};
constexpr Outcome all_outcomes[] = {Outcome::done, Outcome::refused, Outcome::timed_out,
                                    Outcome::closed, Outcome::reset};
constexpr Shared all_shared[] = {Shared::serial,
                                 Shared::curtailed,
                                 Shared::hopeless,
                                 Shared::stopped,
                                 Shared::curtailed_deliveries,
                                 Shared::curtailed_farewells,
                                 Shared::slowness,
                                 Shared::lost,
                                 Shared::beside,
                                 Shared::untidy,
                                 Shared::waits,
                                 Shared::apart,
                                 Shared::halves};

bool is_text(const Packed& bytes) {
  return bytes.repeats().empty() && std::ranges::all_of(bytes.held(), [](std::uint8_t byte) {
           return base::is_printable(static_cast<char>(byte)) || byte == '\n';
         });
}

std::string json_text(std::string_view text) { return base::Json(text).dump(); }

/// Appends printable bytes as text, and all others in hexadecimal.
void append_bytes(std::string& line, const Packed& bytes) {
  if (bytes.empty()) return;
  if (is_text(bytes)) {
    line += ",\"text\":" + json_text(base::as_text(bytes.held()));
    return;
  }
  line += ",\"bytes\":\"";
  append_packed_hex(line, bytes);
  line += '"';
}

void append(std::string& lines, const Crossing& one) {
  auto out = std::back_inserter(lines);
  if (one.kind == Kind::shared) {
    fmt::format_to(out, "{{\"shared\":\"{}\",\"value\":{}", name_of(one.what), one.number);
  } else if (one.kind == Kind::process) {
    fmt::format_to(out, "{{\"process\":{}", json_text(one.name));
    if (one.number != 0) fmt::format_to(out, ",\"value\":{}", one.number);
  } else if (one.kind == Kind::judged) {
    fmt::format_to(out, "{{\"judged\":{}", json_text(one.name));
  } else {
    fmt::format_to(out, "{{\"{}\":{}", name_of(one.kind), one.link);
  }
  append_bytes(lines, one.bytes);
  if (one.kind == Kind::offer) fmt::format_to(out, ",\"taken\":{}", one.number);
  if (one.outcome != Outcome::done)
    fmt::format_to(out, ",\"outcome\":\"{}\"", name_of(one.outcome));
  if (one.took > 0) fmt::format_to(out, ",\"ns\":{}", one.took);
  lines += "}\n";
}

template <class T, std::size_t count>
std::optional<T> named(const T (&all)[count], std::string_view name) {
  const auto* const found =
      std::ranges::find_if(all, [&](const T one) { return name_of(one) == name; });
  return found == std::end(all) ? std::nullopt : std::optional(*found);
}

Error no_line(std::string_view kind) {
  return {fmt::format("no line of a transcript starts with \"{}\"", base::excerpt(kind, 40))};
}

/// Reads the kind of a crossing, and its subject.
base::Result<Crossing> begun(FlatObject& line) {
  Crossing crossing;
  const std::string kind = line.kind();
  if (kind == name_of(Kind::shared)) {
    crossing.kind = Kind::shared;
    const auto what = named(all_shared, line.take_text(kind).value_or(""));
    const auto value = line.take_number("value");
    if (!what || !value) return Error{"a shared number without its name or its value"};
    crossing.what = *what;
    crossing.number = *value;
  } else if (kind == name_of(Kind::process)) {
    crossing.kind = Kind::process;
    crossing.name = line.take_text(kind).value_or("");
    crossing.number = line.take_number("value").value_or(0);
    if (crossing.name.empty()) return Error{"an answer about the process without its question"};
  } else if (kind == name_of(Kind::judged)) {
    crossing.kind = Kind::judged;
    crossing.name = line.take_text(kind).value_or("");
    if (crossing.name.empty()) return Error{"a message without a name"};
  } else if (const auto known = named(of_connections, kind)) {
    crossing.kind = *known;
    const auto link = line.take_number(kind);
    if (!link || *link > std::numeric_limits<std::uint32_t>::max())
      return Error{fmt::format("\"{}\" without the number of a connection", kind)};
    crossing.link = static_cast<std::uint32_t>(*link);
  } else {
    return no_line(kind);
  }
  return crossing;
}

}  // namespace

std::string lines_of(const Part& part) {
  std::string lines =
      fmt::format("{{\"{}\":{},\"began_ns\":{}}}\n", part_key, json_text(part.name), part.began);
  for (const Crossing& crossing : part.crossings) append(lines, crossing);
  fmt::format_to(std::back_inserter(lines), "{{\"{}\":{}}}\n", part_end_key, part.ended);
  return lines;
}

base::Result<Crossing> crossing_of(FlatObject line) {
  auto crossing = begun(line);
  if (!crossing) return crossing;
  if (const auto text = line.take_text("text")) crossing->bytes = Packed(base::as_bytes(*text));
  if (const auto hex = line.take_text("bytes")) {
    auto bytes = from_packed_hex(*hex);
    if (!bytes || !crossing->bytes.empty())
      return Error{"bytes that are not whole ones in lower-case hexadecimal, or too many"};
    crossing->bytes = std::move(*bytes);
  }
  if (crossing->kind == Kind::offer) crossing->number = line.take_number("taken").value_or(0);
  if (const auto name = line.take_text("outcome")) {
    const auto outcome = named(all_outcomes, *name);
    if (!outcome) return Error{"an outcome that is none"};
    crossing->outcome = *outcome;
  }
  crossing->took = line.take_number("ns").value_or(0);
  if (!line.empty()) return Error{fmt::format("an unknown key \"{}\"", line.kind())};
  return crossing;
}

base::Result<Part> part_of(FlatObject line) {
  Part part;
  auto name = line.take_text(part_key);
  const auto began = line.take_number("began_ns");
  if (!name || !began || !line.empty()) return Error{"a part without a name or a beginning"};
  part.name = std::move(*name);
  part.began = *began;
  return part;
}

base::Result<conformance::Time> end_of(FlatObject line) {
  const auto ended = line.take_number(part_end_key);
  if (!ended || !line.empty()) return Error{"the end of a part without its time"};
  return *ended;
}

}  // namespace hallmark::certificate
