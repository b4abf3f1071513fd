#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stores/address.hpp"
#include "stores/deadline.hpp"
#include "stores/error.hpp"
#include "stores/libpq.hpp"
#include "stores/store.hpp"

namespace hallmark::stores {

struct ClearResult {
  void operator()(PGresult* result) const { libpq().PQclear(result); }
};
using Rows = std::unique_ptr<PGresult, ClearResult>;

/// A value in binary format. Precondition: not null.
inline std::string_view text_at(const PGresult& rows, int row, int column) {
  return {libpq().PQgetvalue(&rows, row, column),
          static_cast<std::size_t>(libpq().PQgetlength(&rows, row, column))};
}
/// An int8; nothing: null.
std::optional<std::int64_t> number_at(const PGresult& rows, int row, int column);

/// An int8 as a parameter in binary format.
class BinaryNumber {
 public:
  explicit BinaryNumber(std::int64_t value);
  std::string_view text() const { return {bytes_.data(), bytes_.size()}; }

 private:
  std::array<char, 8> bytes_;
};

/// A connection to PostgreSQL on which every wait has a deadline. Parameters and results are in
/// binary format.
class PostgresChannel {
 public:
  static Result<std::unique_ptr<PostgresChannel>> open(const base::PostgresEndpoint& address,
                                                       std::chrono::milliseconds timeout);

  PGconn* connection() const { return connection_.get(); }

  /// Sends a statement; `receive` gives its result. Not in pipeline mode.
  Result<void> send(const std::string& statement);
  /// The result of the statement that was sent.
  /// Error: what the server said, of the kind that its SQLSTATE says; or lost.
  Result<Rows> receive(const Deadline& deadline);
  /// `send` and `receive`.
  Result<Rows> execute(const std::string& statement, const Deadline& deadline);

  /// The next of what libpq has, null between the results of two statements; for pipeline mode.
  Result<Rows> receive_next(const Deadline& deadline);

  /// Has what was sent leave, as far as the system takes it now.
  Result<void> flush();

  Result<Rows> checked(Rows rows);
  /// Quotes an SQL identifier. Error (usage): it is not valid in the encoding of the database.
  Result<std::string> quoted(std::string_view identifier) const;
  std::string literal(std::string_view text) const;
  const std::string& name() const { return name_; }
  Error lost(std::string_view reason);

 private:
  struct Finish {
    void operator()(PGconn* connection) const { libpq().PQfinish(connection); }
  };
  PostgresChannel(PGconn* connection, std::string name)
      : connection_(connection), name_(std::move(name)) {}

  Result<void> establish(const Deadline& deadline);
  Error not_connected() const;

  std::unique_ptr<PGconn, Finish> connection_;
  std::string name_;  ///< of the store, for messages
  bool broken_ = false;
};

/// The names of a table, quoted for SQL.
struct QuotedTable {
  std::string name;
  std::string key;
  std::string value;
  std::string expires_at;
};
Result<QuotedTable> quoted(const PostgresChannel& channel, const Table& table);

}  // namespace hallmark::stores
