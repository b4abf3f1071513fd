#include "vectors/format/tests/digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/crc.hpp>
#include <sstream>
#include <stdexcept>

#include "base/hex.hpp"

namespace hallmark::vectors::test {
namespace {

using Crc64 =
    boost::crc_optimal<64, 0x42F0E1EBA9EA3693, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, true, true>;

std::string text_of(const Record& record);

std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* bytes = std::get_if<Bytes>(&value))
    return fmt::format("<{}>", base::to_hex(*bytes));
  std::string text = "[";
  for (const Record& one : std::get<std::vector<Record>>(value)) text += text_of(one);
  return text + "]";
}

std::string text_of(const Record& record) {
  std::string text = "{";
  for (const auto& [name, value] : record.fields())
    text += fmt::format("{}={};", name, text_of(value));
  return text + "}";
}

std::string text_of(const Lifetime& lifetime) {
  return fmt::format("{}*{}@{}", lifetime.full, lifetime.unit_ns, lifetime.since);
}

/// All members, whichever of them the match looks at.
std::string text_of(const FieldPattern& pattern) {
  std::string text = fmt::format(
      "{} {} {} {}..{} {} {} '{}' {} at {}+{} {{", pattern.field, name_of(pattern.match),
      text_of(pattern.value), pattern.min, pattern.max, fmt::join(pattern.choices, ","),
      text_of(pattern.lifetime), pattern.capture, pattern.exactly, pattern.offset, pattern.length);
  for (const EntryPattern& entry : pattern.entries) {
    for (const FieldPattern& field : entry.fields) text += text_of(field);
    text += "|";
  }
  return text + "}";
}

std::string text_of(const Expected& expected) {
  std::string text =
      fmt::format("{} {} <{}>", expected.message, expected.push, base::to_hex(expected.example));
  if (expected.only_after) text += " only after " + text_of(*expected.only_after);
  for (const FieldPattern& field : expected.fields) text += "\n    " + text_of(field);
  return text;
}

std::string text_of(const Step& step) {
  std::string text = step.connection;
  if (const auto* const send = std::get_if<Send>(&step.action)) {
    text += fmt::format(" sends {} <{}> {}", send->operation, base::to_hex(send->bytes),
                        text_of(send->fields));
    for (const Substitution& one : send->substitutions)
      text += fmt::format(" {} at {}+{} '{}'", one.field, one.offset, one.length, one.capture);
  } else if (const auto* const expect = std::get_if<Expect>(&step.action)) {
    text += " expects";
    for (const Expected& one : expect->any_of) text += "\n  " + text_of(one);
  } else if (const auto* const pause = std::get_if<Pause>(&step.action)) {
    text += fmt::format(" pauses {}", pause->milliseconds);
  } else {
    text += std::holds_alternative<Close>(step.action) ? " closes" : " hears nothing";
  }
  return text;
}

std::string placeholder_in(std::string id, std::string_view width) {
  const std::string part = fmt::format("/{}/", width);
  const auto at = id.find(part);
  return at == std::string::npos ? id : id.replace(at, part.size(), "/{width}/");
}

std::string with_width(std::string id, std::string_view width) {
  constexpr std::string_view placeholder = "{width}";
  const auto at = id.find(placeholder);
  return at == std::string::npos ? id : id.replace(at, placeholder.size(), width);
}

/// "u16" of "throttr-7.1/u16/insert/typical"; "none" where there is none.
std::string_view width_in(std::string_view id) {
  for (const std::string_view width : {"u8", "u16", "u32", "u64"}) {
    if (id.find(fmt::format("/{}/", width)) != id.npos) return width;
  }
  return "none";
}

}  // namespace

std::string canonical_text(const VectorFile& file, const Vector& vector) {
  std::string text = fmt::format("{} {} {} {}\n{}\n{} {}\nclauses {}\nflags {}\n", file.dialect,
                                 name_of(file.profile), name_of(file.width), file.operation,
                                 vector.id, vector.operation, name_of(vector.level),
                                 fmt::join(vector.clauses, " "), fmt::join(vector.flags, " "));
  for (const auto& [reading, answer] : vector.readings)
    text += fmt::format("reading {}={}\n", reading, answer);
  for (const Precondition one : vector.preconditions)
    text += fmt::format("needs {}\n", name_of(one));
  for (const Record& key : vector.keys) text += fmt::format("key {}\n", text_of(key));
  for (const Step& step : vector.steps) text += text_of(step) + "\n";
  return text;
}

std::string digest_of(const VectorFile& file, const Vector& vector) {
  const std::string text = canonical_text(file, vector);
  Crc64 crc;
  crc.process_bytes(text.data(), text.size());
  return fmt::format("{:016x}", crc.checksum());
}

Digests digests_of(const std::vector<VectorFile>& files) {
  Digests digests;
  for (const VectorFile& file : files) {
    for (const Vector& vector : file.vectors) digests[vector.id] = digest_of(file, vector);
  }
  return digests;
}

std::string in_lines(const Digests& digests) {
  std::map<std::string, std::string> lines;
  for (const auto& [id, digest] : digests) {
    const std::string_view width = width_in(id);
    lines[placeholder_in(id, width)] += fmt::format(" {} {}", width, digest);
  }
  std::string text;
  for (const auto& [id, rest] : lines) text += id + rest + "\n";
  return text;
}

Digests read_lines(const std::string& text) {
  Digests digests;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string id, width, digest;
    words >> id;
    while (words >> width) {
      if (!(words >> digest) || !digests.emplace(with_width(id, width), digest).second)
        throw std::runtime_error("not a line of digests: " + line);
    }
  }
  return digests;
}

}  // namespace hallmark::vectors::test
