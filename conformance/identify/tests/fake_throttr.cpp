#include "conformance/identify/tests/fake_throttr.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/throttr_words.hpp"

namespace hallmark::conformance::testing {
namespace {

using base::Bytes;
using base::ByteView;
using protocol::code;
using protocol::length_of;
using protocol::Record;
using protocol::Value;

constexpr Time never = ~Time{0};
constexpr Time sweep = 100'000'000;

bool has_field(std::span<const protocol::Field> fields, protocol::FieldName name) {
  return std::ranges::find(fields, name, &protocol::Field::name) != fields.end();
}

Bytes copied(const Record& record, protocol::FieldName field) {
  return std::get<Bytes>(*record.find(field));
}

}  // namespace

void FakeThrottr::connected(Connection connection) {
  inboxes_[connection];
  if (format_.dialect().name != "throttr-7.3") return;
  channels_[base::to_bytes("*")].insert(connection);
  channels_[base::to_bytes(base::to_hex(id_of(connection)))].insert(connection);
}

void FakeThrottr::left(Connection connection) {
  inboxes_.erase(connection);
  for (auto& [name, subscribers] : channels_) subscribers.erase(connection);
  std::erase_if(channels_, [](const auto& one) { return one.second.empty(); });
}

std::size_t FakeThrottr::subscriptions() const {
  std::size_t count = 0;
  for (const auto& [name, subscribers] : channels_) count += subscribers.size();
  return count;
}

void FakeThrottr::receive(Connection connection, ByteView segment, Time now) {
  now_ = now;
  Bytes& inbox = inboxes_[connection];
  inbox.insert(inbox.end(), segment.begin(), segment.end());
  const std::size_t before = outbox(connection).size();
  std::vector<std::size_t> starts;
  std::size_t taken = 0;
  while (!closed(connection) && taken < inbox.size()) {
    starts.push_back(outbox(connection).size());
    const std::size_t used = take_one(connection, ByteView(inbox).subspan(taken));
    if (used == 0) break;
    taken += used;
  }
  if (!closed(connection))
    inbox.erase(inbox.begin(), inbox.begin() + static_cast<std::ptrdiff_t>(taken));
  if (!reads("reply-order", "any-order")) return;
  Bytes& out = outbox(connection);
  Bytes backwards(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(before));
  std::size_t end = out.size();
  for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
    backwards.insert(backwards.end(), out.begin() + static_cast<std::ptrdiff_t>(*start),
                     out.begin() + static_cast<std::ptrdiff_t>(end));
    end = *start;
  }
  out = std::move(backwards);
}

std::size_t FakeThrottr::unknown_opcode(Connection from) {
  if (reads("opcode-unknown", "closed")) close(from);
  if (reads("opcode-unknown", "refused")) send(from, Bytes{0});
  return 1;
}

std::size_t FakeThrottr::take_one(Connection from, ByteView bytes) {
  const protocol::Operation* const operation = protocol::operation_of(format_.dialect(), bytes);
  if (operation == nullptr || without.contains(operation->name)) return unknown_opcode(from);
  protocol::Decoder decoder(format_.request(*operation), {.refuse_unlisted = false});
  if (decoder.resume(bytes) != protocol::Decoder::State::complete) return 0;
  handle(from, *operation, protocol::MessageView(decoder, bytes.first(decoder.size())).record());
  return decoder.size();
}

void FakeThrottr::reply(Connection to, const protocol::Operation& operation, Record values) {
  const protocol::Layout layout = format_.reply(operation);
  if (!layout.sent()) return;
  if (has_field(operation.reply.fields, "request_id")) values.set("request_id", request_id_);
  if (layout.find(operation.reply.fields, "status") != nullptr && values.find("status") == nullptr)
    values.set("status", std::uint64_t{1});
  send(to, *protocol::encode(layout, values));
}

void FakeThrottr::status(Connection to, const protocol::Operation& operation, bool success) {
  reply(to, operation, {{"status", std::uint64_t{success}}});
}

bool FakeThrottr::unlisted(Connection from, const protocol::Operation& operation,
                           protocol::ReadingName reading) {
  if (reads(reading, "accepted")) return false;
  if (reads(reading, "closed")) {
    close(from);
  } else {
    status(from, operation, false);
  }
  return true;
}

void FakeThrottr::handle(Connection from, const protocol::Operation& operation,
                         const Record& request) {
  request_id_ = request.number_or("request_id", 0);
  const bool typed = request.find("ttl_type") != nullptr;
  if (typed && !protocol::ttl_unit(format_.dialect(), request.number("ttl_type")) &&
      unlisted(from, operation, "ttl-type-unknown"))
    return;
  if (request.number_or("attribute", 0) > 1 && unlisted(from, operation, "attribute-unknown"))
    return;
  if (request.number_or("change", 0) > 2 && unlisted(from, operation, "change-unknown")) return;
  if (const auto success = done(from, operation.name, request))
    return status(from, operation, *success);
  if (auto values = shown(from, operation.name, request))
    return reply(from, operation, std::move(*values));
  status(from, operation, false);
}

/// Performs an operation that changes something, and returns true if it did. Returns nothing for
/// other operations.
std::optional<bool> FakeThrottr::done(Connection from, protocol::MessageName name,
                                      const Record& request) {
  if (name == "INSERT" || name == "SET") return store(request, name == "INSERT");
  if (name == "UPDATE") return update(request);
  if (name == "PURGE") return remove(request);
  if (name == "SUBSCRIBE") return subscribe(from, copied(request, "channel"));
  if (name == "UNSUBSCRIBE") return unsubscribe(from, copied(request, "channel"));
  if (name == "PUBLISH") return publish(from, request);
  return std::nullopt;
}

/// Returns the fields of the reply of an operation that shows something; nothing if there is
/// nothing to show.
std::optional<Record> FakeThrottr::shown(Connection from, protocol::MessageName name,
                                         const Record& request) {
  if (name == "LIST") return list();
  if (name == "INFO") return info();
  if (name == "STATS") return fragment_of("keys", {});
  if (name == "CONNECTIONS") return connections();
  if (name == "CHANNELS") return channels();
  if (name == "WHOAMI" && reads("whoami", "index")) return Record{{"index", index_of(from)}};
  if (name == "WHOAMI") return Record{{"id", id_of(from)}};
  if (name == "CONNECTION") {
    const auto found = asked_for(request);
    return found ? std::optional(connection(*found)) : std::nullopt;
  }
  if (name == "QUERY" || name == "GET") return stored(request, name == "QUERY");
  return std::nullopt;
}

// Records.

Bytes FakeThrottr::key_of(const Record& request) const {
  if (request.find("key") != nullptr) return copied(request, "key");
  Bytes key = copied(request, "consumer_id");
  if (reads("pair-identity", "pair"))
    key.insert(key.begin(), static_cast<std::uint8_t>(key.size()));
  const Bytes resource = copied(request, "resource_id");
  key.insert(key.end(), resource.begin(), resource.end());
  return key;
}

bool FakeThrottr::expired(const Stored& stored) const {
  const Time now = reads("expired-when", "scheduler") ? now_ - now_ % sweep : now_;
  return stored.expires <= now;
}

FakeThrottr::Stored* FakeThrottr::find(const Record& request) {
  const auto found = store_.find(key_of(request));
  if (found == store_.end()) return nullptr;
  Stored& stored = found->second;
  if (!expired(stored)) return &stored;
  if (!reads("expiry-2.0", "restored")) {
    store_.erase(found);
    return nullptr;
  }
  stored.quota = stored.first_quota;
  while (stored.expires <= now_) stored.expires += stored.period;
  return &stored;
}

std::optional<Record> FakeThrottr::stored(const Record& request, bool counter) {
  const Stored* const found = find(request);
  if (found == nullptr || found->counter != counter) return std::nullopt;
  const std::uint64_t quota = found->quota - (shows_less ? 1 : 0);
  Record values = counter ? Record{{"quota", quota}} : Record{{"value", found->value}};
  values.set("ttl_type", protocol::ttl_wording(format_.dialect(), found->unit).code);
  return values.set("ttl", shown_ttl(*found));
}

bool FakeThrottr::remove(const Record& request) {
  const bool there = find(request) != nullptr;
  if (there && !keeps_purged) store_.erase(key_of(request));
  return there || reads("purge-missing", "accepted");
}

/// Returns true if a request that meets a record is refused.
bool FakeThrottr::refuses_over(const Stored& there, bool counter) {
  const protocol::ReadingName reading = there.counter != counter
                                            ? protocol::ReadingName("kind-mismatch")
                                        : counter ? protocol::ReadingName("insert-existing")
                                                  : "set-existing";
  const bool otherwise = fickle && moods_++ % 2 == 1;
  return reads(reading, "refused") != otherwise;
}

bool FakeThrottr::has_refused_name(const Record& request) const {
  for (const protocol::FieldName name :
       std::initializer_list<protocol::FieldName>{"key", "value", "consumer_id", "resource_id"}) {
    const Value* const value = request.find(name);
    if (value != nullptr && std::get<Bytes>(*value).empty() && reads("empty-names", "refused"))
      return true;
  }
  return false;
}

std::optional<Time> FakeThrottr::end_of(Time from, TtlUnit unit, std::uint64_t ttl) const {
  if (ttl != 0) return from + std::min(ttl, std::uint64_t{1} << 40) * length_of(unit) % (never / 4);
  if (reads("ttl-zero", "refused")) return std::nullopt;
  return reads("ttl-zero", "forever") ? never : from;
}

bool FakeThrottr::store(const Record& request, bool counter) {
  const TtlUnit unit =
      protocol::ttl_unit(format_.dialect(), request.number("ttl_type")).value_or(TtlUnit::seconds);
  const std::uint64_t largest = format_.largest_valid();
  if (request.number_or("quota", 0) > largest || request.number("ttl") > largest) return false;
  const auto ends = end_of(now_, unit, request.number("ttl"));
  if (!ends || has_refused_name(request)) return false;
  const Stored* const there = find(request);
  if (there != nullptr && refuses_over(*there, counter)) return false;
  if (*ends <= now_) return true;
  Stored made{.counter = counter, .quota = request.number_or("quota", 0), .value = {}};
  if (!counter) made.value = copied(request, "value");
  made.unit = unit;
  made.ttl = request.number("ttl");
  made.created = now_;
  made.expires = *ends;
  made.first_quota = made.quota;
  made.period = *ends - now_;
  store_[key_of(request)] = std::move(made);
  return true;
}

bool FakeThrottr::update(const Record& request) {
  Stored* const stored = find(request);
  if (stored == nullptr) return false;
  const std::uint64_t change = request.number("change");
  if (change > 2 || request.number("attribute") > 1) return true;
  if (request.number("attribute") == 1) return update_ttl(*stored, change, request.number("value"));
  return stored->counter && update_quota(*stored, change, request.number("value"));
}

bool FakeThrottr::update_quota(Stored& stored, std::uint64_t change, std::uint64_t value) const {
  const std::uint64_t largest = format_.largest_valid();
  if (change == 0) {
    if (value <= largest) stored.quota = value;
    return value <= largest;
  }
  const bool upward = change == 1;
  if (upward ? value <= largest - stored.quota : value <= stored.quota) {
    stored.quota = upward ? stored.quota + value : stored.quota - value;
    return true;
  }
  const protocol::ReadingName reading =
      upward ? protocol::ReadingName("increase-overflow") : "decrease-below-zero";
  if (reads(reading, "refused")) return false;
  const std::uint64_t wrapped = upward ? stored.quota + value : stored.quota - value;
  stored.quota = reads(reading, "wrapped") ? wrapped & format_.maximum() : upward ? largest : 0;
  return true;
}

bool FakeThrottr::update_ttl(Stored& stored, std::uint64_t change, std::uint64_t value) {
  const Time unit = length_of(stored.unit);
  const Time left = stored.expires - std::min(now_, stored.expires);
  if (change == 0) {
    const bool creation = reads("ttl-update", "unit-of-record-from-creation");
    const auto ends = end_of(creation ? stored.created : now_, stored.unit, value);
    if (ends) stored.expires = *ends;
    if (ends) stored.ttl = value;
    return ends.has_value();
  }
  if (change == 2) {
    const bool past = value * unit >= left;
    if (past && reads("ttl-past-now", "refused")) return false;
    stored.expires = past ? now_ : stored.expires - value * unit;
    return true;
  }
  if (value <= format_.maximum() - left / unit) {
    stored.expires += value * unit;
    return true;
  }
  return !reads("ttl-beyond", "refused");
}

std::uint64_t FakeThrottr::shown_ttl(const Stored& stored) const {
  if (stored.expires == never) return 0;
  const Time unit = length_of(stored.unit);
  const Time left = stored.expires - std::min(now_, stored.expires);
  if (reads("ttl-left", "as-set")) return stored.ttl;
  return reads("ttl-left", "left-rounded-up") ? (left + unit - 1) / unit : left / unit;
}

// Channels.

bool FakeThrottr::subscribe(Connection from, const Bytes& channel) {
  return channels_[channel].insert(from).second || reads("subscribe-twice", "accepted");
}

bool FakeThrottr::unsubscribe(Connection from, const Bytes& channel) {
  const bool was = channels_[channel].erase(from) > 0;
  if (channels_[channel].empty()) channels_.erase(channel);
  return was || reads("unsubscribe-absent", "accepted");
}

bool FakeThrottr::publish(Connection from, const Record& request) {
  const protocol::Push& push = format_.dialect().pushes.front();
  Record values{{"payload", copied(request, "payload")}};
  if (has_field(push.message.fields, "channel")) values.set("channel", copied(request, "channel"));
  const auto found = channels_.find(copied(request, "channel"));
  if (found == channels_.end()) return reads("publish-nobody", "accepted");
  for (const Connection each : found->second) {
    if (each != from || reads("publish-self", "yes"))
      send(each, *protocol::encode(format_.layout_of(push), values));
  }
  return true;
}

// Listings.

Record FakeThrottr::fragment_of(protocol::FieldName group, std::vector<Record> entries) const {
  Record fragment{{"fragment", std::uint64_t{reads("fragments", "from-0") ? 0U : 1U}}};
  fragment.set(group, std::move(entries));
  return {{"fragments", std::vector<Record>{std::move(fragment)}}};
}

Record FakeThrottr::list() const {
  std::vector<Record> entries;
  for (const auto& [key, stored] : store_) {
    Record entry{{"key", key},
                 {"key_type", std::uint64_t{stored.counter ? 0U : 1U}},
                 {"ttl_type", code(stored.unit)},
                 {"time_point", stored.expires}};
    if (!reads("list-bytes-used", "no"))
      entry.set("bytes_used", std::uint64_t{stored.counter ? 1 : stored.value.size()});
    entries.push_back(std::move(entry));
  }
  return fragment_of("keys", std::move(entries));
}

Record FakeThrottr::info() const {
  Record values;
  for (const protocol::Field& field : format_.operation("INFO").reply.on_success) {
    if (field.is<protocol::kinds::Text>()) {
      values.set(field.name, base::to_bytes(version));
    } else {
      values.set(field.name, std::uint64_t{7});
    }
  }
  return values;
}

Bytes FakeThrottr::id_of(Connection connection) const {
  return Bytes(16, static_cast<std::uint8_t>(0xa0 + connection));
}

std::uint64_t FakeThrottr::index_of(Connection connection) const {
  const auto place = std::distance(inboxes_.begin(), inboxes_.find(connection));
  return static_cast<std::uint64_t>(place) + (reads("connection-index", "from-1") ? 1 : 0);
}

Record FakeThrottr::connection(Connection of) const {
  const bool raw = reads("ip-field", "raw");
  Record values;
  const auto fill = [&](std::span<const protocol::Field> fields) {
    for (const protocol::Field& field : fields) {
      if (!field.numeric() || values.find(field.name) != nullptr) continue;
      values.set(field.name, std::uint64_t{0});
    }
  };
  fill(format_.operation("CONNECTION").reply.on_success);
  Bytes ip = raw ? Bytes{127, 0, 0, 1} : base::to_bytes("127.0.0.1");
  if (local) ip.clear();
  ip.resize(16);
  return values.set("id", id_of(of)).set("ip_version", std::uint64_t{4}).set("ip", ip);
}

Record FakeThrottr::connections() const {
  std::vector<Record> entries;
  for (const auto& [each, inbox] : inboxes_) entries.push_back(connection(each));
  return fragment_of("connections", std::move(entries));
}

Record FakeThrottr::channels() const {
  std::vector<Record> entries;
  for (const auto& [name, subscribers] : channels_) {
    entries.push_back({{"channel", name},
                       {"read_bytes", std::uint64_t{0}},
                       {"write_bytes", std::uint64_t{0}},
                       {"subscribed_connections", std::uint64_t{subscribers.size()}}});
  }
  return fragment_of("channels", std::move(entries));
}

std::optional<Responder::Connection> FakeThrottr::asked_for(const Record& request) const {
  for (const auto& [each, inbox] : inboxes_) {
    const Value* const id = request.find("id");
    if (id != nullptr ? std::get<Bytes>(*id) == id_of(each)
                      : request.number("index") == index_of(each))
      return each;
  }
  return std::nullopt;
}

}  // namespace hallmark::conformance::testing
