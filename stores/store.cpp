#include "stores/store.hpp"

#include <fmt/format.h>

#include "stores/file_scanner.hpp"
#include "stores/postgres_connection.hpp"
#include "stores/postgres_scanner.hpp"
#include "stores/redis_connection.hpp"
#include "stores/redis_scanner.hpp"

namespace hallmark::stores {
namespace {

constexpr std::size_t largest_batch = 100'000;
constexpr std::size_t longest_line_allowed = std::size_t{1} << 30;

Error usage(std::string message) { return {ErrorKind::usage, std::move(message)}; }

Result<void> check(const Access& access) {
  if (access.timeout.count() > 0) return {};
  return usage("a timeout has to be longer than 0");
}

Result<void> check(const ScanOptions& options, const Access& access) {
  if (options.batch < 1 || options.batch > largest_batch) {
    return usage(
        fmt::format("a batch of {} entries: allowed is 1 to {}", options.batch, largest_batch));
  }
  if (options.longest_line < 1 || options.longest_line > longest_line_allowed) {
    return usage(fmt::format("lines of {} bytes: allowed is 1 to {}", options.longest_line,
                             longest_line_allowed));
  }
  return check(access);
}

template <class Answer>
Result<Answer> first_of(Result<std::vector<Answer>> answers) {
  if (!answers) return answers.error();
  return std::move(answers->front());
}

}  // namespace

Result<std::unique_ptr<Scanner>> open_scanner(const Address& address, const ScanOptions& options,
                                              const Access& access) {
  if (const auto allowed = check(options, access); !allowed) return allowed.error();
  if (const auto* redis = std::get_if<base::RedisEndpoint>(&address)) {
    return open_redis_scanner(*redis, options, access.timeout);
  }
  if (const auto* postgres = std::get_if<base::PostgresEndpoint>(&address)) {
    return open_postgres_scanner(*postgres, options, access);
  }
  return open_file_scanner(std::get<base::FileEndpoint>(address), options);
}

Result<std::unique_ptr<Connection>> connect(const Address& address, const Access& access) {
  if (const auto allowed = check(access); !allowed) return allowed.error();
  if (const auto* redis = std::get_if<base::RedisEndpoint>(&address)) {
    return connect_redis(*redis, access.timeout);
  }
  if (const auto* postgres = std::get_if<base::PostgresEndpoint>(&address)) {
    return connect_postgres(*postgres, access);
  }
  return usage(fmt::format("{} is a file: expected redis:// or postgres://", to_string(address)));
}

Result<Held> Connection::get(const std::string& key, WithExpiry expiry) {
  return first_of(get(std::span(&key, 1), expiry));
}

Result<Outcome> Connection::compare_and_set(const Change& change) {
  return first_of(compare_and_set(std::span(&change, 1)));
}

Result<Outcome> Connection::compare_and_delete(const Removal& removal) {
  return first_of(compare_and_delete(std::span(&removal, 1)));
}

}  // namespace hallmark::stores
