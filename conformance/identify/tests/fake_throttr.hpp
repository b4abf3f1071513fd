#pragma once

#include <map>
#include <optional>
#include <set>

#include "conformance/drivers/stream/wire_format.hpp"
#include "conformance/identify/tests/test_network.hpp"
#include "protocol/record.hpp"
#include "protocol/throttr_terms.hpp"

namespace hallmark::conformance::testing {

/// A small server of any dialect, under any answers to its readings, written with the generic codec
/// and nothing of the reference server.
class FakeThrottr : public Responder {
 public:
  FakeThrottr(protocol::Width width, const protocol::Readings& readings)
      : format_(width, readings) {}

  void connected(Connection connection) override;
  void receive(Connection connection, base::ByteView segment, Time now) override;
  void left(Connection connection) override;

  /// The version in INFO.
  std::string version = "fake";
  /// Operations that are answered like an undefined opcode.
  std::set<std::string_view> without;
  /// Connections come without an address, as those of Unix sockets.
  bool local = false;
  /// PURGE answers that it removed a record, and keeps it.
  bool keeps_purged = false;
  /// QUERY shows one less than the quota.
  bool shows_less = false;
  /// A second asking of anything is answered otherwise than the first.
  bool fickle = false;

  std::size_t records() const { return store_.size(); }
  std::size_t subscriptions() const;

 private:
  using TtlUnit = protocol::TtlUnit;
  using Fields = protocol::Record;
  struct Stored {
    bool counter = true;
    std::uint64_t quota = 0;
    base::Bytes value;
    TtlUnit unit = TtlUnit::seconds;
    std::uint64_t ttl = 0;  ///< the TTL last set
    Time created = 0;
    Time expires = 0;
    std::uint64_t first_quota = 0;
    Time period = 0;
  };

  bool reads(protocol::ReadingName reading, protocol::AnswerName answer) const {
    return format_.readings().answer(reading) == answer;
  }
  std::size_t take_one(Connection from, base::ByteView bytes);
  std::size_t unknown_opcode(Connection from);
  void handle(Connection from, const protocol::Operation& operation, const Fields& request);
  std::optional<bool> done(Connection from, protocol::MessageName name, const Fields& request);
  std::optional<Fields> shown(Connection from, protocol::MessageName name, const Fields& request);
  void reply(Connection to, const protocol::Operation& operation, Fields values);
  void status(Connection to, const protocol::Operation& operation, bool success);
  /// Answers a request with an unlisted code as the reading says: refuses it or closes the
  /// connection. Returns false if the code is accepted.
  bool unlisted(Connection from, const protocol::Operation& operation,
                protocol::ReadingName reading);

  base::Bytes key_of(const Fields& request) const;
  Stored* find(const Fields& request);
  bool expired(const Stored& stored) const;
  std::optional<Fields> stored(const Fields& request, bool counter);
  bool remove(const Fields& request);
  bool refuses_over(const Stored& there, bool counter);
  bool has_refused_name(const Fields& request) const;
  bool store(const Fields& request, bool counter);
  bool update(const Fields& request);
  bool update_quota(Stored& stored, std::uint64_t change, std::uint64_t value) const;
  bool update_ttl(Stored& stored, std::uint64_t change, std::uint64_t value);
  std::optional<Time> end_of(Time from, TtlUnit unit, std::uint64_t ttl) const;
  std::uint64_t shown_ttl(const Stored& stored) const;
  bool subscribe(Connection from, const base::Bytes& channel);
  bool unsubscribe(Connection from, const base::Bytes& channel);
  bool publish(Connection from, const Fields& request);
  Fields fragment_of(protocol::FieldName group, std::vector<Fields> entries) const;
  Fields list() const;
  Fields info() const;
  Fields connections() const;
  Fields channels() const;
  Fields connection(Connection of) const;
  std::optional<Connection> asked_for(const Fields& request) const;
  base::Bytes id_of(Connection connection) const;
  std::uint64_t index_of(Connection connection) const;

  WireFormat format_;
  Time now_ = 0;
  std::uint64_t request_id_ = 0;
  std::uint64_t moods_ = 0;
  std::map<Connection, base::Bytes> inboxes_;
  std::map<base::Bytes, Stored> store_;
  std::map<base::Bytes, std::set<Connection>> channels_;
};

}  // namespace hallmark::conformance::testing
