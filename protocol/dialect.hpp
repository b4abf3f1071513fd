#pragma once

#include <optional>

#include "protocol/kinds.hpp"
#include "protocol/names.hpp"

/// The tables that make up a dialect of a protocol. A dialect is constexpr data: the one place
/// where its opcodes, field orders, readings and clauses are spelled. Everything that reads or
/// writes bytes walks these tables.
namespace hallmark::protocol {

/// Says if anything defines what an answer looks like. An answer that is not served is not judged
/// either.
enum class Served : std::uint8_t { yes, no };

/// One of the answers that a reading may have.
struct Answer {
  AnswerName id;
  std::string_view meaning;
  Served served = Served::yes;
};

/// A choice that a document leaves: by contradicting itself, or by silence.
struct Reading {
  ReadingName id;
  std::string_view question;
  std::span<const Answer> answers;
  /// Id of the answer that the text favours; empty where it is silent.
  AnswerName favoured = {};
  /// Id of the answer that released servers give; empty where none was observed.
  AnswerName released = {};
  /// Passages of the document that leave the choice, word for word but for markup; ` … ` stands
  /// between them. Empty where no document describes the dialect.
  std::string_view words = {};
  /// Section of the document that leaves the choice.
  std::string_view section;
  /// Id of the clause that holds a target to its answer.
  std::string_view clause;
};

/// A condition on a reading; one without a reading always holds.
struct When {
  ReadingName reading;
  AnswerName answer;
};

/// The unit of times; annotations show them as a date, too.
inline constexpr std::string_view unix_nanoseconds = "ns since the Unix epoch";

/// A field of a message, or of the records of a group.
struct Field {
  FieldName name;
  Kind kind;
  When when = {};

  /// True if the field is of one of these kinds.
  template <class... Kinds>
  constexpr bool is() const {
    return (kind.is<Kinds>() || ...);
  }

  /// Null for a field of another kind. Not for what is evaluated when compiling: GCC 12, with the
  /// undefined-behaviour sanitizer, does not take the comparison of such a pointer for a constant.
  template <class Kind>
  constexpr const Kind* as() const {
    return kind.as<Kind>();
  }

  /// Precondition: the field is of this kind.
  template <class Kind>
  constexpr const Kind& get() const {
    return kind.get<Kind>();
  }

  /// True if the value is a number, in binary or in text.
  constexpr bool numeric() const {
    using namespace kinds;
    return is<Opcode, Status, Integer, ChoiceOf, Size, Count, Decimal, DecimalCount, SignedDecimal,
              Real>();
  }

  /// Bytes on the wire, or `value_width`; nothing for a field that is as long as its content.
  constexpr std::optional<std::uint8_t> width() const {
    if (is<kinds::Opcode, kinds::Status>()) return 1;
    if (is<kinds::Integer>()) return get<kinds::Integer>().width;
    if (is<kinds::ChoiceOf>()) return get<kinds::ChoiceOf>().width;
    if (is<kinds::Size>()) return get<kinds::Size>().width;
    if (is<kinds::Count>()) return get<kinds::Count>().width;
    if (is<kinds::Opaque>()) return get<kinds::Opaque>().width;
    if (is<kinds::Text>()) return get<kinds::Text>().width;
    return std::nullopt;
  }

  /// Bytes on the wire where values have that width; 0 for a field that is as long as its content.
  constexpr std::size_t width_in(Width values) const {
    const auto bytes = width();
    return bytes ? kinds::width_in(*bytes, values) : 0;
  }

  /// The name of the field that this one measures or counts; empty for all other kinds.
  constexpr FieldName measured() const {
    if (is<kinds::Size>()) return get<kinds::Size>().of;
    if (is<kinds::Count>()) return get<kinds::Count>().of;
    if (is<kinds::DecimalCount>()) return get<kinds::DecimalCount>().of;
    return FieldName::none();
  }

  /// True if the value follows from the message and the other fields: records do not hold it.
  constexpr bool derived() const {
    return is<kinds::Opcode, kinds::Literal>() || !measured().empty();
  }
};

/// A message: fields in wire order. Of a datagram dialect: all of the datagram.
struct Message {
  std::span<const Field> fields;
  /// The fields that follow when the status among `fields` says success, or when there is no
  /// status.
  std::span<const Field> on_success = {};
  /// The message is sent only under this reading.
  When when = {};
};

struct Operation {
  MessageName name;
  /// On the wire where requests start with an opcode; otherwise its place among the operations.
  std::uint8_t opcode;
  Message request;
  Message reply;
  /// Section of the document.
  std::string_view section;
};

/// A message that the server sends without having been asked for it.
struct Push {
  MessageName name;
  std::uint8_t opcode;
  Message message;
  std::string_view section;
};

/// A way in which the state of one strategy is written down.
struct Format {
  MessageName name;  ///< the strategy, a slash and the header without its bar
  std::string_view strategy;
  std::string_view header;  ///< with its bar; what the string starts with
  std::uint8_t version;
  bool current;  ///< written today; the other formats only stand in stores
  Message message;
  std::string_view section;
};

enum class Level : std::uint8_t { must, should, may };

/// A sentence of the document, or a silence, that obliges, allows or forbids something.
struct Clause {
  std::string_view id;
  Level level;
  std::string_view section;
  std::string_view text;
};

/// The transport of messages. `at_rest`: they do not travel, but are strings that a store keeps.
enum class Transport : std::uint8_t { stream, datagram, at_rest };

struct Dialect {
  std::string_view name;
  std::string_view document;
  /// Released servers that speak it, whose answers its readings give as released.
  std::string_view servers;
  Transport transport;
  std::span<const Width> widths;
  std::span<const Operation> operations;
  std::span<const Push> pushes;
  std::span<const Reading> readings;
  std::span<const Clause> clauses;
  /// The formats of a dialect at rest, in place of operations. Those of one strategy are together,
  /// newest first.
  std::span<const Format> formats = {};
};

std::string_view name_of(Width width);
std::string_view name_of(Level level);

/// The operation of that name; null when the dialect does not have it.
const Operation* find_operation(const Dialect& dialect, MessageName name);

/// The same for a name that is known at run time only, in any case of letters.
const Operation* find_operation_called(const Dialect& dialect, std::string_view name);

const Operation* find_operation(const Dialect& dialect, std::uint8_t opcode);

/// The push of that name, in any case of letters; null when there is none.
const Push* find_push_called(const Dialect& dialect, std::string_view name);

/// The format of that name; null when the dialect does not have it.
const Format* find_format(const Dialect& dialect, MessageName name);

/// The same for a name that is known at run time only.
const Format* find_format_called(const Dialect& dialect, std::string_view name);

const Clause* find_clause(const Dialect& dialect, std::string_view id);

/// The legal value with that code; null when the code is not listed.
const Choice* find_choice(std::span<const Choice> choices, std::uint64_t code);

}  // namespace hallmark::protocol
