#include "base/store_endpoint.hpp"

#include <algorithm>

#include "base/authority.hpp"
#include "base/number.hpp"

namespace hallmark::base {
namespace {

/// False: the text is not a number of a database.
bool read_database(std::string_view text, RedisEndpoint& endpoint) {
  const auto number = number_in<std::uint32_t>(text);
  endpoint.database = number.value_or(0);
  return number.has_value();
}

std::string_view behind(std::string_view text, std::size_t at) {
  return text.substr(std::min(at + 1, text.size()));
}

}  // namespace

Result<Endpoint> parse_redis(std::string_view rest, Ports) {
  const auto slash = std::min(rest.find('/'), rest.size());
  auto authority = parse_authority(rest.substr(0, slash));
  if (!authority) return authority.error();
  if (authority->port == 0) return Error{"the port is not 1 to 65535"};
  RedisEndpoint endpoint{.host = std::move(authority->host),
                         .user = std::move(authority->user),
                         .password = std::move(authority->password)};
  endpoint.port = authority->port.value_or(endpoint.port);
  const auto database = behind(rest, slash);
  if (!database.empty() && !read_database(database, endpoint))
    return Error{"the database is not a number"};
  return Endpoint(std::move(endpoint));
}

Result<Endpoint> parse_redis_unix(std::string_view rest, Ports) {
  const auto slash = std::min(rest.find('/'), rest.size());
  std::string_view front = rest.substr(0, slash);
  auto credentials = take_credentials(front);
  if (!credentials) return credentials.error();
  const auto question = std::min(rest.find('?', slash), rest.size());
  const auto path = percent_decoded(rest.substr(slash, question - slash));
  if (!path) return path.error();
  if (!front.empty() || path->size() < 2) return Error{"no absolute path"};
  RedisEndpoint endpoint{.socket = *path,
                         .user = std::move(credentials->user),
                         .password = std::move(credentials->password)};
  const auto parameter = behind(rest, question);
  if (!parameter.empty() &&
      !(parameter.starts_with("db=") && read_database(parameter.substr(3), endpoint)))
    return Error{"the database is not db=N"};
  return Endpoint(std::move(endpoint));
}

// libpq reads more than a URL may hold, such as several hosts: it is left to it.
Result<Endpoint> parse_postgres(std::string_view rest, Ports) {
  return Endpoint(PostgresEndpoint{"postgres://" + std::string(rest)});
}

Result<Endpoint> parse_postgresql(std::string_view rest, Ports) {
  return Endpoint(PostgresEndpoint{"postgresql://" + std::string(rest)});
}

}  // namespace hallmark::base
