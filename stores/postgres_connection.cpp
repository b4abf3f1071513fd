#include "stores/postgres_connection.hpp"

#include <fmt/format.h>

#include "base/number.hpp"
#include "stores/postgres_channel.hpp"

namespace hallmark::stores {
namespace {

/// So many statements are one transaction: what a commit costs is shared, and rows stay locked for
/// the time of so few.
constexpr std::size_t statements_at_once = 256;

/// A statement takes an expiry as a number of milliseconds or as one of these.
constexpr std::int64_t keep_expiry = -1;
constexpr std::int64_t no_expiry = 0;

BinaryNumber parameter_of(const Expiry& expiry) {
  switch (expiry.kind) {
    case Expiry::Kind::keep: return BinaryNumber(keep_expiry);
    case Expiry::Kind::never: return BinaryNumber(no_expiry);
    case Expiry::Kind::in: break;
  }
  return BinaryNumber(expiry.after.count());
}

constexpr const char* select_name = "hallmark_select";
constexpr const char* insert_name = "hallmark_insert";
constexpr const char* update_name = "hallmark_update";
constexpr const char* delete_name = "hallmark_delete";
constexpr const char* erase_name = "hallmark_erase";

struct Prepared {
  const char* name;
  std::string text;
};

/// A row whose time is over counts as absent everywhere but in `erase`.
std::vector<Prepared> statements_on(const QuotedTable& table) {
  const auto with_names = [&](fmt::string_view text) {
    return fmt::format(fmt::runtime(text), table.name, table.key, table.value, table.expires_at);
  };
  return {
      {select_name, with_names("SELECT {2}, CASE WHEN isfinite({3}) THEN "
                               "ceil(date_part('epoch', {3} - now()) * 1000)::int8 END "
                               "FROM {0} WHERE {1} = $1 AND ({3} IS NULL OR {3} > now())")},
      {insert_name,
       with_names("INSERT INTO {0} AS held ({1}, {2}, {3}) VALUES ($1, $2, CASE WHEN $3::int8 > 0 "
                  "THEN now() + $3::int8 * interval '1 millisecond' END) ON CONFLICT ({1}) DO "
                  "UPDATE SET {2} = excluded.{2}, {3} = excluded.{3} WHERE held.{3} <= now()")},
      {update_name,
       with_names("UPDATE {0} SET {2} = $2, {3} = CASE WHEN $4::int8 = -1 THEN {3} WHEN $4::int8 "
                  "> 0 THEN now() + $4::int8 * interval '1 millisecond' END "
                  "WHERE {1} = $1 AND {2} = $3 AND ({3} IS NULL OR {3} > now())")},
      {delete_name, with_names("DELETE FROM {0} WHERE {1} = $1 AND {2} = $2 AND ({3} IS NULL OR "
                               "{3} > now())")},
      {erase_name, with_names("DELETE FROM {0} WHERE {1} = $1")},
  };
}

int affected(const PGresult& result) {
  return base::number_in<std::int32_t>(libpq().PQcmdTuples(const_cast<PGresult*>(&result)))
      .value_or(0);
}

class PostgresConnection final : public Connection {
 public:
  PostgresConnection(std::unique_ptr<PostgresChannel> channel, std::chrono::milliseconds timeout)
      : channel_(std::move(channel)), timeout_(timeout) {}

  Result<void> prepare(const Table& table);
  Result<std::vector<Held>> get(std::span<const std::string> keys, WithExpiry expiry) override;
  Result<std::vector<Outcome>> compare_and_set(std::span<const Change> changes) override;
  Result<std::vector<Outcome>> compare_and_delete(std::span<const Removal> removals) override;
  Result<std::uint64_t> erase(std::span<const std::string> keys) override;

 private:
  Result<void> queue(const char* statement, std::initializer_list<std::string_view> parameters);
  Result<void> queue(const Change& change);
  Result<std::vector<Rows>> receive(std::size_t count, const Deadline& deadline);
  template <class Item, class Queue, class Take>
  Result<void> for_each(std::span<const Item> items, const Queue& queue, const Take& take);

  std::unique_ptr<PostgresChannel> channel_;
  std::chrono::milliseconds timeout_;
};

Result<void> PostgresConnection::prepare(const Table& table) {
  const Deadline deadline(timeout_);
  const auto names = quoted(*channel_, table);
  if (!names) return names.error();
  // A comparison and its change are one statement: at this level it sees the row as it is when it
  // gets its lock, and is never refused for what others did.
  const auto level = channel_->execute(
      "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED", deadline);
  if (!level) return level.error();
  for (const auto& [name, text] : statements_on(*names)) {
    if (libpq().PQsendPrepare(channel_->connection(), name, text.c_str(), 0, nullptr) != 1) {
      return channel_->lost(libpq().PQerrorMessage(channel_->connection()));
    }
    if (const auto prepared = channel_->receive(deadline); !prepared) return prepared.error();
  }
  if (libpq().PQenterPipelineMode(channel_->connection()) != 1) {
    return channel_->lost(libpq().PQerrorMessage(channel_->connection()));
  }
  return {};
}

Result<void> PostgresConnection::queue(const char* statement,
                                       std::initializer_list<std::string_view> parameters) {
  std::array<const char*, 4> values{};
  std::array<int, 4> lengths{};
  constexpr std::array<int, 4> binary{1, 1, 1, 1};
  std::size_t count = 0;
  for (const auto parameter : parameters) {
    values[count] = parameter.data() == nullptr ? "" : parameter.data();
    lengths[count++] = static_cast<int>(parameter.size());
  }
  if (libpq().PQsendQueryPrepared(channel_->connection(), statement, static_cast<int>(count),
                                  values.data(), lengths.data(), binary.data(), 1) != 1) {
    return channel_->lost(libpq().PQerrorMessage(channel_->connection()));
  }
  return {};
}

/// The results of one pipeline. Of one that fails all is read, so that the next call starts clean.
Result<std::vector<Rows>> PostgresConnection::receive(std::size_t count, const Deadline& deadline) {
  std::vector<Rows> results;
  results.reserve(count);
  std::optional<Error> failure;
  while (true) {
    auto rows = channel_->receive_next(deadline);
    if (!rows) return rows.error();
    if (*rows == nullptr) continue;  // stands between two results
    const auto status = libpq().PQresultStatus(rows->get());
    if (status == PGRES_PIPELINE_SYNC) break;
    if (status == PGRES_PIPELINE_ABORTED) continue;
    auto checked = channel_->checked(std::move(*rows));
    if (checked) {
      results.push_back(std::move(*checked));
    } else if (!failure) {
      failure = checked.error();
    }
  }
  if (failure) return *failure;
  return results;
}

template <class Item, class Queue, class Take>
Result<void> PostgresConnection::for_each(std::span<const Item> items, const Queue& queue_one,
                                          const Take& take) {
  while (!items.empty()) {
    const Deadline deadline(timeout_);
    const auto some = items.first(std::min(statements_at_once, items.size()));
    for (const auto& item : some) {
      if (auto queued = queue_one(item); !queued) return queued;
    }
    if (libpq().PQpipelineSync(channel_->connection()) != 1) {
      return channel_->lost(libpq().PQerrorMessage(channel_->connection()));
    }
    const auto results = receive(some.size(), deadline);
    if (!results) return results.error();
    for (const auto& rows : *results) take(*rows);
    items = items.subspan(some.size());
  }
  return {};
}

Result<std::vector<Held>> PostgresConnection::get(std::span<const std::string> keys,
                                                  WithExpiry expiry) {
  std::vector<Held> all;
  all.reserve(keys.size());
  const auto take = [&](const PGresult& rows) {
    auto& held = all.emplace_back();
    if (libpq().PQntuples(&rows) == 0) return;
    held.presence = Presence::text;
    held.value = text_at(rows, 0, 0);
    const auto left = number_at(rows, 0, 1);
    if (left && expiry == WithExpiry::yes) held.expires_in = std::chrono::milliseconds(*left);
  };
  const auto ask = [&](const std::string& key) { return queue(select_name, {key}); };
  if (auto done = for_each(keys, ask, take); !done) return done.error();
  return all;
}

Result<void> PostgresConnection::queue(const Change& change) {
  const auto expiry = parameter_of(change.expiry);
  if (!change.expected) return queue(insert_name, {change.key, change.desired, expiry.text()});
  return queue(update_name, {change.key, change.desired, *change.expected, expiry.text()});
}

Result<std::vector<Outcome>> PostgresConnection::compare_and_set(std::span<const Change> changes) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(changes.size());
  const auto ask = [&](const Change& change) { return queue(change); };
  const auto take = [&](const PGresult& rows) {
    outcomes.push_back(affected(rows) == 1 ? Outcome::done : Outcome::conflict);
  };
  if (auto done = for_each(changes, ask, take); !done) return done.error();
  return outcomes;
}

Result<std::vector<Outcome>> PostgresConnection::compare_and_delete(
    std::span<const Removal> removals) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(removals.size());
  const auto ask = [&](const Removal& removal) {
    return queue(delete_name, {removal.key, removal.expected});
  };
  const auto take = [&](const PGresult& rows) {
    outcomes.push_back(affected(rows) == 1 ? Outcome::done : Outcome::conflict);
  };
  if (auto done = for_each(removals, ask, take); !done) return done.error();
  return outcomes;
}

Result<std::uint64_t> PostgresConnection::erase(std::span<const std::string> keys) {
  std::uint64_t erased = 0;
  const auto ask = [&](const std::string& key) { return queue(erase_name, {key}); };
  const auto take = [&](const PGresult& rows) {
    erased += static_cast<std::uint64_t>(affected(rows));
  };
  if (auto done = for_each(keys, ask, take); !done) return done.error();
  return erased;
}

}  // namespace

Result<std::unique_ptr<Connection>> connect_postgres(const base::PostgresEndpoint& address,
                                                     const Access& access) {
  auto channel = PostgresChannel::open(address, access.timeout);
  if (!channel) return channel.error();
  auto connection = std::make_unique<PostgresConnection>(std::move(*channel), access.timeout);
  if (auto prepared = connection->prepare(access.table); !prepared) return prepared.error();
  return std::unique_ptr<Connection>(std::move(connection));
}

}  // namespace hallmark::stores
