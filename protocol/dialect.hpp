#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/names.hpp"

/// What a dialect of a protocol is made of. A dialect is constexpr data: the one place where its
/// opcodes, field orders, readings and clauses are spelled. Everything that reads or writes bytes
/// walks these tables.
namespace hallmark::protocol {

/// Value width N: fixed for each server build and not announced on the wire. `none`: of dialects of
/// text, whose numbers are as long as their digits.
enum class Width : std::uint8_t { none = 0, u8 = 1, u16 = 2, u32 = 4, u64 = 8 };

constexpr std::size_t bytes_of(Width width) { return static_cast<std::size_t>(width); }

/// Whether anything says what an answer looks like: one that is not served is not judged either.
enum class Served : std::uint8_t { yes, no };

/// One of the answers that a reading may have.
struct Answer {
  std::string_view id;
  std::string_view meaning;
  Served served = Served::yes;
};

/// A choice that a document leaves: by contradicting itself, or by silence.
struct Reading {
  std::string_view id;
  std::string_view question;
  std::span<const Answer> answers;
  /// Id of the answer that the text favours; empty where it is silent.
  std::string_view favoured = {};
  /// Id of the answer that released servers give; empty where none was observed.
  std::string_view released = {};
  /// Section of the document that leaves the choice.
  std::string_view section;
  /// Id of the clause that holds a target to its answer.
  std::string_view clause;
};

/// A condition on a reading; one without a reading always holds.
struct When {
  std::string_view reading;
  std::string_view answer;
};

/// The unit of times; annotations show them as a date, too.
inline constexpr std::string_view unix_nanoseconds = "ns since the Unix epoch";

/// A legal value of a choice field.
struct Choice {
  std::uint64_t code;
  std::string_view name;
};

enum class Kind : std::uint8_t {
  opcode,   ///< the code of the message itself
  status,   ///< one byte, 01 success or 00 failure; decides whether `on_success` follows
  integer,  ///< an unsigned number
  choice,   ///< an unsigned number out of a list
  size,     ///< length in bytes of the `bytes` field named by `of`
  count,    ///< number of records in the `group` named by `of`
  bytes,    ///< as many bytes as its size field says
  opaque,   ///< a fixed number of bytes without inner structure
  text,     ///< a fixed number of bytes of text, padded with zeros
  group,    ///< records, as many as its count field, or the decimal `of` it, says
  // Text: of messages that are a whole datagram or string, and end where it ends.
  literal,  ///< the bytes that `literal` spells
  tag,      ///< decimal digits and a space; or nothing at all, where none is sent
  decimal,  ///< an unsigned decimal number without superfluous zeros; `decimals` digits follow a
            ///< point
  word,     ///< bytes up to the next `until` or the end, at least one
  line,     ///< all bytes up to the end, none of them a newline
  signed_decimal,  ///< a decimal number of 64 bits, perhaps with a minus, in two's complement
  real,            ///< a float64, its bits as the number; written as the shortest `%g`, read in any
                   ///< spelling with digits
  state,           ///< a whole string of one of the dialect's formats, up to `until` or the end
};

/// A field of a message, or of the records of a group.
struct Field {
  std::string_view name;
  Kind kind;
  /// Bytes on the wire; 0 means the value width. Not used by `bytes` and `group`.
  std::uint8_t width = 0;
  std::string_view of = {};
  std::span<const Choice> choices = {};
  std::string_view unit = {};
  When when = {};
  /// Of a group: what every record starts with, record after record …
  std::span<const Field> head = {};
  /// … and what comes for every record, in the same order, once all the heads are over.
  std::span<const Field> tail = {};
  std::string_view literal = {};
  /// Of a decimal: the number counts units of the last of these digits.
  std::uint8_t decimals = 0;
  /// Of a decimal: what it may be.
  std::uint64_t least = 0;
  std::uint64_t most = ~std::uint64_t{0};
  /// Of a word or a state: the byte that ends it. A state with none reaches to the end.
  char until = ' ';
  /// Of a state: the last of these bytes ends it, not the first.
  bool until_last = false;

  constexpr bool value_wide() const {
    return width == 0 && kind != Kind::bytes && kind != Kind::group && !textual();
  }
  constexpr bool textual() const { return kind >= Kind::literal; }
  constexpr bool numeric() const {
    return kind <= Kind::count || kind == Kind::decimal || kind == Kind::signed_decimal ||
           kind == Kind::real;
  }
  /// Whether it says how many records the group of that name has: in binary, or spelled.
  constexpr bool counts(std::string_view group) const {
    return (kind == Kind::count || kind == Kind::decimal) && !group.empty() && of == group;
  }
  /// Bytes on the wire of a field that is neither `bytes` nor `group`.
  constexpr std::size_t width_in(Width n) const { return width == 0 ? bytes_of(n) : width; }
};

/// A message: fields in wire order. Of a datagram dialect: all of the datagram.
struct Message {
  std::span<const Field> fields;
  /// What follows when the status among `fields` says success, or when there is no status.
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
  bool current;  ///< what is written today; the others only stand in stores
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

/// How messages travel; `at_rest`: not at all, they are strings that a store keeps.
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
  /// Of a dialect at rest, in place of operations: those of one strategy together, newest first.
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
const Choice* find_choice(const Field& field, std::uint64_t code);

}  // namespace hallmark::protocol
