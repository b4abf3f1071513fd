#pragma once
#include <ranges>

#include "reference/protocol/dialects/throttr_7_1.hpp"
#include "reference/protocol/fast.hpp"
#include "reference/server/fragments.hpp"
#include "reference/server/reply_values.hpp"
#include "reference/server/typed_session.hpp"

namespace hallmark::server {

namespace fast = protocol::fast;
using protocol::ByteBuffer;
using protocol::ByteView;

template <protocol::FieldName name>
inline constexpr std::size_t index_in_dialect = fast::operation_index(protocol::throttr_7_1,
                                                                      name.view());

/// Every operation of throttr-7.1 for one value width. Layouts come from the dialect's table only;
/// here requests are read and replies made by the names of their fields.
template <protocol::Width W>
class TypedSession final : public Session {
 public:
  TypedSession(const SessionContext& context, model::Connection& connection)
      : context_(context), model_(context.model), readings_(context.readings), self_(connection) {}

  SessionState process(ByteBuffer& in, ByteBuffer& out,
                       std::vector<Delivery>& deliveries) override {
    out_ = &out;
    deliveries_ = &deliveries;
    ByteView rest = in.view();
    const SessionState state = answer(rest);
    in.consume(in.size() - rest.size());
    return state;
  }

 private:
  template <protocol::FieldName name>
  using Request = fast::Request<protocol::throttr_7_1, index_in_dialect<name>, W>;
  template <protocol::FieldName name>
  using Reply = fast::Reply<protocol::throttr_7_1, index_in_dialect<name>, W>;
  template <protocol::FieldName name>
  using View = typename Request<name>::View;
  using DeliveryFrame =
      fast::Push<protocol::throttr_7_1, fast::push_index(protocol::throttr_7_1, "DELIVERY"), W>;

  /// Answers the request that the bytes start with. Returns how many bytes it used up; 0: not
  /// whole.
  using Handler = std::size_t (TypedSession::*)(ByteView);
  using Refusal = void (TypedSession::*)(std::uint64_t);

  /// A request that is larger than anything that could succeed: passed over as it streams in.
  struct Skipped {
    std::uint64_t left = 0;
    std::uint64_t size = 0;
    Refusal refuse = nullptr;
  };

  SessionState answer(ByteView& rest) {
    while (!rest.empty()) {
      if (skipped_.left != 0) {
        skip(rest);
        continue;
      }
      if (out_->size() >= context_.max_output_bytes) return SessionState::throttled;
      const Handler handler = handlers[rest.front()];
      if (handler == nullptr) return SessionState::finished;
      const std::size_t used = (this->*handler)(rest);
      if (used == 0) break;
      rest = rest.subspan(used);
    }
    return SessionState::reading;
  }

  void skip(ByteView& rest) {
    const std::size_t now =
        static_cast<std::size_t>(std::min<std::uint64_t>(skipped_.left, rest.size()));
    rest = rest.subspan(now);
    skipped_.left -= now;
    if (skipped_.left == 0) (this->*skipped_.refuse)(skipped_.size);
  }

  template <protocol::FieldName name, model::Operation operation, auto member>
  std::size_t serve(ByteView in) {
    View<name> request;
    const fast::Outcome outcome = fast::decode<Request<name>>(in, readings_, request);
    if (!outcome.complete()) {
      if (outcome.size <= context_.max_value_bytes + largest_header) return 0;
      skipped_ = {outcome.size - in.size(), outcome.size, &TypedSession::refuse<name, operation>};
      return in.size();
    }
    model_.count_request(self_, operation, outcome.size);
    const std::size_t before = out_->size();
    (this->*member)(request);
    model_.count_written(self_, out_->size() - before);
    return static_cast<std::size_t>(outcome.size);
  }

  template <protocol::FieldName name, model::Operation operation>
  void refuse(std::uint64_t request_bytes) {
    model_.count_request(self_, operation, request_bytes);
    const std::size_t before = out_->size();
    if (Reply<name>::sent(readings_)) reply_failure<name>();
    model_.count_written(self_, out_->size() - before);
  }

  template <protocol::FieldName name>
  void reply_status(bool succeeded) {
    if (!Reply<name>::sent(readings_)) return;
    reply<name>(protocol::values("status"_f = succeeded ? success : failure));
  }

  template <protocol::FieldName name, class Source>
  void reply(const Source& source) {
    fast::encode<Reply<name>>(*out_, readings_, source);
  }

  template <protocol::FieldName name>
  void reply_failure() {
    fast::encode_failure<Reply<name>>(*out_, readings_);
  }

  static std::string_view text(ByteView bytes) { return protocol::as_text(bytes); }
  static model::TtlUnit unit(std::uint64_t code) { return static_cast<model::TtlUnit>(code); }
  const model::Moment& now() const { return model_.moment(); }

  void on_insert(const View<"INSERT">& request) {
    reply_status<"INSERT">(model_.store().insert(
        now(), text(request.template get<"key">()), request.template get<"quota">(),
        unit(request.template get<"ttl_type">()), request.template get<"ttl">()));
  }

  void on_query(const View<"QUERY">& request) {
    const auto found = model_.store().query(now(), text(request.template get<"key">()));
    if (!found) return reply_failure<"QUERY">();
    reply<"QUERY">(protocol::values("status"_f = success, "quota"_f = found->quota,
                                    "ttl_type"_f = static_cast<std::uint64_t>(found->unit),
                                    "ttl"_f = found->ttl));
  }

  void on_update(const View<"UPDATE">& request) {
    reply_status<"UPDATE">(
        model_.store().update(now(), text(request.template get<"key">()),
                              static_cast<model::Attribute>(request.template get<"attribute">()),
                              static_cast<model::Change>(request.template get<"change">()),
                              request.template get<"value">()));
  }

  void on_purge(const View<"PURGE">& request) {
    reply_status<"PURGE">(model_.store().purge(now(), text(request.template get<"key">())));
  }

  void on_set(const View<"SET">& request) {
    reply_status<"SET">(model_.store().set(
        now(), text(request.template get<"key">()), text(request.template get<"value">()),
        unit(request.template get<"ttl_type">()), request.template get<"ttl">()));
  }

  void on_get(const View<"GET">& request) {
    const auto found = model_.store().get(now(), text(request.template get<"key">()));
    if (!found) return reply_failure<"GET">();
    reply<"GET">(protocol::values(
        "status"_f = success, "ttl_type"_f = static_cast<std::uint64_t>(found->unit),
        "ttl"_f = found->ttl, "value"_f = protocol::as_bytes(found->value)));
  }

  void on_stat(const View<"STAT">& request) {
    const auto found = model_.store().stat(now(), text(request.template get<"key">()));
    if (!found) return reply_failure<"STAT">();
    reply<"STAT">(stat_values({}, *found));
  }

  void on_list(const View<"LIST">&) {
    reply_listing<"LIST", "keys">(
        store_entries(), [](const model::EntryView& entry) { return list_values(entry); },
        [](const model::EntryView& entry) { return entry.key.size(); });
  }

  void on_stats(const View<"STATS">&) {
    reply_listing<"STATS", "keys">(
        store_entries(),
        [](const model::EntryView& entry) { return stat_values(entry.key, entry.metrics); },
        [](const model::EntryView& entry) { return entry.key.size(); });
  }

  void on_info(const View<"INFO">&) { reply<"INFO">(info_values(model_.info())); }

  void on_subscribe(const View<"SUBSCRIBE">& request) {
    reply_status<"SUBSCRIBE">(model_.subscribe(self_, text(request.template get<"channel">())));
  }

  void on_unsubscribe(const View<"UNSUBSCRIBE">& request) {
    reply_status<"UNSUBSCRIBE">(model_.unsubscribe(self_, text(request.template get<"channel">())));
  }

  void on_publish(const View<"PUBLISH">& request) {
    const ByteView payload = request.template get<"payload">();
    const bool published =
        payload.size() <= context_.max_value_bytes &&
        model_.publish(self_, text(request.template get<"channel">()), payload.size(), recipients_);
    if (published) deliver(payload);
    reply_status<"PUBLISH">(published);
  }

  void deliver(ByteView payload) {
    if (recipients_.empty()) return;
    const auto frame = std::make_shared<ByteBuffer>();
    fast::encode<DeliveryFrame>(*frame, readings_, protocol::values("payload"_f = payload));
    for (model::Connection* const recipient : recipients_) {
      model_.count_written(*recipient, frame->size());
      deliveries_->push_back({recipient->number, recipient->owner, frame});
    }
  }

  void on_connections(const View<"CONNECTIONS">&) {
    std::vector<const model::Connection*> all;
    model_.connections().for_each([&](const model::Connection& each) { all.push_back(&each); });
    reply_listing<"CONNECTIONS", "connections">(
        all, [](const model::Connection* each) { return connection_values(*each); },
        [](const model::Connection*) { return std::size_t{0}; });
  }

  void on_connection(const View<"CONNECTION">& request) {
    model::ConnectionId id{};
    const ByteView asked = request.template get<"id">();
    std::copy(asked.begin(), asked.end(), id.begin());
    const model::Connection* const found = model_.connections().find(id);
    if (found == nullptr) return reply_failure<"CONNECTION">();
    reply<"CONNECTION">(connection_values(*found));
  }

  void on_channels(const View<"CHANNELS">&) {
    std::vector<const model::Channel*> all;
    model_.channels().for_each([&](const model::Channel& each) { all.push_back(&each); });
    reply_listing<"CHANNELS", "channels">(
        all, [](const model::Channel* each) { return channel_values(*each); },
        [](const model::Channel* each) { return each->name.size(); });
  }

  void on_channel(const View<"CHANNEL">& request) {
    const model::Channel* const found =
        model_.channels().find(text(request.template get<"channel">()));
    if (found == nullptr) return reply_failure<"CHANNEL">();
    const auto values_of = [](const auto& entry) { return subscriber_values(entry.second); };
    reply<"CHANNEL">(
        protocol::values("status"_f = success,
                         "subscribers"_f = found->subscribers | std::views::transform(values_of)));
  }

  void on_whoami(const View<"WHOAMI">&) {
    reply<"WHOAMI">(protocol::values("status"_f = success, "index"_f = self_.number,
                                     "id"_f = ByteView(self_.id)));
  }

  std::vector<model::EntryView> store_entries() {
    std::vector<model::EntryView> entries;
    model_.store().for_each(now(),
                            [&](const model::EntryView& entry) { entries.push_back(entry); });
    return entries;
  }

  /// Replies with fragments of `entries`, whose fields are given by `values_of`.
  template <protocol::FieldName name, protocol::FieldName group, class Entry, class ValuesOf,
            class NameSize>
  void reply_listing(const std::vector<Entry>& entries, ValuesOf values_of, NameSize name_size) {
    const std::size_t fixed =
        entry_width(protocol::throttr_7_1.operations[index_in_dialect<name>], W, readings_);
    const auto fragments =
        split(entries, [&](const Entry& entry) { return fixed + name_size(entry); });
    const auto fragment_values = [&values_of](const Fragment<Entry>& fragment) {
      return protocol::values(
          "fragment"_f = fragment.number,
          protocol::NameOf<group>{} = fragment.entries | std::views::transform(values_of));
    };
    reply<name>(protocol::values(
        "status"_f = success, "fragments"_f = fragments | std::views::transform(fragment_values)));
  }

  /// More than any request has besides its value or payload: 255 bytes of name and the fixed
  /// fields.
  static constexpr std::uint64_t largest_header = 512;

  static constexpr std::array<Handler, 256> make_handlers() {
    using enum model::Operation;
    using Self = TypedSession;
    std::array<Handler, 256> by_opcode{};
    by_opcode[Request<"INSERT">::opcode] = &Self::serve<"INSERT", insert, &Self::on_insert>;
    by_opcode[Request<"QUERY">::opcode] = &Self::serve<"QUERY", query, &Self::on_query>;
    by_opcode[Request<"UPDATE">::opcode] = &Self::serve<"UPDATE", update, &Self::on_update>;
    by_opcode[Request<"PURGE">::opcode] = &Self::serve<"PURGE", purge, &Self::on_purge>;
    by_opcode[Request<"SET">::opcode] = &Self::serve<"SET", set, &Self::on_set>;
    by_opcode[Request<"GET">::opcode] = &Self::serve<"GET", get, &Self::on_get>;
    by_opcode[Request<"LIST">::opcode] = &Self::serve<"LIST", list, &Self::on_list>;
    by_opcode[Request<"INFO">::opcode] = &Self::serve<"INFO", info, &Self::on_info>;
    by_opcode[Request<"STAT">::opcode] = &Self::serve<"STAT", stat, &Self::on_stat>;
    by_opcode[Request<"STATS">::opcode] = &Self::serve<"STATS", stats, &Self::on_stats>;
    by_opcode[Request<"SUBSCRIBE">::opcode] =
        &Self::serve<"SUBSCRIBE", subscribe, &Self::on_subscribe>;
    by_opcode[Request<"UNSUBSCRIBE">::opcode] =
        &Self::serve<"UNSUBSCRIBE", unsubscribe, &Self::on_unsubscribe>;
    by_opcode[Request<"PUBLISH">::opcode] = &Self::serve<"PUBLISH", publish, &Self::on_publish>;
    by_opcode[Request<"CONNECTIONS">::opcode] =
        &Self::serve<"CONNECTIONS", connections, &Self::on_connections>;
    by_opcode[Request<"CONNECTION">::opcode] =
        &Self::serve<"CONNECTION", connection, &Self::on_connection>;
    by_opcode[Request<"CHANNELS">::opcode] = &Self::serve<"CHANNELS", channels, &Self::on_channels>;
    by_opcode[Request<"CHANNEL">::opcode] = &Self::serve<"CHANNEL", channel, &Self::on_channel>;
    by_opcode[Request<"WHOAMI">::opcode] = &Self::serve<"WHOAMI", whoami, &Self::on_whoami>;
    return by_opcode;
  }

  static const std::array<Handler, 256> handlers;

  SessionContext context_;
  model::Model& model_;
  const protocol::Readings& readings_;
  model::Connection& self_;
  ByteBuffer* out_ = nullptr;
  std::vector<Delivery>* deliveries_ = nullptr;
  std::vector<model::Connection*> recipients_;
  Skipped skipped_;
};

template <protocol::Width W>
constinit const std::array<typename TypedSession<W>::Handler, 256> TypedSession<W>::handlers =
    TypedSession<W>::make_handlers();

template <protocol::Width W>
std::unique_ptr<Session> make_typed_session(const SessionContext& context,
                                            model::Connection& connection) {
  return std::make_unique<TypedSession<W>>(context, connection);
}

}  // namespace hallmark::server
