#include "vectors/generator/suite.hpp"

#include <algorithm>

namespace hallmark::vectors::generator {
namespace {

/// 255 bytes, each value from 255 down to 1.
Bytes every_value() {
  Bytes all(255);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(255 - i);
  return all;
}

// Times in ns. Between them, a reply over loopback decides whether a record is still there.
constexpr std::uint64_t surely_over = 10'000;
constexpr std::uint64_t surely_there = 10'000'000;
constexpr std::uint64_t minute = 60'000'000'000;

/// The largest number of one digit and zeros behind it that is not larger.
std::uint64_t round_below(std::uint64_t number) {
  std::uint64_t zeros = 1;
  while (number / zeros >= 10) zeros *= 10;
  return number / zeros * zeros;
}

}  // namespace

std::uint64_t Suite::telling_ttl(TtlUnit unit) const {
  constexpr std::uint64_t of_long_units = 200;
  const std::uint64_t length = protocol::length_of(unit);
  if (!may_expire(unit)) return of_long_units;
  const std::uint64_t longest = std::min(minute / length, round_below(max()));
  return longest * length >= surely_there ? longest : std::min(longest, surely_over / length);
}

bool Suite::has(std::initializer_list<protocol::MessageName> operations) const {
  return std::ranges::all_of(operations, [&](protocol::MessageName name) {
    return protocol::find_operation(dialect(), name) != nullptr;
  });
}

bool Suite::has_clause(std::string_view clause) const {
  return protocol::find_clause(dialect(), clause) != nullptr;
}

bool Suite::has_pairs() const {
  const auto fields = protocol::find_operation(dialect(), "PURGE")->request.fields;
  const auto is_key = [](const protocol::Field& field) { return field.name == "key"; };
  return std::ranges::none_of(fields, is_key);
}

std::vector<NameSize> Suite::names() const {
  std::vector<NameSize> names;
  const auto add = [&](std::string_view id, std::string title, const Bytes& bytes,
                       std::string_view flag) {
    if (has_pairs()) title = "consumer and resource of " + title;
    names.push_back(
        {id, std::move(title), bytes, has_pairs() ? Name(bytes, bytes) : Name(bytes), flag});
  };
  add("empty", "length 0", {}, "empty-name");
  add("one-byte", "one byte", {0xfe}, "short-name");
  add("longest", "255 bytes", Bytes(255, 'k'), "long-name");
  add("binary", "255 bytes, each value from 255 down to 1", every_value(), "binary-name");
  add("zeros", "16 zero bytes", Bytes(16, 0), "binary-name");
  return names;
}

void add_scenarios(Suite& suite) {
  add_counter_scenarios(suite);
  add_update_scenarios(suite);
  if (suite.has({"SET", "GET"})) add_buffer_scenarios(suite);
  if (suite.has({"LIST"})) add_listing_scenarios(suite);
  if (suite.has({"INFO", "STAT", "STATS"})) add_metric_scenarios(suite);
  if (suite.has({"SUBSCRIBE", "PUBLISH"})) add_channel_scenarios(suite);
  if (suite.has({"CONNECTION", "WHOAMI"})) add_connection_scenarios(suite);
  add_own_scenarios(suite);
}

}  // namespace hallmark::vectors::generator
