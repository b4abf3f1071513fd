#include "vectors/generator/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "reference/protocol/encode.hpp"

namespace hallmark::vectors::generator {
namespace {

Field field_with(std::string_view name, Match match) {
  Field field;
  field.field = std::string(name);
  field.match = match;
  return field;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace

Field is(std::string_view field, std::uint64_t number) {
  Field result = field_with(field, Match::equals);
  result.value = number;
  return result;
}

Field is(std::string_view field, protocol::ByteView bytes) {
  Field result = field_with(field, Match::equals);
  result.value = Bytes(bytes.begin(), bytes.end());
  return result;
}

Field is(std::string_view field, TtlUnit unit) { return is(field, code(unit)); }

Field any(std::string_view field) { return field_with(field, Match::any); }

Field between(std::string_view field, std::uint64_t min, std::uint64_t max) {
  Field result = field_with(field, Match::range);
  result.min = min;
  result.max = max;
  return result;
}

Field one_of(std::string_view field, std::vector<std::uint64_t> choices) {
  Field result = field_with(field, Match::one_of);
  result.choices = std::move(choices);
  return result;
}

Field left(std::string_view field, const Lifetime& lifetime) {
  Field result = field_with(field, Match::remaining);
  result.lifetime = lifetime;
  return result;
}

Field remember(std::string_view field, std::string_view name) {
  Field result = field_with(field, Match::capture);
  result.capture = std::string(name);
  return result;
}

Field remembered(std::string_view field, std::string_view name) {
  Field result = field_with(field, Match::captured);
  result.capture = std::string(name);
  return result;
}

Field holds(std::string_view group, std::vector<EntryPattern> records, bool exactly) {
  Field result = field_with(group, Match::set_of);
  result.entries = std::move(records);
  result.exactly = exactly;
  return result;
}

Bytes pattern(std::size_t n) {
  Bytes bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::uint8_t>(i % 251);
  return bytes;
}

Scenario::Scenario(const protocol::Dialect& dialect, protocol::Width width,
                   const protocol::Readings& readings, std::string_view operation,
                   std::string_view name, std::string_view title)
    : dialect_(dialect), width_(width), readings_(readings) {
  vector_.id =
      fmt::format("{}/{}/{}/{}", dialect.name, protocol::name_of(width), lower(operation), name);
  vector_.title = std::string(title);
  vector_.operation = std::string(operation);
}

Scenario& Scenario::level(protocol::Level level) {
  vector_.level = level;
  return *this;
}

Scenario& Scenario::cites(std::initializer_list<std::string_view> clauses) {
  for (const std::string_view clause : clauses) vector_.clauses.emplace_back(clause);
  return *this;
}

Scenario& Scenario::flag(std::string_view flag) {
  vector_.flags.emplace_back(flag);
  return *this;
}

Scenario& Scenario::needs(Precondition precondition) {
  vector_.preconditions.push_back(precondition);
  return *this;
}

Bytes Scenario::key(std::string_view part) const {
  const std::string name = vector_.id.substr(vector_.id.find('/', vector_.id.find('/') + 1) + 1);
  return protocol::to_bytes(fmt::format("hallmark/{}{}{}", name, part.empty() ? "" : "/", part));
}

Scenario& Scenario::on(std::string_view connection) {
  connection_ = std::string(connection);
  return *this;
}

void Scenario::add(std::variant<Send, Expect, Close> action) {
  vector_.steps.push_back({connection_, std::move(action)});
}

void Scenario::touch(const Record& fields) {
  const Value* const key = fields.find("key");
  if (key == nullptr) return;
  const auto& bytes = std::get<Bytes>(*key);
  if (std::ranges::find(vector_.keys, bytes) == vector_.keys.end()) vector_.keys.push_back(bytes);
}

std::size_t Scenario::send(std::string_view operation, Record fields) {
  const auto* const found = protocol::find_operation(dialect_, operation);
  const auto bytes = protocol::encode(protocol::Layout::request(*found, width_, readings_), fields);
  if (bytes.has_error()) {
    throw std::logic_error(
        fmt::format("{}: {} {}", vector_.id, bytes.error().field, bytes.error().reason));
  }
  touch(fields);
  add(Send{std::string(operation), std::move(fields), *bytes, {}});
  last_operation_[connection_] = std::string(operation);
  return vector_.steps.size() - 1;
}

std::size_t Scenario::send(std::string_view operation, Record fields, std::string_view field,
                           std::string_view remembered) {
  const std::size_t position = send(operation, std::move(fields));
  auto& sent = std::get<Send>(vector_.steps.back().action);
  const auto* const found = protocol::find_operation(dialect_, operation);
  protocol::Decoder decoder(protocol::Layout::request(*found, width_, readings_));
  decoder.resume(sent.bytes);
  const auto* const place = protocol::MessageView(decoder, sent.bytes).find(field);
  sent.substitutions.push_back(
      {std::string(field), place->offset, place->length, std::string(remembered)});
  return position;
}

Expected Scenario::reply_with(std::vector<Field> fields) const {
  Expected expected;
  expected.message = last_operation_.at(connection_);
  expected.fields = std::move(fields);
  return expected;
}

Scenario& Scenario::expect(std::vector<Field> fields) { return expect_any({std::move(fields)}); }

Scenario& Scenario::expect_any(std::vector<std::vector<Field>> alternatives) {
  Expect expect;
  for (auto& fields : alternatives) expect.any_of.push_back(reply_with(std::move(fields)));
  add(std::move(expect));
  return *this;
}

Scenario& Scenario::expect_until(const Lifetime& lifetime, std::vector<Field> before,
                                 std::vector<Field> after) {
  expect_any({std::move(before), std::move(after)});
  std::get<Expect>(vector_.steps.back().action).any_of.back().only_after = lifetime;
  return *this;
}

Scenario& Scenario::expect_push(std::string_view push, std::vector<Field> fields) {
  Expected expected;
  expected.message = std::string(push);
  expected.push = true;
  expected.fields = std::move(fields);
  add(Expect{{std::move(expected)}});
  return *this;
}

Scenario& Scenario::close() {
  add(Close{});
  return *this;
}

Lifetime Scenario::insert(const Bytes& key, std::uint64_t quota, TtlUnit type, std::uint64_t ttl) {
  const std::size_t since =
      send("INSERT", {{"quota", quota}, {"ttl_type", code(type)}, {"ttl", ttl}, {"key", key}});
  expect({is("status", 1)});
  return {ttl, length_of(type), since};
}

Lifetime Scenario::set(const Bytes& key, const Bytes& value, TtlUnit type, std::uint64_t ttl) {
  const std::size_t since =
      send("SET", {{"ttl_type", code(type)}, {"ttl", ttl}, {"key", key}, {"value", value}});
  expect({is("status", 1)});
  return {ttl, length_of(type), since};
}

Lifetime Scenario::update_ttl(const Bytes& key, Change change, std::uint64_t value,
                              const Lifetime& result) {
  const std::size_t since = send("UPDATE", {{"attribute", code(Attribute::ttl)},
                                            {"change", code(change)},
                                            {"value", value},
                                            {"key", key}});
  expect({is("status", 1)});
  Lifetime lifetime = result;
  // PATCH counts from now; the others move the time point that an earlier request has set.
  if (change == Change::patch) lifetime.since = since;
  return lifetime;
}

Scenario& Scenario::update_quota(const Bytes& key, Change change, std::uint64_t value,
                                 std::uint64_t status) {
  send("UPDATE", {{"attribute", code(Attribute::quota)},
                  {"change", code(change)},
                  {"value", value},
                  {"key", key}});
  return expect({is("status", status)});
}

Scenario& Scenario::query(const Bytes& key, std::uint64_t quota, TtlUnit type,
                          const Lifetime& lifetime) {
  send("QUERY", {{"key", key}});
  return expect({is("status", 1), is("quota", quota), is("ttl_type", type), left("ttl", lifetime)});
}

Scenario& Scenario::get(const Bytes& key, const Bytes& value, TtlUnit type,
                        const Lifetime& lifetime) {
  send("GET", {{"key", key}});
  return expect({is("status", 1), is("ttl_type", type), left("ttl", lifetime), is("value", value)});
}

Scenario& Scenario::fails(std::string_view operation, const Bytes& key) {
  send(operation, {{"key", key}});
  return expect({is("status", 0)});
}

Scenario& Scenario::purge(const Bytes& key) {
  send("PURGE", {{"key", key}});
  return expect({is("status", 1)});
}

Scenario& Scenario::subscribe(const Bytes& channel, std::uint64_t status) {
  send("SUBSCRIBE", {{"channel", channel}});
  return expect({is("status", status)});
}

Scenario& Scenario::unsubscribe(const Bytes& channel, std::uint64_t status) {
  send("UNSUBSCRIBE", {{"channel", channel}});
  return expect({is("status", status)});
}

Scenario& Scenario::publish(const Bytes& channel, const Bytes& payload, std::uint64_t status) {
  send("PUBLISH", {{"channel", channel}, {"payload", payload}});
  const auto* const operation = protocol::find_operation(dialect_, std::string_view("PUBLISH"));
  if (protocol::Layout::reply(*operation, width_, readings_).sent()) expect({is("status", status)});
  return *this;
}

Scenario& Scenario::fence() { return fails("QUERY", key("fence")); }

Scenario& Scenario::whoami(std::string_view name) {
  send("WHOAMI", {});
  return expect({is("status", 1), remember("id", name)});
}

}  // namespace hallmark::vectors::generator
