#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/readings.hpp"
#include "protocol/record.hpp"

/// Golden vectors: what they consist of. The files under vectors/ hold them as JSON
/// (vectors/schema/vectors.schema.json); docs/vectors.md explains them to writers of runners.
namespace hallmark::vectors {

using base::Bytes;
using protocol::Record;
using protocol::Value;

/// A time to live as it was set: what is left of it is judged by when requests were sent and
/// answered, not by a tolerance.
struct Lifetime {
  std::uint64_t full = 0;     ///< as set, in units
  std::uint64_t unit_ns = 1;  ///< length of a unit in nanoseconds
  std::size_t since = 0;      ///< position of the step that sent the request which set it
  bool operator==(const Lifetime&) const = default;
};

enum class Match : std::uint8_t {
  equals,        ///< the value itself
  any,           ///< whatever the server chooses
  range,         ///< a number from `min` to `max`
  one_of,        ///< one of the `choices`
  remaining,     ///< the rest of `lifetime`, in its units, rounded down
  capture,       ///< any value, remembered under the name `capture`
  captured,      ///< the value remembered under that name
  captured_hex,  ///< the bytes remembered under that name, as lower-case hexadecimal digits
  set_of,        ///< a group's records, over all fragments, in any order and any split
};

struct FieldPattern;

/// A record that a group has to hold. Fields that are not named may be anything.
struct EntryPattern {
  std::vector<FieldPattern> fields;
  bool operator==(const EntryPattern&) const = default;
};

/// The value that a field of a message has to have.
struct FieldPattern {
  std::string field;  ///< for set_of: the name of the group of entries, at any depth
  Match match = Match::equals;
  Value value = std::uint64_t{0};
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  std::vector<std::uint64_t> choices;
  Lifetime lifetime;
  std::string capture;
  std::vector<EntryPattern> entries;
  bool exactly = false;  ///< set_of: no other records
  /// Place of the field in `Expected::example`; of a set_of: of everything from its count on.
  std::size_t offset = 0;
  std::size_t length = 0;
  bool operator==(const FieldPattern&) const = default;
};

/// A message that the server may send at a step.
struct Expected {
  std::string message;  ///< name of the operation whose reply it is, or of the push
  bool push = false;
  std::vector<FieldPattern> fields;  ///< in wire order, without opcode, sizes and counts
  Bytes example;                     ///< one right answer, whole
  /// Right only if this lifetime may be over by then.
  std::optional<Lifetime> only_after;
  bool operator==(const Expected&) const = default;
};

/// A field of a request that takes a value captured before.
struct Substitution {
  std::string field;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string capture;
  bool operator==(const Substitution&) const = default;
};

struct Send {
  std::string operation;  ///< empty: the bytes are no request of the dialect
  Record fields;          ///< the record that made the bytes
  Bytes bytes;
  std::vector<Substitution> substitutions;
  bool operator==(const Send&) const = default;
};

/// The next message on the connection is one of these.
struct Expect {
  std::vector<Expected> any_of;
  bool operator==(const Expect&) const = default;
};

/// The connection is closed by the client.
struct Close {
  bool operator==(const Close&) const = default;
};

/// The silence of a datagram server: no reply comes to the last datagram sent on this connection.
struct Silence {
  bool operator==(const Silence&) const = default;
};

/// Nobody does anything for so long. Only reproductions of failures have it: golden vectors do not
/// wait.
struct Pause {
  std::uint64_t milliseconds = 0;
  bool operator==(const Pause&) const = default;
};

struct Step {
  std::string connection;  ///< opened when a step first names it
  std::variant<Send, Expect, Close, Silence, Pause> action;
  bool operator==(const Step&) const = default;
};

/// The state of the server that a vector needs beyond its own keys.
enum class Precondition : std::uint8_t {
  empty,      ///< no key and no subscription exists
  exclusive,  ///< nobody else uses the server meanwhile
};

/// A vector is right for every server of its dialect and width that gives these answers.
struct Vector {
  /// Stable; e.g. `throttr-7.1/u16/insert/quota-max`, or `throttr-7.1/literal/u16/list/both-kinds`.
  std::string id;
  std::string title;
  std::string operation;
  protocol::Level level = protocol::Level::must;
  std::vector<std::string> clauses;
  std::vector<std::string> flags;               ///< explained in VectorFile::flags
  std::map<std::string, std::string> readings;  ///< the answers on which it depends, by reading
  std::vector<Precondition> preconditions;
  /// Everything it touches, as the fields by which PURGE names it: purged before and after.
  std::vector<Record> keys;
  std::vector<Step> steps;
  bool operator==(const Vector&) const = default;
};

/// The vectors of one operation at one width, written under one profile: the deployed one, or the
/// literal one where that makes a difference.
struct VectorFile {
  std::string dialect;
  protocol::Profile profile = protocol::Profile::deployed;
  /// The answers under which its messages are laid out where they are not those of the profile, by
  /// reading: of what was cut from a run against a server that gives these.
  std::map<std::string, std::string> answers;
  protocol::Width width = protocol::Width::u8;
  std::string operation;
  std::map<std::string, std::string> flags;  ///< meanings by flag
  std::vector<Vector> vectors;
  bool operator==(const VectorFile&) const = default;
};

/// The dialect that a file is of. Precondition: there is one of that name.
const protocol::Dialect& dialect_of(const VectorFile& file);

/// The answers by which the messages of a vector of that file are laid out.
protocol::Readings readings_of(const VectorFile& file, const Vector& vector);

std::string_view name_of(Match match);
std::string_view name_of(Precondition precondition);

}  // namespace hallmark::vectors
