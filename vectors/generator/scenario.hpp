#pragma once

#include <deque>
#include <functional>

#include "protocol/codec/layout.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/throttr_words.hpp"
#include "vectors/generator/expectation.hpp"

namespace hallmark::vectors::generator {

using protocol::Attribute;
using protocol::Change;
using protocol::code;
using protocol::TtlUnit;
using enum protocol::TtlUnit;

/// The name of a record in a request: a key, or a pair of consumer and resource.
class Name {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a key is a name.
  Name(Bytes key) : fields_{{"key", std::move(key)}} {}
  Name(Bytes consumer, Bytes resource)
      : fields_{{"consumer_id", std::move(consumer)}, {"resource_id", std::move(resource)}} {}

  /// `values` and the name.
  Record with(Record values) const;

 private:
  Record fields_;
};

/// A vector while it is written: what is sent, and by hand what has to come back. Requests are in
/// the words that all versions share (protocol::worded); a version with request ids gets a fresh
/// one for every request, and each reply has to bring it back.
class Scenario {
 public:
  /// `name` is the last part of the vector's id; it never changes once published.
  Scenario(protocol::Width width, const protocol::Readings& readings, protocol::Profile profile,
           protocol::MessageName operation, std::string_view name, std::string_view title);

  Scenario& level(protocol::Level level);
  /// Clauses that only other dialects have are left out. Throws where no dialect has one.
  Scenario& cites(std::initializer_list<std::string_view> clauses);
  Scenario& flag(std::string_view flag);
  Scenario& needs(Precondition precondition);

  /// The scenario's own key or channel; `part` tells several of them apart.
  Bytes key(std::string_view part = "") const;
  /// Largest number of the value width.
  std::uint64_t max() const { return protocol::max_of_width(protocol::bytes_of(width_)); }
  protocol::Width width() const { return width_; }
  const protocol::Dialect& dialect() const { return readings_->dialect(); }
  /// The answer that the vector is written for; empty when the dialect has no such reading.
  protocol::AnswerName answer(protocol::ReadingName reading) const {
    return readings_->answer(reading);
  }
  bool reads(protocol::Chosen answer) const { return readings_->reads(answer); }
  bool holds_when(const protocol::When& when) const { return readings_->holds(when); }

  /// The steps that follow happen on that connection; "a" until it is said.
  Scenario& on(std::string_view connection);

  /// Sends a request. Returns the position of the step, for lifetimes.
  std::size_t send(protocol::MessageName operation, Record fields);
  /// Sends a request in which a field takes a remembered value.
  std::size_t send(protocol::MessageName operation, Record fields, protocol::FieldName field,
                   std::string_view remembered);

  /// The reply to the oldest request of this connection that has none yet has these fields.
  Scenario& expect(std::vector<Field> fields);
  /// The same of a record whose lifetime may be over by then: `found` makes its fields, given what
  /// to say of its TTL.
  Scenario& expect_expiring(const Lifetime& lifetime,
                            const std::function<std::vector<Field>(Field ttl)>& found);
  /// It says success, where it has a status, and has these fields.
  Scenario& succeeds(std::vector<Field> fields);
  /// It says success, or failure, and nothing else.
  Scenario& status(bool success);
  /// A subscriber of the channel receives the payload.
  Scenario& receives(const Bytes& channel, const Bytes& payload);
  Scenario& close();

  // The commonest steps in one word each. Those that set a TTL return its lifetime.
  Lifetime insert(const Name& name, std::uint64_t quota, TtlUnit unit, std::uint64_t ttl,
                  bool success = true);
  Lifetime set(const Name& name, const Bytes& value, TtlUnit unit, std::uint64_t ttl,
               bool success = true);
  /// Updates the TTL of a record whose unit is `unit`; `after` is the TTL in that unit that the
  /// change gives.
  Lifetime update_ttl(const Name& name, Change change, TtlUnit unit, std::uint64_t value,
                      const Lifetime& before, std::uint64_t after);
  Scenario& update_quota(const Name& name, Change change, std::uint64_t value, bool success = true);
  Scenario& query(const Name& name, std::uint64_t quota, TtlUnit unit, const Lifetime& lifetime);
  Scenario& get(const Name& name, const Bytes& value, TtlUnit unit, const Lifetime& lifetime);
  /// The operation on that name fails.
  Scenario& fails(protocol::MessageName operation, const Name& name);
  Scenario& purge(const Name& name, bool success = true);
  Scenario& subscribe(const Bytes& channel, bool success = true);
  Scenario& unsubscribe(const Bytes& channel, bool success = true);
  /// Publishes to a channel that somebody is subscribed to; expects the status where the readings
  /// say that there is one.
  Scenario& publish(const Bytes& channel, const Bytes& payload, bool success = true);
  /// Publishes to a channel without subscribers.
  Scenario& publish_to_nobody(const Bytes& channel, const Bytes& payload);
  /// A request whose reply must come next: what should not have been sent would come before it.
  Scenario& fence();
  /// Remembers the connection's id.
  Scenario& whoami(std::string_view name);

  /// A TTL in some unit, as the dialect says it: its lifetime, and the field that names its unit.
  Lifetime lifetime(TtlUnit unit, std::uint64_t ttl, std::size_t since) const;
  Field ttl_type(TtlUnit unit) const;

  const Vector& vector() const { return vector_; }
  Vector& vector() { return vector_; }

 private:
  /// A request that waits for its reply.
  struct Asked {
    std::string operation;
    std::optional<std::uint64_t> request_id;
  };

  const protocol::Operation& operation(protocol::MessageName name) const;
  Record own_words(const protocol::Operation& operation, Record fields);
  void touch(const Record& fields);
  const Asked& oldest_unanswered() const;
  Scenario& expect_any(std::vector<std::vector<Field>> alternatives);
  void add(decltype(Step::action) action);

  protocol::Width width_;
  const protocol::Readings* readings_;
  Vector vector_;
  std::string name_;
  std::string connection_ = "a";
  std::map<std::string, std::deque<Asked>> unanswered_;
  std::uint64_t next_request_id_ = 1;
};

}  // namespace hallmark::vectors::generator
