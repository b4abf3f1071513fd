#include "conformance/tests/fake_server.hpp"

#include <algorithm>

#include "conformance/drivers/stream/requests.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/throttr_words.hpp"

namespace hallmark::conformance::testing {
namespace {

using base::Bytes;
using base::ByteView;
using protocol::Record;

const Bytes& bytes_in(const Record& record, protocol::FieldName field) {
  return std::get<Bytes>(*record.find(field));
}

/// A key, or a consumer and a resource as one.
Bytes name_in(const Record& request) {
  if (request.find("key") != nullptr) return bytes_in(request, "key");
  Bytes name = bytes_in(request, "consumer_id");
  name.insert(name.begin(), static_cast<std::uint8_t>(name.size()));
  const Bytes& resource = bytes_in(request, "resource_id");
  name.insert(name.end(), resource.begin(), resource.end());
  return name;
}

bool has(const protocol::Layout& layout, protocol::FieldName field) {
  return layout.find(layout.message().fields, field) != nullptr;
}

}  // namespace

void FakeServer::leave(Connection connection) {
  for (auto& [name, subscribers] : channels_) subscribers.erase(connection);
  if (half_from_ && half_from_ != connection) {
    peers_[connection].left = true;
    return;
  }
  peers_.erase(connection);
  if (!half_from_) return;
  half_from_.reset();
  catch_up();
}

void FakeServer::receive(Connection connection, ByteView bytes, Time now) {
  now_ = now;
  Peer& peer = peers_[connection];
  if (peer.closed) return;
  if (bug_ == Bug::forgets_split) peer.inbox.clear();
  peer.inbox.insert(peer.inbox.end(), bytes.begin(), bytes.end());
  if (bug_ != Bug::waits_for_rest) return consume(connection);
  if (half_from_ && half_from_ != connection) return;
  consume(connection);
  half_from_.reset();
  if (!peer.inbox.empty()) half_from_ = connection;
  catch_up();
}

void FakeServer::catch_up() {
  for (auto& [connection, peer] : peers_) {
    if (half_from_) break;
    consume(connection);
    if (!peer.inbox.empty() && !peer.left) half_from_ = connection;
  }
  std::erase_if(peers_, [&](const auto& one) { return !half_from_ && one.second.left; });
}

void FakeServer::consume(Connection connection) {
  Peer& peer = peers_[connection];
  std::size_t used = 0;
  while (used < peer.inbox.size() && !peer.closed) {
    const ByteView unread = ByteView(peer.inbox).subspan(used);
    const auto* const operation = protocol::operation_of(format_.dialect(), unread);
    if (operation == nullptr) {
      peer.closed = true;
      return;
    }
    protocol::Decoder decoder(format_.request(*operation), {.refuse_unlisted = false});
    if (decoder.resume(unread) != protocol::Decoder::State::complete) break;
    const Record request = protocol::MessageView(decoder, unread).record();
    used += decoder.size();
    answer(connection, *operation, request);
    if (bug_ == Bug::reads_one_request) used = peer.inbox.size();
  }
  peer.inbox.erase(peer.inbox.begin(), peer.inbox.begin() + static_cast<std::ptrdiff_t>(used));
}

void FakeServer::answer(Connection from, const protocol::Operation& operation,
                        const Record& request) {
  Bytes before;
  if (bug_ == Bug::replies_backwards) std::swap(before, peers_[from].outbox);
  if (bug_ != Bug::other_request_id) request_id_ = request.number_or("request_id", 0);
  handle(from, operation, request);
  request_id_ = request.number_or("request_id", 0);
  Bytes& outbox = peers_[from].outbox;
  outbox.insert(outbox.end(), before.begin(), before.end());
  if (bug_ == Bug::greets_everyone) deliver(from, {'*'}, {'h', 'i'});
}

void FakeServer::handle(Connection from, const protocol::Operation& operation,
                        const Record& request) {
  const protocol::MessageName name = operation.name;
  if (name == "INSERT") return status(from, name, insert(request));
  if (name == "QUERY") return query(from, request);
  if (name == "UPDATE") return status(from, name, update(request));
  if (name == "PURGE") {
    const bool found = find(request) != nullptr;
    if (bug_ != Bug::purge_keeps) store_.erase(name_in(request));
    return status(from, name, found);
  }
  if (name == "SET") return status(from, name, set(request));
  if (name == "GET") return get(from, request);
  if (name == "SUBSCRIBE") return status(from, name, subscribe(from, request));
  if (name == "UNSUBSCRIBE") return status(from, name, unsubscribe(from, request));
  if (name == "PUBLISH") return publish(from, request);
  if (name == "WHOAMI") return whoami(from);
  peers_[from].closed = true;
}

void FakeServer::reply(Connection to, protocol::MessageName operation, const Record& values) {
  const protocol::Layout layout = format_.reply(format_.operation(operation));
  Record fields;
  if (has(layout, "request_id")) fields.set("request_id", request_id_);
  for (const auto& [name, value] : values.fields()) {
    if (name != "status" || has(layout, "status"))
      fields.set(protocol::FieldName::unchecked(name), value);
  }
  const auto bytes = protocol::encode(layout, fields);
  Bytes& outbox = peers_[to].outbox;
  outbox.insert(outbox.end(), bytes->begin(), bytes->end());
  written_.push_back({to, std::string(operation), bytes->size()});
}

void FakeServer::status(Connection to, protocol::MessageName operation, bool success) {
  reply(to, operation, {{"status", std::uint64_t{success}}});
  if (bug_ == Bug::insert_replies_twice && operation == "INSERT") {
    reply(to, operation, {{"status", std::uint64_t{success}}});
  }
}

FakeServer::Stored* FakeServer::find(const Record& request) {
  const auto found = store_.find(name_in(request));
  if (found == store_.end()) return nullptr;
  if (found->second.expires > now_ || bug_ == Bug::keeps_expired) return &found->second;
  store_.erase(found);
  return nullptr;
}

Time FakeServer::lifetime(std::uint64_t ttl_type, std::uint64_t ttl) const {
  const Time full = length_of(*protocol::ttl_unit(format_.dialect(), ttl_type)) * ttl;
  return bug_ == Bug::expires_early ? full / 2 : full;
}

std::optional<std::uint64_t> FakeServer::listed_type(const Record& request) const {
  const std::uint64_t type = request.number("ttl_type");
  if (protocol::ttl_unit(format_.dialect(), type)) return type;
  if (!format_.reads({"ttl-type-unknown", "accepted"})) return std::nullopt;
  return protocol::ttl_wording(format_.dialect(), TtlUnit::seconds).code;
}

bool FakeServer::insert(const Record& request) {
  if (find(request) != nullptr && bug_ != Bug::reinserts) return false;
  const auto type = listed_type(request);
  if (!type) return false;
  store_[name_in(request)] = {
      true, request.number("quota"), {}, *type, now_ + lifetime(*type, request.number("ttl"))};
  return true;
}

bool FakeServer::set(const Record& request) {
  const Stored* const old = find(request);
  if (old != nullptr && old->is_counter) return false;
  const auto type = listed_type(request);
  if (!type) return false;
  Bytes value = bytes_in(request, "value");
  if (bug_ == Bug::set_truncates && !value.empty()) value.pop_back();
  store_[name_in(request)] = {false, 0, value, *type,
                              now_ + lifetime(*type, request.number("ttl"))};
  return true;
}

bool FakeServer::update(const Record& request) {
  Stored* const stored = find(request);
  const std::uint64_t change = request.number("change");
  const std::uint64_t value = request.number("value");
  if (stored == nullptr) return false;
  if (request.number("attribute") > 1) return format_.reads({"attribute-unknown", "accepted"});
  if (change > 2) return format_.reads({"change-unknown", "accepted"});
  if (request.number("attribute") == 0)
    return stored->is_counter && update_quota(*stored, change, value);
  const Time length = lifetime(stored->ttl_type, value);
  if (change == 1 && value > format_.maximum() - left(*stored)) {
    if (!format_.reads({"ttl-beyond", "saturated"})) return false;
    stored->expires = now_ + lifetime(stored->ttl_type, format_.maximum());
    return true;
  }
  if (change == 0) stored->expires = now_ + length;
  if (change == 1) stored->expires += length;
  if (change == 2) stored->expires -= std::min(length, stored->expires);
  return true;
}

bool FakeServer::update_quota(Stored& stored, std::uint64_t change, std::uint64_t value) const {
  if (change == 0) stored.quota = value;
  if (change == 1) {
    const bool wraps = format_.reads({"increase-overflow", "wrapped"});
    if (value > format_.maximum() - stored.quota && !wraps) return false;
    stored.quota += value + (bug_ == Bug::increase_off_by_one ? 1 : 0);
    stored.quota &= format_.maximum();
  }
  if (change == 2) {
    if (value > stored.quota && bug_ != Bug::decrease_wraps) {
      if (!format_.reads({"decrease-below-zero", "clamped"})) return false;
      stored.quota = 0;
      return true;
    }
    stored.quota = (stored.quota - value) & format_.maximum();
  }
  return true;
}

std::uint64_t FakeServer::left(const Stored& stored) const {
  const TtlUnit unit = bug_ == Bug::query_ttl_in_ms
                           ? TtlUnit::milliseconds
                           : *protocol::ttl_unit(format_.dialect(), stored.ttl_type);
  return std::min((stored.expires - std::min(stored.expires, now_)) / length_of(unit),
                  format_.maximum());
}

void FakeServer::query(Connection from, const Record& request) {
  const Stored* const found = find(request);
  if (found == nullptr || !found->is_counter || bug_ == Bug::query_replies_failure)
    return status(from, "QUERY", false);
  Bytes& outbox = peers_[from].outbox;
  const std::size_t before = outbox.size();
  reply(from, "QUERY",
        {{"status", std::uint64_t{1}},
         {"quota", found->quota},
         {"ttl_type", found->ttl_type},
         {"ttl", left(*found)}});
  const auto at = outbox.begin() + static_cast<std::ptrdiff_t>(before);
  const auto width = static_cast<std::ptrdiff_t>(protocol::bytes_of(format_.width()));
  if (bug_ == Bug::query_big_endian) std::reverse(at + 1, at + 1 + width);
  if (bug_ == Bug::query_short) outbox.pop_back();
  if (bug_ == Bug::query_without_status) outbox.erase(at);
}

void FakeServer::get(Connection from, const Record& request) {
  const Stored* const found = find(request);
  if (found == nullptr || found->is_counter) return status(from, "GET", false);
  reply(from, "GET",
        {{"status", std::uint64_t{1}},
         {"ttl_type", found->ttl_type},
         {"ttl", left(*found)},
         {"value", found->value}});
}

bool FakeServer::subscribe(Connection from, const Record& request) {
  if (stay_subscribed_.contains(from)) return false;
  const bool is_new = channels_[bytes_in(request, "channel")].insert(from).second;
  return is_new || format_.reads({"subscribe-twice", "accepted"});
}

bool FakeServer::unsubscribe(Connection from, const Record& request) {
  auto& subscribers = channels_[bytes_in(request, "channel")];
  if (bug_ == Bug::delivers_after_unsubscribe) return subscribers.contains(from);
  if (bug_ == Bug::stays_subscribed) stay_subscribed_.insert(from);
  return subscribers.erase(from) == 1;
}

void FakeServer::publish(Connection from, const Record& request) {
  const Bytes& payload = bytes_in(request, "payload");
  Bytes channel = bytes_in(request, "channel");
  const std::set<Connection> subscribers = channels_[channel];
  if (bug_ == Bug::other_channel) channel.push_back('!');
  for (const Connection to : subscribers) {
    const bool to_itself =
        format_.reads({"publish-self", "yes"}) != (bug_ == Bug::misjudges_publisher);
    if (to == from && !to_itself) continue;
    deliver(to, channel, payload);
    if (bug_ == Bug::delivers_twice) deliver(to, channel, payload);
  }
  const bool sent = format_.reply(format_.operation("PUBLISH")).sent();
  if (sent) status(from, "PUBLISH", !subscribers.empty());
  if (bug_ == Bug::answers_publish) peers_[from].outbox.push_back(1);
}

void FakeServer::deliver(Connection to, const Bytes& channel, const Bytes& payload) {
  const protocol::Layout layout = format_.layout_of(format_.dialect().pushes.front());
  Record fields{{"payload", payload}};
  if (has(layout, "channel")) fields.set("channel", channel);
  const auto bytes = protocol::encode(layout, fields);
  Bytes message = *bytes;
  if (bug_ == Bug::delivers_backwards) {
    std::swap(message, held_back_[to]);
    if (message.empty()) return;
    message.insert(message.begin(), held_back_[to].begin(), held_back_[to].end());
    held_back_[to].clear();
  }
  Bytes& outbox = peers_[to].outbox;
  outbox.insert(outbox.end(), message.begin(), message.end());
  written_.push_back({to, {}, message.size()});
}

void FakeServer::whoami(Connection from) {
  if (bug_ == Bug::closes_on_whoami) {
    peers_[from].closed = true;
    return;
  }
  Bytes id(16, static_cast<std::uint8_t>(bug_ == Bug::shared_id ? 1 : from));
  id.back() = static_cast<std::uint8_t>(from >> 8);
  if (bug_ == Bug::shared_id) id.back() = 0;
  if (bug_ == Bug::changing_id) id.front() = ++whoami_calls_;
  reply(from, "WHOAMI", {{"status", std::uint64_t{1}}, {"id", id}});
}

}  // namespace hallmark::conformance::testing
