#pragma once

#include "reference/protocol/readings.hpp"
#include "reference/protocol/throttr_terms.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::vectors::generator {

using Field = FieldPattern;
using protocol::Attribute;
using protocol::Change;
using protocol::code;
using protocol::TtlUnit;
using enum protocol::TtlUnit;

// What a scenario says of a field of a reply. The words are those of vectors::Match.
Field is(std::string_view field, std::uint64_t number);
Field is(std::string_view field, protocol::ByteView bytes);
Field is(std::string_view field, TtlUnit unit);
Field any(std::string_view field);
Field between(std::string_view field, std::uint64_t min, std::uint64_t max);
Field one_of(std::string_view field, std::vector<std::uint64_t> choices);
Field left(std::string_view field, const Lifetime& lifetime);
Field remember(std::string_view field, std::string_view name);
Field remembered(std::string_view field, std::string_view name);
Field holds(std::string_view group, std::vector<EntryPattern> records, bool exactly = false);

/// `n` bytes in which no short run repeats, so that a part that is lost or doubled shows.
Bytes pattern(std::size_t n);

/// A vector while it is written: what is sent, and by hand what has to come back.
class Scenario {
 public:
  /// `name` is the last part of the vector's id; it never changes once published.
  Scenario(const protocol::Dialect& dialect, protocol::Width width,
           const protocol::Readings& readings, std::string_view operation, std::string_view name,
           std::string_view title);

  Scenario& level(protocol::Level level);
  Scenario& cites(std::initializer_list<std::string_view> clauses);
  Scenario& flag(std::string_view flag);
  Scenario& needs(Precondition precondition);

  /// The scenario's own key or channel; `part` tells several of them apart.
  Bytes key(std::string_view part = "") const;
  /// Largest number of the value width.
  std::uint64_t max() const { return protocol::max_of_width(protocol::bytes_of(width_)); }
  protocol::Width width() const { return width_; }

  /// From here on steps happen on that connection; "a" until it is said.
  Scenario& on(std::string_view connection);

  /// Sends a request. Returns the position of the step, for lifetimes.
  std::size_t send(std::string_view operation, Record fields);
  /// Sends a request in which a field takes a remembered value.
  std::size_t send(std::string_view operation, Record fields, std::string_view field,
                   std::string_view remembered);

  /// The reply of the last request sent on this connection has these fields.
  Scenario& expect(std::vector<Field> fields);
  /// … or the first of these, or the second, and so on.
  Scenario& expect_any(std::vector<std::vector<Field>> alternatives);
  /// As expect_any, but the last alternative is right only once the lifetime may be over.
  Scenario& expect_until(const Lifetime& lifetime, std::vector<Field> before,
                         std::vector<Field> after);
  /// What the server sends unasked.
  Scenario& expect_push(std::string_view push, std::vector<Field> fields);
  Scenario& close();

  // The commonest steps in one word each. Those that set a TTL return its lifetime.
  Lifetime insert(const Bytes& key, std::uint64_t quota, TtlUnit type, std::uint64_t ttl);
  Lifetime set(const Bytes& key, const Bytes& value, TtlUnit type, std::uint64_t ttl);
  Lifetime update_ttl(const Bytes& key, Change change, std::uint64_t value, const Lifetime& result);
  Scenario& update_quota(const Bytes& key, Change change, std::uint64_t value,
                         std::uint64_t status = 1);
  Scenario& query(const Bytes& key, std::uint64_t quota, TtlUnit type, const Lifetime& lifetime);
  Scenario& get(const Bytes& key, const Bytes& value, TtlUnit type, const Lifetime& lifetime);
  /// The operation on that key fails.
  Scenario& fails(std::string_view operation, const Bytes& key);
  Scenario& purge(const Bytes& key);
  Scenario& subscribe(const Bytes& channel, std::uint64_t status = 1);
  Scenario& unsubscribe(const Bytes& channel, std::uint64_t status = 1);
  /// Publishes; expects the status where the readings say that there is one.
  Scenario& publish(const Bytes& channel, const Bytes& payload, std::uint64_t status = 1);
  /// A request whose reply must come next: what should not have been sent would come before it.
  Scenario& fence();
  /// Remembers the connection's id.
  Scenario& whoami(std::string_view name);

  const Vector& vector() const { return vector_; }
  Vector& vector() { return vector_; }

 private:
  void add(std::variant<Send, Expect, Close> action);
  Expected reply_with(std::vector<Field> fields) const;
  void touch(const Record& fields);

  const protocol::Dialect& dialect_;
  protocol::Width width_;
  const protocol::Readings& readings_;
  Vector vector_;
  std::string connection_ = "a";
  std::map<std::string, std::string> last_operation_;
};

}  // namespace hallmark::vectors::generator
