#pragma once

#include "protocol/little_endian.hpp"
#include "protocol/readings.hpp"

/// Compile-time checks of dialect tables. A dialect that breaks a rule does not build, and the
/// sentence that names the rule stands in the compiler's message.
namespace hallmark::protocol {

/// Not constexpr on purpose: reaching it while a table is checked is the error.
inline void the_dialect_is_wrong(const char* /*because*/) {}

namespace well_formed_detail {

constexpr bool exclusive(const When& a, const When& b) {
  return !a.reading.empty() && a.reading == b.reading && a.answer != b.answer;
}

constexpr void check_when(const Dialect& dialect, const When& when) {
  if (when.reading.empty()) return;
  const std::size_t reading = Readings::index_of(dialect, when.reading);
  if (reading == Readings::most)
    return the_dialect_is_wrong("a field depends on a reading that is not declared");
  const Reading& declared = dialect.readings[reading];
  if (Readings::index_of(declared, when.answer) == declared.answers.size()) {
    the_dialect_is_wrong("a field depends on an answer that its reading does not have");
  }
}

/// Visits the fields of up to two lists that share one record.
template <class Visit>
constexpr void for_each(std::span<const Field> first, std::span<const Field> second, Visit visit) {
  for (std::size_t i = 0; i < first.size(); ++i) visit(first[i], i);
  for (std::size_t i = 0; i < second.size(); ++i) visit(second[i], first.size() + i);
}

/// Whether a field before position `before` says how many records the group of that name has.
constexpr bool counted_before(std::span<const Field> first, std::span<const Field> second,
                              std::string_view group, std::size_t before) {
  bool found = false;
  for_each(first, second,
           [&](const Field& f, std::size_t i) { found |= i < before && f.counts(group); });
  return found;
}

/// How many fields with that kind of measure refer to `name`, and come before position `before`.
constexpr bool measured_before(std::span<const Field> first, std::span<const Field> second,
                               Kind kind, std::string_view name, std::size_t before) {
  bool found = false;
  for_each(first, second, [&](const Field& f, std::size_t i) {
    if (f.kind == kind && f.of == name && i < before) found = true;
  });
  return found;
}

constexpr bool has_field(std::span<const Field> first, std::span<const Field> second,
                         std::string_view name, Kind kind) {
  bool found = false;
  for_each(first, second, [&](const Field& f, std::size_t) {
    if (f.name == name && f.kind == kind) found = true;
  });
  return found;
}

constexpr void check_choices(const Field& field) {
  if (field.choices.empty()) return the_dialect_is_wrong("a choice field lists no choices");
  for (std::size_t i = 0; i < field.choices.size(); ++i) {
    if (field.choices[i].code > max_of_width(field.width)) {
      the_dialect_is_wrong("a choice does not fit its field");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (field.choices[i].code == field.choices[j].code)
        the_dialect_is_wrong("two choices of a field share one code");
    }
  }
}

constexpr void check_width(const Field& field) {
  const bool fixed_length = field.kind == Kind::opaque || field.kind == Kind::text;
  if (fixed_length && field.width == 0)
    the_dialect_is_wrong("a field of fixed length has no length");
  if (field.numeric() && field.width > 8)
    the_dialect_is_wrong("a number is wider than eight bytes");
}

constexpr void check_record(const Dialect& dialect, std::span<const Field> first,
                            std::span<const Field> second);

constexpr void check_field(const Dialect& dialect, std::span<const Field> first,
                           std::span<const Field> second, const Field& field,
                           std::size_t position) {
  check_when(dialect, field.when);
  check_width(field);
  if (field.textual() && dialect.transport == Transport::stream)
    the_dialect_is_wrong("text ends with its message, and a stream has no end of messages");
  switch (field.kind) {
    case Kind::choice:
    case Kind::status: check_choices(field); break;
    case Kind::size:
      if (!has_field(first, second, field.of, Kind::bytes))
        the_dialect_is_wrong("a size measures a field that is not there");
      break;
    case Kind::decimal:
      if (field.of.empty()) break;
      [[fallthrough]];
    case Kind::count:
      if (!has_field(first, second, field.of, Kind::group))
        the_dialect_is_wrong("a count counts a group that is not there");
      break;
    case Kind::bytes:
      if (!measured_before(first, second, Kind::size, field.name, position))
        the_dialect_is_wrong("a field of bytes has no size before it");
      break;
    case Kind::literal:
      if (field.literal.empty()) the_dialect_is_wrong("a literal spells nothing");
      break;
    case Kind::state:
      if (dialect.formats.empty()) the_dialect_is_wrong("a state in a dialect that has no formats");
      if (field.until != '\0') break;
      [[fallthrough]];
    case Kind::line:
      if (position + 1 != first.size() + second.size())
        the_dialect_is_wrong("a field behind one that reaches to the end");
      break;
    case Kind::group:
      if (!counted_before(first, second, field.name, position))
        the_dialect_is_wrong("a group has no count before it");
      check_record(dialect, field.head, field.tail);
      break;
    default: break;
  }
}

constexpr void check_record(const Dialect& dialect, std::span<const Field> first,
                            std::span<const Field> second) {
  for_each(first, second, [&](const Field& field, std::size_t i) {
    if (field.name.empty()) the_dialect_is_wrong("a field has no name");
    if (field.name != field.literal && !FieldName::exists(field.name.data()))
      the_dialect_is_wrong("protocol/names.hpp does not list the name of a field");
    for_each(first, second, [&](const Field& other, std::size_t j) {
      if (j < i && field.name == other.name && !exclusive(field.when, other.when)) {
        the_dialect_is_wrong("two fields of a record share one name under the same readings");
      }
    });
    check_field(dialect, first, second, field, i);
  });
}

constexpr void check_message(const Dialect& dialect, const Message& message) {
  check_when(dialect, message.when);
  check_record(dialect, message.fields, message.on_success);
}

constexpr bool starts_with_opcode(const Message& message) {
  return !message.fields.empty() && message.fields[0].kind == Kind::opcode;
}

constexpr bool has_literal(const Message& message) {
  for (const Field& field : message.fields) {
    if (field.kind == Kind::literal) return true;
  }
  return false;
}

constexpr void check_operations(const Dialect& dialect) {
  for (std::size_t i = 0; i < dialect.operations.size(); ++i) {
    const Operation& operation = dialect.operations[i];
    if (dialect.transport == Transport::stream && !starts_with_opcode(operation.request))
      the_dialect_is_wrong("a request does not start with its opcode");
    if (dialect.transport == Transport::datagram && !has_literal(operation.request))
      the_dialect_is_wrong("a request of text does not spell its command");
    check_message(dialect, operation.request);
    check_message(dialect, operation.reply);
    for (std::size_t j = 0; j < i; ++j) {
      if (operation.opcode == dialect.operations[j].opcode)
        the_dialect_is_wrong("two operations share one opcode");
      if (operation.name == dialect.operations[j].name)
        the_dialect_is_wrong("two operations share one name");
    }
  }
}

constexpr bool has_clause(const Dialect& dialect, std::string_view id) {
  for (const Clause& clause : dialect.clauses) {
    if (clause.id == id) return true;
  }
  return false;
}

constexpr void check_readings(const Dialect& dialect) {
  if (dialect.readings.size() > Readings::most)
    the_dialect_is_wrong("a dialect has more readings than Readings holds");
  for (std::size_t i = 0; i < dialect.readings.size(); ++i) {
    const Reading& reading = dialect.readings[i];
    const auto lists = [&](std::string_view answer) {
      return answer.empty() || Readings::index_of(reading, answer) < reading.answers.size();
    };
    if (reading.answers.empty()) the_dialect_is_wrong("a reading has no answers");
    for (const Answer& answer : reading.answers) {
      if (!Chosen::exists(reading.id.data(), answer.id.data()))
        the_dialect_is_wrong("protocol/names.hpp does not list a reading with one of its answers");
    }
    if (!lists(reading.favoured))
      the_dialect_is_wrong("a reading favours an answer that it does not list");
    if (!lists(reading.released))
      the_dialect_is_wrong("a reading was released with an answer that it does not list");
    if (!has_clause(dialect, reading.clause))
      the_dialect_is_wrong("no clause stands for a reading");
    for (std::size_t j = 0; j < i; ++j) {
      if (reading.id == dialect.readings[j].id) the_dialect_is_wrong("two readings share one id");
    }
  }
}

constexpr void check_clauses(const Dialect& dialect) {
  for (std::size_t i = 0; i < dialect.clauses.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (dialect.clauses[i].id == dialect.clauses[j].id)
        the_dialect_is_wrong("two clauses share one id");
    }
  }
}

constexpr void check_formats(const Dialect& dialect) {
  if (dialect.formats.empty() == (dialect.transport == Transport::at_rest))
    the_dialect_is_wrong("a dialect has formats when it is at rest, and only then");
  for (std::size_t i = 0; i < dialect.formats.size(); ++i) {
    const Format& format = dialect.formats[i];
    const std::span<const Field> fields = format.message.fields;
    if (fields.empty() || fields[0].literal != format.header)
      the_dialect_is_wrong("a format does not start with its header");
    check_message(dialect, format.message);
    for (std::size_t j = 0; j < i; ++j) {
      const Format& other = dialect.formats[j];
      if (format.name == other.name) the_dialect_is_wrong("two formats share one name");
      if (format.strategy == other.strategy && format.current && other.current)
        the_dialect_is_wrong("a strategy has two current formats");
    }
  }
}

}  // namespace well_formed_detail

/// True for a dialect that keeps all the rules; does not compile for one that breaks a rule.
consteval bool well_formed(const Dialect& dialect) {
  if (dialect.widths.empty()) the_dialect_is_wrong("a dialect has no value width");
  well_formed_detail::check_readings(dialect);
  well_formed_detail::check_clauses(dialect);
  well_formed_detail::check_operations(dialect);
  well_formed_detail::check_formats(dialect);
  for (const Push& push : dialect.pushes) {
    if (!well_formed_detail::starts_with_opcode(push.message))
      the_dialect_is_wrong("a push does not start with its opcode");
    well_formed_detail::check_message(dialect, push.message);
  }
  return true;
}

}  // namespace hallmark::protocol
