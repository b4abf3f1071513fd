#pragma once

#include "protocol/by_kind.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/readings.hpp"

/// Compile-time checks of dialect tables. A dialect that breaks a rule does not build, and the
/// sentence that names the rule stands in the compiler's message.
namespace hallmark::protocol {

/// Not constexpr on purpose: reaching it while a table is checked is the error.
inline void the_dialect_is_wrong(const char* /*because*/) {}

/// True of literals that stand once in their message. All other names are listed in names.hpp.
constexpr bool is_named_as_spelled(const Field& field) {
  return field.is<kinds::Literal>() && field.get<kinds::Literal>().spelling == field.name;
}

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

/// The fields of up to two lists that share one record.
struct Siblings {
  std::span<const Field> first, second;

  constexpr std::size_t size() const { return first.size() + second.size(); }
  constexpr const Field& operator[](std::size_t i) const {
    return i < first.size() ? first[i] : second[i - first.size()];
  }

  /// True if a field before that position says how long the one of that name is.
  constexpr bool measured_before(std::string_view name, std::size_t position) const {
    for (std::size_t i = 0; i < position; ++i) {
      if ((*this)[i].measured() == name) return true;
    }
    return false;
  }

  template <class Kind>
  constexpr bool has(std::string_view name) const {
    for (std::size_t i = 0; i < size(); ++i) {
      if ((*this)[i].name == name && (*this)[i].is<Kind>()) return true;
    }
    return false;
  }
};

constexpr void check_width(std::uint8_t width) {
  if (width > 8) the_dialect_is_wrong("a number is wider than eight bytes");
}

constexpr void check_record(const Dialect& dialect, Siblings record);

/// Checks one field of a record by the rules for its kind.
struct FieldCheck {
  const Dialect& dialect;
  Siblings record;
  std::size_t position;

  constexpr void operator()(const kinds::Opcode& /*kind*/) const {}
  constexpr void operator()(const kinds::Status& /*kind*/) const {}
  constexpr void operator()(const kinds::Integer& kind) const { check_width(kind.width); }

  constexpr void operator()(const kinds::ChoiceOf& kind) const {
    check_width(kind.width);
    if (kind.choices.empty()) return the_dialect_is_wrong("a choice field lists no choices");
    for (std::size_t i = 0; i < kind.choices.size(); ++i) {
      if (kind.choices[i].code > max_of_width(kind.width))
        the_dialect_is_wrong("a choice does not fit its field");
      for (std::size_t j = 0; j < i; ++j) {
        if (kind.choices[i].code == kind.choices[j].code)
          the_dialect_is_wrong("two choices of a field share one code");
      }
    }
  }

  constexpr void operator()(const kinds::Size& kind) const {
    check_width(kind.width);
    if (!record.has<kinds::Bytes>(kind.of))
      the_dialect_is_wrong("a size measures a field that is not there");
  }

  constexpr void operator()(const kinds::Count& kind) const {
    check_width(kind.width);
    counts(kind.of);
  }
  constexpr void operator()(const kinds::DecimalCount& kind) const { counts(kind.of); }

  constexpr void operator()(const kinds::Bytes& /*kind*/) const {
    if (!record.measured_before(record[position].name, position))
      the_dialect_is_wrong("a field of bytes has no size before it");
  }

  constexpr void operator()(const kinds::FixedBytes auto& kind) const {
    if (kind.width == 0) the_dialect_is_wrong("a field of fixed length has no length");
  }

  constexpr void operator()(const kinds::Group& kind) const {
    if (!record.measured_before(record[position].name, position))
      the_dialect_is_wrong("a group has no count before it");
    check_record(dialect, {kind.head, kind.tail});
  }

  constexpr void operator()(const kinds::Literal& kind) const {
    if (kind.spelling.empty()) the_dialect_is_wrong("a literal spells nothing");
  }

  constexpr void operator()(const kinds::Line& /*kind*/) const { comes_last(); }

  constexpr void operator()(const kinds::State& kind) const {
    if (dialect.formats.empty()) the_dialect_is_wrong("a state in a dialect that has no formats");
    if (kind.until == kinds::State::no_end) comes_last();
  }

  template <among<kinds::Tag, kinds::Decimal, kinds::Word, kinds::SignedDecimal, kinds::Real> Kind>
  constexpr void operator()(const Kind& /*kind*/) const {}

 private:
  constexpr void counts(std::string_view group) const {
    if (!record.has<kinds::Group>(group))
      the_dialect_is_wrong("a count counts a group that is not there");
  }

  constexpr void comes_last() const {
    if (position + 1 != record.size())
      the_dialect_is_wrong("a field behind one that reaches to the end");
  }
};

constexpr void check_field(const Dialect& dialect, Siblings record, std::size_t position) {
  const Field& field = record[position];
  if (field.name.empty()) the_dialect_is_wrong("a field has no name");
  for (std::size_t i = 0; i < position; ++i) {
    if (field.name == record[i].name && !exclusive(field.when, record[i].when))
      the_dialect_is_wrong("two fields of a record share one name under the same readings");
  }
  check_when(dialect, field.when);
  const bool textual =
      by_kind(field.kind, []<class Kind>(const Kind& /*kind*/) { return kinds::Textual<Kind>; });
  if (textual && dialect.transport == Transport::stream)
    the_dialect_is_wrong("text ends with its message, and a stream has no end of messages");
  by_kind(field.kind, FieldCheck{dialect, record, position});
}

constexpr void check_record(const Dialect& dialect, Siblings record) {
  for (std::size_t i = 0; i < record.size(); ++i) check_field(dialect, record, i);
}

constexpr void check_message(const Dialect& dialect, const Message& message) {
  check_when(dialect, message.when);
  check_record(dialect, {message.fields, message.on_success});
}

constexpr bool starts_with_opcode(const Message& message) {
  return !message.fields.empty() && message.fields[0].is<kinds::Opcode>();
}

constexpr bool has_literal(const Message& message) {
  for (const Field& field : message.fields) {
    if (field.is<kinds::Literal>()) return true;
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
      // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): names in tables are literals
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

constexpr bool starts_with_literal(const Message& message, std::string_view spelling) {
  return !message.fields.empty() && message.fields[0].is<kinds::Literal>() &&
         message.fields[0].get<kinds::Literal>().spelling == spelling;
}

constexpr void check_formats(const Dialect& dialect) {
  if (dialect.formats.empty() == (dialect.transport == Transport::at_rest))
    the_dialect_is_wrong("a dialect has formats when it is at rest, and only then");
  for (std::size_t i = 0; i < dialect.formats.size(); ++i) {
    const Format& format = dialect.formats[i];
    if (!starts_with_literal(format.message, format.header))
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
