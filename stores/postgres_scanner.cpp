#include "stores/postgres_scanner.hpp"

#include <fmt/format.h>

#include "base/glob.hpp"
#include "stores/postgres_channel.hpp"

namespace hallmark::stores {
namespace {

constexpr int key_column = 0;
constexpr int value_column = 1;
constexpr int expiry_column = 2;

/// The types whose binary format is the text itself: bytea, text, bpchar, varchar.
bool is_text(Oid type) { return type == 17 || type == 25 || type == 1042 || type == 1043; }

/// Milliseconds until a row is over, null: never. Times that are infinite cannot be subtracted.
std::string remaining(const std::string& expires_at) {
  return fmt::format(
      "CASE WHEN isfinite({0}) THEN ceil(date_part('epoch', {0} - now()) * 1000)::int8 "
      "WHEN {0} < now() THEN 0 END",
      expires_at);
}

class PostgresScanner final : public Scanner {
 public:
  PostgresScanner(std::unique_ptr<PostgresChannel> channel, const ScanOptions& options,
                  std::chrono::milliseconds timeout)
      : channel_(std::move(channel)),
        fetch_(fmt::format("FETCH {} FROM hallmark_scan", options.batch)),
        glob_(options.match),
        timeout_(timeout) {}

  Result<void> start(const Table& table);
  Result<std::span<const Entry>> next() override;
  Progress progress() const override { return {done_, total_, false}; }

 private:
  Result<void> estimate(const std::string& table, const Deadline& deadline);
  std::string selection(const QuotedTable& table) const;
  Result<void> advance();
  Result<void> check_types() const;
  void list_entries();

  std::unique_ptr<PostgresChannel> channel_;
  std::string fetch_;
  base::Glob glob_;
  std::chrono::milliseconds timeout_;
  Rows rows_;  ///< the caller's
  std::vector<Entry> entries_;
  bool fetching_ = false;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

Result<void> PostgresScanner::start(const Table& table) {
  const Deadline deadline(timeout_);
  const auto names = quoted(*channel_, table);
  if (!names) return names.error();
  for (const auto& statement :
       {std::string("BEGIN READ ONLY"),
        fmt::format("DECLARE hallmark_scan NO SCROLL CURSOR FOR {}", selection(*names))}) {
    if (const auto done = channel_->execute(statement, deadline); !done) return done.error();
  }
  if (auto estimated = estimate(names->name, deadline); !estimated) return estimated;
  fetching_ = true;
  return channel_->send(fetch_);
}

std::string PostgresScanner::selection(const QuotedTable& table) const {
  auto text = fmt::format("SELECT {}, {}, {} FROM {}", table.key, table.value,
                          remaining(table.expires_at), table.name);
  if (const auto prefix = glob_.literal_prefix(); !prefix.empty()) {
    // A key that is bytea has a text that does not begin so: the glob alone decides there.
    text += fmt::format(" WHERE pg_typeof({0}) = 'bytea'::regtype OR starts_with({0}::text, {1})",
                        table.key, channel_->literal(prefix));
  }
  return text;
}

/// Goes by what the last VACUUM or ANALYZE has seen; a table without one has -1.
Result<void> PostgresScanner::estimate(const std::string& table, const Deadline& deadline) {
  const auto rows =
      channel_->execute(fmt::format("SELECT reltuples::int8 FROM pg_class WHERE oid = {}::regclass",
                                    channel_->literal(table)),
                        deadline);
  if (!rows) return rows.error();
  if (libpq().PQntuples(rows->get()) != 1) return {};
  const auto estimated = number_at(**rows, 0, 0).value_or(0);
  total_ = estimated > 0 ? static_cast<std::uint64_t>(estimated) : 0;
  return {};
}

Result<void> PostgresScanner::check_types() const {
  for (const int column : {key_column, value_column}) {
    if (is_text(libpq().PQftype(rows_.get(), column))) continue;
    return Error{ErrorKind::usage,
                 fmt::format("{}: column {} is not of type text, varchar or bytea",
                             channel_->name(), libpq().PQfname(rows_.get(), column))};
  }
  return {};
}

/// Takes what was fetched and has the next batch fetched while the caller works on it.
Result<void> PostgresScanner::advance() {
  const Deadline deadline(timeout_);
  fetching_ = false;
  rows_.reset();
  auto rows = channel_->receive(deadline);
  if (!rows) return rows.error();
  rows_ = std::move(*rows);
  if (auto checked = check_types(); !checked) return checked;
  if (libpq().PQntuples(rows_.get()) == 0) return {};
  fetching_ = true;
  return channel_->send(fetch_);
}

void PostgresScanner::list_entries() {
  const int count = libpq().PQntuples(rows_.get());
  done_ += static_cast<std::uint64_t>(count);
  for (int row = 0; row < count; ++row) {
    Entry entry{.key = text_at(*rows_, row, key_column),
                .value = text_at(*rows_, row, value_column)};
    if (!glob_.matches(entry.key)) continue;
    if (const auto left = number_at(*rows_, row, expiry_column)) {
      entry.expires_in = std::chrono::milliseconds(*left);
      if (*left <= 0) entry.kind = EntryKind::expired;
    }
    entries_.push_back(entry);
  }
}

Result<std::span<const Entry>> PostgresScanner::next() {
  entries_.clear();
  while (entries_.empty() && fetching_) {
    if (auto advanced = advance(); !advanced) return advanced.error();
    list_entries();
  }
  return std::span<const Entry>(entries_);
}

}  // namespace

Result<std::unique_ptr<Scanner>> open_postgres_scanner(const base::PostgresEndpoint& address,
                                                       const ScanOptions& options,
                                                       const Access& access) {
  auto channel = PostgresChannel::open(address, access.timeout);
  if (!channel) return channel.error();
  auto scanner = std::make_unique<PostgresScanner>(std::move(*channel), options, access.timeout);
  if (auto started = scanner->start(access.table); !started) return started.error();
  return std::unique_ptr<Scanner>(std::move(scanner));
}

}  // namespace hallmark::stores
