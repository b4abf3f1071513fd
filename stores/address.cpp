#include "stores/address.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace hallmark::stores {
namespace {

constexpr std::string_view redis_form = "redis://[user:password@]host[:port][/database]";
constexpr std::string_view redis_unix_form = "redis+unix:///path[?db=N]";

Error usage(std::string_view text, std::string_view reason, std::string_view expected) {
  return {ErrorKind::usage, fmt::format("'{}': {}; expected {}", text, reason, expected)};
}

/// What is between the scheme and its `@` may be a secret: it does not get into messages.
std::string without_password(std::string_view text) {
  const auto scheme = text.find("://");
  const auto at = text.rfind('@');
  if (scheme == text.npos || at == text.npos || at < scheme) return std::string(text);
  const auto colon = text.find(':', scheme + 3);
  if (colon > at) return std::string(text);
  return fmt::format("{}***{}", text.substr(0, colon + 1), text.substr(at));
}

/// libpq takes a password as a parameter, too.
std::string without_password_parameter(std::string text) {
  constexpr std::string_view name = "password=";
  const auto found = text.find(name);
  if (found == text.npos) return text;
  const auto begin = found + name.size();
  const auto end = std::min(text.find('&', begin), text.size());
  return text.replace(begin, end - begin, "***");
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    unsigned char byte = 0;
    if (i + 2 >= text.size()) return {};
    const auto* const digits = text.data() + i + 1;
    const auto [end, error] = std::from_chars(digits, digits + 2, byte, 16);
    if (error != std::errc{} || end != digits + 2) return {};
    decoded += static_cast<char>(byte);
    i += 2;
  }
  return decoded;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// `user:password@` or `password-less-user@` in front; `rest` becomes what follows.
bool take_credentials(std::string_view& rest, RedisAddress& address) {
  const auto at = rest.substr(0, rest.find('/')).rfind('@');
  if (at == rest.npos) return true;
  const auto credentials = rest.substr(0, at);
  const auto colon = std::min(credentials.find(':'), credentials.size());
  const auto user = percent_decoded(credentials.substr(0, colon));
  const auto password =
      percent_decoded(credentials.substr(std::min(colon + 1, credentials.size())));
  if (!user || !password) return false;
  address.user = *user;
  address.password = *password;
  rest.remove_prefix(at + 1);
  return true;
}

/// `host[:port]`, the host of an IPv6 address in brackets.
std::optional<std::string_view> take_host(std::string_view text, RedisAddress& address) {
  std::string_view port;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == text.npos) return "an IPv6 address without its ]";
    address.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
  } else {
    const auto colon = std::min(text.find(':'), text.size());
    address.host = text.substr(0, colon);
    port = text.substr(colon);
  }
  if (address.host.empty()) return "no host";
  if (port.empty()) return {};
  const auto value = port.starts_with(':') ? number<std::uint16_t>(port.substr(1)) : std::nullopt;
  if (!value || *value == 0) return "the port is not 1 to 65535";
  address.port = *value;
  return {};
}

Result<Address> parse_redis(std::string_view text, std::string_view rest) {
  const auto fail = [&](std::string_view reason) {
    return usage(without_password(text), reason, redis_form);
  };
  RedisAddress address;
  if (!take_credentials(rest, address)) return fail("a % without two hexadecimal digits");
  const auto slash = std::min(rest.find('/'), rest.size());
  if (const auto wrong = take_host(rest.substr(0, slash), address)) return fail(*wrong);
  const auto database = rest.substr(std::min(slash + 1, rest.size()));
  if (database.empty()) return Address(address);
  const auto index = number<std::uint32_t>(database);
  if (!index) return fail("the database is not a number");
  address.database = *index;
  return Address(address);
}

Result<Address> parse_redis_unix(std::string_view text, std::string_view rest) {
  const auto fail = [&](std::string_view reason) {
    return usage(without_password(text), reason, redis_unix_form);
  };
  RedisAddress address;
  if (!take_credentials(rest, address)) return fail("a % without two hexadecimal digits");
  const auto question = std::min(rest.find('?'), rest.size());
  const auto path = percent_decoded(rest.substr(0, question));
  if (!path || !path->starts_with('/') || path->size() < 2) return fail("no absolute path");
  address.socket = *path;
  const auto parameter = rest.substr(std::min(question + 1, rest.size()));
  if (parameter.empty()) return Address(address);
  const auto index =
      parameter.starts_with("db=") ? number<std::uint32_t>(parameter.substr(3)) : std::nullopt;
  if (!index) return fail("the database is not db=N");
  address.database = *index;
  return Address(address);
}

std::string text_of(const RedisAddress& address) {
  std::string credentials;
  if (!address.user.empty() || !address.password.empty()) {
    credentials = fmt::format("{}{}@", address.user, address.password.empty() ? "" : ":***");
  }
  if (!address.socket.empty()) {
    const auto database = address.database == 0 ? "" : fmt::format("?db={}", address.database);
    return fmt::format("redis+unix://{}{}{}", credentials, address.socket, database);
  }
  const bool bracketed = address.host.find(':') != std::string::npos;
  const auto database = address.database == 0 ? "" : fmt::format("/{}", address.database);
  return fmt::format("redis://{}{}{}{}:{}{}", credentials, bracketed ? "[" : "", address.host,
                     bracketed ? "]" : "", address.port, database);
}

std::string text_of(const PostgresAddress& address) {
  return without_password_parameter(without_password(address.url));
}

std::string text_of(const FileAddress& address) { return address.path.string(); }

}  // namespace

Result<Address> parse_address(std::string_view text) {
  const auto after = [&](std::string_view scheme) { return text.substr(scheme.size()); };
  for (const std::string_view scheme : {"postgres://", "postgresql://"}) {
    if (text.starts_with(scheme)) return Address(PostgresAddress{std::string(text)});
  }
  if (text.starts_with("redis://")) return parse_redis(text, after("redis://"));
  if (text.starts_with("redis+unix://")) return parse_redis_unix(text, after("redis+unix://"));
  const bool named = text.starts_with("file:");
  const auto path = named ? after("file:") : text;
  if (path.empty() || (!named && path.find("://") != path.npos)) {
    return usage(
        without_password(text), "not a store",
        "redis://host, redis+unix:///path, postgres://host/database or the path of a file");
  }
  return Address(FileAddress{std::filesystem::path(path)});
}

std::string to_string(const Address& address) {
  return std::visit([](const auto& kind) { return text_of(kind); }, address);
}

}  // namespace hallmark::stores
