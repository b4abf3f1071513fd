#include "stores/postgres_channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cctype>
#include <new>

namespace hallmark::stores {
namespace {

/// libpq ends its messages with a line feed and breaks them into lines.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

/// Appendix A of the manual of PostgreSQL.
ErrorKind kind_of(std::string_view state) {
  const auto is = [&](auto... prefixes) { return (state.starts_with(prefixes) || ...); };
  if (is("28", "42501", "25006")) return ErrorKind::denied;
  if (is("3D000", "3F000", "42P01", "42703")) return ErrorKind::missing;
  if (is("08", "57P", "40")) return ErrorKind::lost;
  if (is("53")) return ErrorKind::unreachable;
  return ErrorKind::failed;
}

/// Finds `: XXXXX: ` in a message of a server that does not let us in: with verbosity verbose its
/// SQLSTATE stands there, and nowhere else.
std::string_view state_in(std::string_view message, std::size_t& begin) {
  const auto code = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  for (begin = message.find(": "); begin != message.npos; begin = message.find(": ", begin + 1)) {
    auto rest = message.substr(begin + 2);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const auto state = rest.substr(0, 5);
    // After "FATAL" come two spaces.
    const auto after = rest.substr(std::min<std::size_t>(5, rest.size()));
    if (after.starts_with(": ") && !after.starts_with(":  ") &&
        std::all_of(state.begin(), state.end(), code)) {
      begin = static_cast<std::size_t>(rest.data() - message.data()) + 7;
      return state;
    }
  }
  return {};
}

void ignore_notice(void*, const char*) {}

/// Refuses a URL in words of our own: libpq's words about one that it cannot read may quote a
/// password.
Result<void> check_url(const base::PostgresEndpoint& address) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
      libpq().PQconninfoParse(address.url.c_str(), nullptr), libpq().PQconninfoFree);
  if (options != nullptr) return {};
  return Error{ErrorKind::usage, fmt::format("'{}' is no URL of PostgreSQL; expected "
                                             "postgres://user:password@host:port/database",
                                             to_string(Address(address)))};
}

}  // namespace

std::optional<std::int64_t> number_at(const PGresult& rows, int row, int column) {
  if (libpq().PQgetisnull(&rows, row, column) != 0 || libpq().PQgetlength(&rows, row, column) != 8)
    return {};
  return boost::endian::load_big_s64(
      reinterpret_cast<const unsigned char*>(libpq().PQgetvalue(&rows, row, column)));
}

BinaryNumber::BinaryNumber(std::int64_t value) : bytes_{} {
  boost::endian::store_big_s64(reinterpret_cast<unsigned char*>(bytes_.data()), value);
}

Result<std::unique_ptr<PostgresChannel>> PostgresChannel::open(
    const base::PostgresEndpoint& address, std::chrono::milliseconds timeout) {
  if (const auto library = load_libpq(); !library)
    return Error{ErrorKind::usage, library.error().message};
  if (const auto readable = check_url(address); !readable) return readable.error();
  const Deadline deadline(timeout);
  const char* const keywords[] = {"dbname", "fallback_application_name", nullptr};
  const char* const values[] = {address.url.c_str(), "hallmark", nullptr};
  auto* const connection = libpq().PQconnectStartParams(keywords, values, 1);
  if (connection == nullptr) throw std::bad_alloc();
  std::unique_ptr<PostgresChannel> channel(
      new PostgresChannel(connection, to_string(Address(address))));
  if (auto established = channel->establish(deadline); !established) return established.error();
  libpq().PQsetnonblocking(connection, 1);
  return channel;
}

Result<void> PostgresChannel::establish(const Deadline& deadline) {
  auto* const connection = connection_.get();
  libpq().PQsetErrorVerbosity(connection, PQERRORS_VERBOSE);
  libpq().PQsetNoticeProcessor(connection, ignore_notice, nullptr);
  auto wanted =
      libpq().PQstatus(connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (wanted != PGRES_POLLING_OK) {
    if (wanted == PGRES_POLLING_FAILED) return not_connected();
    // Waits for the one event alone: a socket that can be written would be ready at once, and
    // again.
    const bool writing = wanted == PGRES_POLLING_WRITING;
    if (await(libpq().PQsocket(connection), writing, deadline) == Readiness::late) {
      return Error{ErrorKind::unreachable,
                   fmt::format("cannot connect to {}: no answer in time", name_)};
    }
    wanted = libpq().PQconnectPoll(connection);
  }
  libpq().PQsetErrorVerbosity(connection, PQERRORS_DEFAULT);
  return {};
}

Error PostgresChannel::not_connected() const {
  const std::string_view message = libpq().PQerrorMessage(connection_.get());
  std::size_t text = 0;
  const auto state = state_in(message, text);
  if (state.empty()) {
    return {kind_of_failed_connect(message),
            fmt::format("cannot connect to {}: {}", name_, one_line(message))};
  }
  const auto said = message.substr(text, message.find('\n', text) - text);
  const auto kind = kind_of(state);
  return {kind == ErrorKind::lost ? ErrorKind::unreachable : kind,
          fmt::format("cannot connect to {}: {}", name_, said)};
}

Error PostgresChannel::lost(std::string_view reason) {
  broken_ = true;
  return {ErrorKind::lost, fmt::format("lost the connection to {}: {}", name_, one_line(reason))};
}

Result<void> PostgresChannel::send(const std::string& statement) {
  if (broken_) return lost("it broke before");
  if (libpq().PQsendQueryParams(connection(), statement.c_str(), 0, nullptr, nullptr, nullptr,
                                nullptr, 1) != 1) {
    return lost(libpq().PQerrorMessage(connection()));
  }
  return flush();
}

Result<void> PostgresChannel::flush() {
  if (libpq().PQflush(connection()) < 0) return lost(libpq().PQerrorMessage(connection()));
  return {};
}

Result<Rows> PostgresChannel::receive_next(const Deadline& deadline) {
  if (broken_) return lost("it broke before");
  while (libpq().PQisBusy(connection()) != 0) {
    const int unsent = libpq().PQflush(connection());
    if (unsent < 0) return lost(libpq().PQerrorMessage(connection()));
    if (await(libpq().PQsocket(connection()), unsent == 1, deadline) == Readiness::late) {
      return lost("no answer in time");
    }
    if (libpq().PQconsumeInput(connection()) != 1)
      return lost(libpq().PQerrorMessage(connection()));
  }
  Rows rows(libpq().PQgetResult(connection()));
  if (libpq().PQstatus(connection()) == CONNECTION_BAD)
    return lost(libpq().PQerrorMessage(connection()));
  return rows;
}

Result<Rows> PostgresChannel::receive(const Deadline& deadline) {
  auto rows = receive_next(deadline);
  if (!rows) return rows.error();
  auto end = receive_next(deadline);
  if (!end) return end.error();
  return checked(std::move(*rows));
}

Result<Rows> PostgresChannel::execute(const std::string& statement, const Deadline& deadline) {
  if (auto sent = send(statement); !sent) return sent.error();
  return receive(deadline);
}

Result<Rows> PostgresChannel::checked(Rows rows) {
  const auto status = libpq().PQresultStatus(rows.get());
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_PIPELINE_SYNC) {
    return rows;
  }
  const char* const state = libpq().PQresultErrorField(rows.get(), PG_DIAG_SQLSTATE);
  const char* const message = libpq().PQresultErrorField(rows.get(), PG_DIAG_MESSAGE_PRIMARY);
  if (state == nullptr || message == nullptr) return lost(libpq().PQresultErrorMessage(rows.get()));
  return Error{kind_of(state), fmt::format("{} refused: {}", name_, one_line(message))};
}

Result<std::string> PostgresChannel::quoted(std::string_view identifier) const {
  char* const text = libpq().PQescapeIdentifier(connection(), identifier.data(), identifier.size());
  if (text == nullptr) {
    return Error{ErrorKind::usage,
                 fmt::format("'{}' cannot be the name of a table or a column: {}", identifier,
                             one_line(libpq().PQerrorMessage(connection())))};
  }
  std::string result(text);
  libpq().PQfreemem(text);
  return result;
}

Result<QuotedTable> quoted(const PostgresChannel& channel, const Table& table) {
  QuotedTable names;
  const std::pair<std::string_view, std::string*> columns[] = {
      {table.key, &names.key}, {table.value, &names.value}, {table.expires_at, &names.expires_at}};
  for (const auto& [plain, quoted] : columns) {
    auto text = channel.quoted(plain);
    if (!text) return text.error();
    *quoted = std::move(*text);
  }
  const std::string_view whole = table.name;
  const auto dot = whole.find('.');
  auto name = channel.quoted(dot == whole.npos ? whole : whole.substr(dot + 1));
  if (!name) return name.error();
  names.name = std::move(*name);
  if (dot == whole.npos) return names;
  const auto schema = channel.quoted(whole.substr(0, dot));
  if (!schema) return schema.error();
  names.name = *schema + "." + names.name;
  return names;
}

std::string PostgresChannel::literal(std::string_view text) const {
  char* const escaped = libpq().PQescapeLiteral(connection(), text.data(), text.size());
  if (escaped == nullptr) return "''";
  std::string result(escaped);
  libpq().PQfreemem(escaped);
  return result;
}

}  // namespace hallmark::stores
