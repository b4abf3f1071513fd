#include "vectors/generator/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/text.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::vectors::generator {
namespace {

bool has_field(std::span<const protocol::Field> fields, protocol::FieldName name) {
  return std::ranges::find(fields, name, &protocol::Field::name) != fields.end();
}

bool any_dialect_has(std::string_view clause) {
  return std::ranges::any_of(protocol::throttr_dialects, [&](const protocol::Dialect* dialect) {
    return protocol::find_clause(*dialect, clause) != nullptr;
  });
}

}  // namespace

Record Name::with(Record values) const {
  for (const auto& [field, value] : fields_.fields())
    values.set(protocol::FieldName::unchecked(field), value);
  return values;
}

Scenario::Scenario(protocol::Width width, const protocol::Readings& readings,
                   protocol::Profile profile, protocol::MessageName operation,
                   std::string_view name, std::string_view title)
    : width_(width),
      readings_(&readings),
      name_(fmt::format("{}/{}", base::lower_case(operation), name)) {
  vector_.id = fmt::format("{}/{}{}/{}", dialect().name,
                           profile == protocol::Profile::literal ? "literal/" : "",
                           protocol::name_of(width), name_);
  vector_.title = std::string(title);
  vector_.operation = std::string(operation);
}

Scenario& Scenario::level(protocol::Level level) {
  vector_.level = level;
  return *this;
}

Scenario& Scenario::cites(std::initializer_list<std::string_view> clauses) {
  for (const std::string_view clause : clauses) {
    if (protocol::find_clause(dialect(), clause) != nullptr) {
      vector_.clauses.emplace_back(clause);
    } else if (!any_dialect_has(clause)) {
      throw std::logic_error(fmt::format("{}: cites {}, which is no clause", vector_.id, clause));
    }
  }
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
  return base::to_bytes(fmt::format("hallmark/{}{}{}", name_, part.empty() ? "" : "/", part));
}

Scenario& Scenario::on(std::string_view connection) {
  connection_ = std::string(connection);
  return *this;
}

void Scenario::add(decltype(Step::action) action) {
  vector_.steps.push_back({connection_, std::move(action)});
}

const protocol::Operation& Scenario::operation(protocol::MessageName name) const {
  const auto* const found = protocol::find_operation(dialect(), name);
  if (found == nullptr) {
    throw std::logic_error(
        fmt::format("{}: {} has no operation {}", vector_.id, dialect().name, name));
  }
  return *found;
}

/// The names by which PURGE would remove what the request touches.
void Scenario::touch(const Record& fields) {
  Record name;
  for (const protocol::Field& field : operation("PURGE").request.fields) {
    if (!field.is<protocol::kinds::Bytes>()) continue;
    const Value* const value = fields.find(field.name);
    if (value == nullptr) return;
    name.set(field.name, *value);
  }
  if (std::ranges::find(vector_.keys, name) == vector_.keys.end()) vector_.keys.push_back(name);
}

Record Scenario::own_words(const protocol::Operation& operation, Record fields) {
  if (!has_field(operation.request.fields, "request_id")) {
    return protocol::worded(dialect(), operation, std::move(fields));
  }
  const std::uint64_t id =
      fields.find("request_id") == nullptr ? next_request_id_++ : fields.number("request_id");
  Record identified{{"request_id", id}};
  for (const auto& [name, value] : fields.fields())
    identified.set(protocol::FieldName::unchecked(name), value);
  return protocol::worded(dialect(), operation, std::move(identified));
}

std::size_t Scenario::send(protocol::MessageName name, Record shared) {
  const protocol::Operation& asked = operation(name);
  Record fields = own_words(asked, std::move(shared));
  auto bytes = protocol::encode(protocol::Layout::request(asked, width_, *readings_), fields);
  if (bytes.has_error()) {
    throw std::logic_error(
        fmt::format("{}: {} {}", vector_.id, bytes.error().field, bytes.error().reason));
  }
  touch(fields);
  if (protocol::Layout::reply(asked, width_, *readings_).sent()) {
    const bool identified = fields.find("request_id") != nullptr;
    unanswered_[connection_].push_back(
        {std::string(name),
         identified ? std::optional(fields.number("request_id")) : std::nullopt});
  }
  add(Send{std::string(name), std::move(fields), std::move(*bytes), {}});
  return vector_.steps.size() - 1;
}

std::size_t Scenario::send(protocol::MessageName name, Record fields, protocol::FieldName field,
                           std::string_view remembered) {
  const std::size_t position = send(name, std::move(fields));
  auto& sent = std::get<Send>(vector_.steps.back().action);
  protocol::Decoder decoder(protocol::Layout::request(operation(name), width_, *readings_));
  decoder.resume(sent.bytes);
  const auto* const place = protocol::MessageView(decoder, sent.bytes).find(field);
  sent.substitutions.push_back(
      {std::string(field), place->offset, place->length, std::string(remembered)});
  return position;
}

const Scenario::Asked& Scenario::oldest_unanswered() const {
  const auto found = unanswered_.find(connection_);
  if (found == unanswered_.end() || found->second.empty()) {
    throw std::logic_error(fmt::format("{}: expects a reply that nobody asked for", vector_.id));
  }
  return found->second.front();
}

Scenario& Scenario::expect_any(std::vector<std::vector<Field>> alternatives) {
  const Asked asked = oldest_unanswered();
  unanswered_[connection_].pop_front();
  Expect expect;
  for (auto& fields : alternatives) {
    if (asked.request_id) fields.insert(fields.begin(), is("request_id", *asked.request_id));
    Expected& expected = expect.any_of.emplace_back();
    expected.message = asked.operation;
    expected.fields = std::move(fields);
  }
  add(std::move(expect));
  return *this;
}

Scenario& Scenario::expect(std::vector<Field> fields) { return expect_any({std::move(fields)}); }

Scenario& Scenario::expect_expiring(const Lifetime& lifetime,
                                    const std::function<std::vector<Field>(Field ttl)>& found) {
  if (reads({"expiry-2.0", "restored"})) return expect(found(between("ttl", 0, lifetime.full)));
  std::vector<std::vector<Field>> alternatives{found(left("ttl", lifetime))};
  if (reads({"expired-when", "scheduler"})) alternatives.push_back(found(is("ttl", 0)));
  alternatives.push_back({is("status", 0)});
  expect_any(std::move(alternatives));
  auto& any_of = std::get<Expect>(vector_.steps.back().action).any_of;
  for (std::size_t i = 1; i < any_of.size(); ++i) any_of[i].only_after = lifetime;
  return *this;
}

Scenario& Scenario::succeeds(std::vector<Field> fields) {
  const auto& asked = operation(protocol::MessageName::unchecked(oldest_unanswered().operation));
  const auto layout = protocol::Layout::reply(asked, width_, *readings_);
  if (layout.status() != nullptr) {
    fields.insert(fields.begin(), is("status", 1));
  }
  return expect(std::move(fields));
}

Scenario& Scenario::status(bool success) { return expect({is("status", success ? 1 : 0)}); }

Scenario& Scenario::receives(const Bytes& channel, const Bytes& payload) {
  const protocol::Push& push = dialect().pushes.front();
  Expected expected;
  expected.message = std::string(push.name);
  expected.push = true;
  if (has_field(push.message.fields, "channel")) expected.fields.push_back(is("channel", channel));
  expected.fields.push_back(is("payload", payload));
  add(Expect{{std::move(expected)}});
  return *this;
}

Scenario& Scenario::close() {
  add(Close{});
  return *this;
}

Lifetime Scenario::lifetime(TtlUnit unit, std::uint64_t ttl, std::size_t since) const {
  const auto wording = protocol::ttl_wording(dialect(), unit);
  return {ttl * wording.factor, length_of(wording.unit), since};
}

Field Scenario::ttl_type(TtlUnit unit) const {
  return is("ttl_type", protocol::ttl_wording(dialect(), unit).code);
}

Lifetime Scenario::insert(const Name& name, std::uint64_t quota, TtlUnit unit, std::uint64_t ttl,
                          bool success) {
  const std::size_t since =
      send("INSERT", name.with({{"quota", quota}, {"ttl_type", code(unit)}, {"ttl", ttl}}));
  status(success);
  return lifetime(unit, ttl, since);
}

Lifetime Scenario::set(const Name& name, const Bytes& value, TtlUnit unit, std::uint64_t ttl,
                       bool success) {
  Record fields = name.with({{"ttl_type", code(unit)}, {"ttl", ttl}});
  const std::size_t since = send("SET", std::move(fields.set("value", value)));
  status(success);
  return lifetime(unit, ttl, since);
}

Lifetime Scenario::update_ttl(const Name& name, Change change, TtlUnit unit, std::uint64_t value,
                              const Lifetime& before, std::uint64_t after) {
  const std::uint64_t factor = protocol::ttl_wording(dialect(), unit).factor;
  const std::size_t since = send("UPDATE", name.with({{"attribute", code(Attribute::ttl)},
                                                      {"change", code(change)},
                                                      {"value", value * factor}}));
  status(true);
  // PATCH counts from now; the others move the time point that an earlier request has set.
  return lifetime(unit, after, change == Change::patch ? since : before.since);
}

Scenario& Scenario::update_quota(const Name& name, Change change, std::uint64_t value,
                                 bool success) {
  send("UPDATE",
       name.with(
           {{"attribute", code(Attribute::quota)}, {"change", code(change)}, {"value", value}}));
  return status(success);
}

Scenario& Scenario::query(const Name& name, std::uint64_t quota, TtlUnit unit,
                          const Lifetime& lifetime) {
  send("QUERY", name.with({}));
  return succeeds({is("quota", quota), ttl_type(unit), left("ttl", lifetime)});
}

Scenario& Scenario::get(const Name& name, const Bytes& value, TtlUnit unit,
                        const Lifetime& lifetime) {
  send("GET", name.with({}));
  return succeeds({ttl_type(unit), left("ttl", lifetime), is("value", value)});
}

Scenario& Scenario::fails(protocol::MessageName operation, const Name& name) {
  send(operation, name.with({}));
  return status(false);
}

Scenario& Scenario::purge(const Name& name, bool success) {
  send("PURGE", name.with({}));
  return status(success);
}

Scenario& Scenario::subscribe(const Bytes& channel, bool success) {
  send("SUBSCRIBE", {{"channel", channel}});
  return status(success);
}

Scenario& Scenario::unsubscribe(const Bytes& channel, bool success) {
  send("UNSUBSCRIBE", {{"channel", channel}});
  return status(success);
}

Scenario& Scenario::publish(const Bytes& channel, const Bytes& payload, bool success) {
  send("PUBLISH", {{"channel", channel}, {"payload", payload}});
  if (protocol::Layout::reply(operation("PUBLISH"), width_, *readings_).sent()) status(success);
  return *this;
}

Scenario& Scenario::publish_to_nobody(const Bytes& channel, const Bytes& payload) {
  return publish(channel, payload, reads({"publish-nobody", "accepted"}));
}

Scenario& Scenario::fence() { return fails("QUERY", key("fence")); }

Scenario& Scenario::whoami(std::string_view name) {
  send("WHOAMI", {});
  return succeeds({remember("id", name)});
}

}  // namespace hallmark::vectors::generator
