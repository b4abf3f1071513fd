#include "protocol/dialect.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hallmark::protocol {
namespace {

template <class Range, class Predicate>
auto find_pointer(const Range& range, Predicate predicate) -> decltype(range.data()) {
  const auto found = std::ranges::find_if(range, predicate);
  return found == range.end() ? nullptr : &*found;
}

}  // namespace

std::string_view name_of(Width width) {
  switch (width) {
    case Width::none: return "none";
    case Width::u8: return "u8";
    case Width::u16: return "u16";
    case Width::u32: return "u32";
    case Width::u64: return "u64";
  }
  return "";
}

std::string_view name_of(Level level) {
  switch (level) {
    case Level::must: return "MUST";
    case Level::should: return "SHOULD";
    case Level::may: return "MAY";
  }
  return "";
}

const Operation* find_operation(const Dialect& dialect, MessageName name) {
  return find_pointer(dialect.operations, [&](const Operation& o) { return o.name == name; });
}

const Operation* find_operation_called(const Dialect& dialect, std::string_view name) {
  return find_pointer(dialect.operations,
                      [&](const Operation& o) { return base::equal_ignoring_case(o.name, name); });
}

const Operation* find_operation(const Dialect& dialect, std::uint8_t opcode) {
  return find_pointer(dialect.operations, [&](const Operation& o) { return o.opcode == opcode; });
}

const Push* find_push_called(const Dialect& dialect, std::string_view name) {
  return find_pointer(dialect.pushes,
                      [&](const Push& p) { return base::equal_ignoring_case(p.name, name); });
}

const Format* find_format(const Dialect& dialect, MessageName name) {
  return find_format_called(dialect, name);
}

const Format* find_format_called(const Dialect& dialect, std::string_view name) {
  return find_pointer(dialect.formats, [&](const Format& f) { return f.name == name; });
}

const Clause* find_clause(const Dialect& dialect, std::string_view id) {
  return find_pointer(dialect.clauses, [&](const Clause& c) { return c.id == id; });
}

const Choice* find_choice(std::span<const Choice> choices, std::uint64_t code) {
  return find_pointer(choices, [&](const Choice& c) { return c.code == code; });
}

}  // namespace hallmark::protocol
