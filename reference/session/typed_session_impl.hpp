#pragma once
#include <optional>
#include <ranges>
#include <string>

#include "base/bytes.hpp"
#include "protocol/codec/fast.hpp"
#include "reference/session/fragments.hpp"
#include "reference/session/listings.hpp"
#include "reference/session/shown.hpp"
#include "reference/session/ttl_codes.hpp"
#include "reference/session/typed_session.hpp"

namespace hallmark::server {

namespace fast = protocol::fast;
using base::ByteView;
using protocol::ByteBuffer;

/// A fragment of a listing whose entries are in `group`: one type for all widths, as in
/// listings.hpp.
template <protocol::FieldText group, class Listed>
struct ListedFragment {
  std::uint64_t offset;  ///< is added to the number of a fragment
  Listed listed;

  template <class Entry>
  auto operator()(const Fragment<Entry>& fragment) const {
    return protocol::values(
        "fragment"_f = fragment.number + offset,
        protocol::NameOf<group>{} = fragment.entries | std::views::transform(listed));
  }
};

/// Every operation of a dialect for one value width. Layouts come from the dialect's table only;
/// here requests are read and replies made by the names of their fields.
template <const protocol::Dialect& D, protocol::Width W>
class TypedSession final : public Session {
 public:
  TypedSession(const SessionContext& context, model::Connection& connection)
      : context_(context),
        model_(context.model),
        behaviour_(context.model.behaviour()),
        readings_(context.readings),
        shown_(context.readings),
        self_(connection) {}

  SessionState process(ByteBuffer& in, ByteBuffer& out,
                       std::vector<Delivery>& deliveries) override {
    deliveries_ = &deliveries;
    ByteView rest = in.view();
    const SessionState state =
        behaviour_.reply_order_any ? answer_backwards(rest, out) : answer(rest, out);
    in.consume(in.size() - rest.size());
    return state;
  }

 private:
  /// Returns the position of an operation in the dialect. If the dialect does not have it, returns
  /// that of the first operation: then the handler is declared, but never made.
  static constexpr std::size_t position(protocol::MessageName operation) {
    std::size_t at = 0;
    while (at < D.operations.size() && D.operations[at].name != operation) ++at;
    return at == D.operations.size() ? 0 : at;
  }

  static constexpr bool has(protocol::MessageName operation) {
    return D.operations[position(operation)].name == operation;
  }

  template <protocol::FieldText name>
  using Request = fast::Request<D, position(protocol::MessageName(name.text)), W>;
  template <protocol::FieldText name>
  using Reply = fast::Reply<D, position(protocol::MessageName(name.text)), W>;
  template <protocol::FieldText name>
  using View = typename Request<name>::View;

  template <class M, protocol::FieldText field>
  static constexpr bool has_field = fast::detail::index_of<typename M::Head>(
                                        protocol::FieldName(field.text)) != fast::detail::none;

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

  SessionState answer(ByteView& rest, ByteBuffer& out) {
    out_ = &out;
    while (!rest.empty()) {
      if (skipped_.left != 0) {
        skip(rest);
        continue;
      }
      if (out_->size() >= context_.max_output_bytes) return SessionState::throttled;
      const Handler handler = handlers[rest.front()];
      const std::size_t used = handler == nullptr ? pass_over_unknown() : (this->*handler)(rest);
      if (hung_up_) return SessionState::finished;
      if (used == 0) break;
      rest = rest.subspan(used);
    }
    return SessionState::reading;
  }

  /// Like `answer`, with the replies in the opposite order: a client that tells replies apart by
  /// their ids may rely only on their arrival.
  SessionState answer_backwards(ByteView& rest, ByteBuffer& out) {
    ByteBuffer in_order;
    starts_of_replies_.clear();
    const SessionState state = answer(rest, in_order);
    std::size_t end = in_order.size();
    for (auto start = starts_of_replies_.rbegin(); start != starts_of_replies_.rend(); ++start) {
      out.append(in_order.view().subspan(*start, end - *start));
      end = *start;
    }
    return state;
  }

  /// An opcode that the dialect does not have; how many bytes that takes.
  std::size_t pass_over_unknown() {
    if (behaviour_.opcode_unknown == model::UnknownOpcode::closed) hung_up_ = true;
    if (behaviour_.opcode_unknown == model::UnknownOpcode::refused)
      out_->append(protocol::status_replies({false}));
    return 1;
  }

  /// Reacts to an unlisted code as the reading about it says. Returns true if the session is to go
  /// on as if the code were listed.
  template <protocol::FieldText name>
  bool accept_unknown(model::UnknownCode answer) {
    if (answer == model::UnknownCode::accepted) return true;
    if (answer == model::UnknownCode::refused) {
      reply_status<name>(false);
    } else {
      hung_up_ = true;
    }
    return false;
  }

  void skip(ByteView& rest) {
    const std::size_t now =
        static_cast<std::size_t>(std::min<std::uint64_t>(skipped_.left, rest.size()));
    rest = rest.subspan(now);
    skipped_.left -= now;
    if (skipped_.left == 0) (this->*skipped_.refuse)(skipped_.size);
  }

  template <protocol::FieldText name, model::Operation operation, auto member>
  std::size_t serve(ByteView in) {
    static_assert(D.operations[position(protocol::MessageName(name.text))].name == name.view());
    View<name> request;
    const fast::Outcome outcome = fast::decode<Request<name>>(in, readings_, request);
    // Refused by its size alone, whether all of it is here or not: the reply must not depend on how
    // the bytes arrive.
    if (outcome.size > context_.max_value_bytes + largest_header) {
      if (!outcome.complete()) {
        skipped_ = {outcome.size - in.size(), outcome.size, &TypedSession::refuse<name, operation>};
        return in.size();
      }
      refuse<name, operation>(outcome.size);
      return static_cast<std::size_t>(outcome.size);
    }
    if (!outcome.complete()) return 0;
    model_.count_request(self_, operation, outcome.size);
    const std::size_t before = out_->size();
    if constexpr (has_field<Request<name>, "request_id">) {
      request_id_ = request.template get<"request_id">();
      if (behaviour_.reply_order_any) starts_of_replies_.push_back(before);
    }
    (this->*member)(request);
    model_.count_written(self_, out_->size() - before);
    return static_cast<std::size_t>(outcome.size);
  }

  template <protocol::FieldText name, model::Operation operation>
  void refuse(std::uint64_t request_bytes) {
    model_.count_request(self_, operation, request_bytes);
    const std::size_t before = out_->size();
    if (Reply<name>::sent(readings_)) reply_failure<name>();
    model_.count_written(self_, out_->size() - before);
  }

  template <protocol::FieldText name>
  void reply_status(bool succeeded) {
    if (!Reply<name>::sent(readings_)) return;
    reply<name>(
        protocol::values("status"_f = succeeded ? success : failure, "request_id"_f = request_id_));
  }

  template <protocol::FieldText name, class Source>
  void reply(const Source& source) {
    fast::encode<Reply<name>>(*out_, readings_, source);
  }

  template <protocol::FieldText name>
  void reply_failure() {
    fast::encode_failure<Reply<name>>(
        *out_, readings_, protocol::values("status"_f = failure, "request_id"_f = request_id_));
  }

  static std::string_view text(ByteView bytes) { return base::as_text(bytes); }
  const model::Moment& now() const { return model_.moment(); }

  /// The key of a request; of a pair, a key that no other pair has, or as the reading says that its
  /// concatenation has.
  template <class V>
  std::string_view key_of(const V& request) {
    if constexpr (has_field<Request<"QUERY">, "key">) {
      return text(request.template get<"key">());
    } else {
      const ByteView consumer = request.template get<"consumer_id">();
      key_.clear();
      if (!behaviour_.pair_identity_concatenation) key_ += static_cast<char>(consumer.size());
      key_ += text(consumer);
      key_ += text(request.template get<"resource_id">());
      return key_;
    }
  }

  template <class V>
  bool has_empty_name(const V& request) const {
    if constexpr (has_field<Request<"QUERY">, "key">) {
      return request.template get<"key">().empty();
    } else {
      return request.template get<"consumer_id">().empty() ||
             request.template get<"resource_id">().empty();
    }
  }

  /// The unit that a request names. Nothing: the request has been dealt with.
  template <protocol::FieldText name, class V>
  std::optional<model::TtlUnit> unit_of(const V& request) {
    const auto unit = ttl_codes<D>.unit(request.template get<"ttl_type">());
    if (unit) return unit;
    if (accept_unknown<name>(behaviour_.ttl_type_unknown)) return model::TtlUnit::seconds;
    return std::nullopt;
  }

  void on_insert(const View<"INSERT">& request) {
    const auto unit = unit_of<"INSERT">(request);
    if (!unit) return;
    if (behaviour_.empty_names_refused && has_empty_name(request)) {
      return reply_status<"INSERT">(false);
    }
    reply_status<"INSERT">(model_.store().insert(now(), key_of(request),
                                                 request.template get<"quota">(), *unit,
                                                 request.template get<"ttl">()));
  }

  void on_query(const View<"QUERY">& request) {
    const auto found = model_.store().query(now(), key_of(request));
    if (!found) return reply_failure<"QUERY">();
    reply<"QUERY">(protocol::values(
        "status"_f = success, "request_id"_f = request_id_, "quota"_f = found->quota,
        "ttl_type"_f = ttl_codes<D>.code(found->unit), "ttl"_f = found->ttl));
  }

  void on_update(const View<"UPDATE">& request) {
    const std::uint64_t attribute = request.template get<"attribute">();
    const std::uint64_t change = request.template get<"change">();
    if (attribute > code(model::Attribute::ttl)) {
      return update_unknown(request, behaviour_.attribute_unknown);
    }
    if (change > code(model::Change::decrease)) {
      return update_unknown(request, behaviour_.change_unknown);
    }
    reply_status<"UPDATE">(
        model_.store().update(now(), key_of(request), static_cast<model::Attribute>(attribute),
                              static_cast<model::Change>(change), request.template get<"value">()));
  }

  /// An update of something nobody knows, accepted, changes nothing.
  void update_unknown(const View<"UPDATE">& request, model::UnknownCode answer) {
    if (!accept_unknown<"UPDATE">(answer)) return;
    reply_status<"UPDATE">(model_.store().exists(now(), key_of(request)));
  }

  void on_purge(const View<"PURGE">& request) {
    reply_status<"PURGE">(model_.store().purge(now(), key_of(request)));
  }

  void on_set(const View<"SET">& request) {
    const auto unit = unit_of<"SET">(request);
    if (!unit) return;
    reply_status<"SET">(model_.store().set(now(), key_of(request),
                                           text(request.template get<"value">()), *unit,
                                           request.template get<"ttl">()));
  }

  void on_get(const View<"GET">& request) {
    const auto found = model_.store().get(now(), key_of(request));
    if (!found) return reply_failure<"GET">();
    reply<"GET">(protocol::values("status"_f = success,
                                  "ttl_type"_f = static_cast<std::uint64_t>(found->unit),
                                  "ttl"_f = found->ttl, "value"_f = base::as_bytes(found->value)));
  }

  void on_stat(const View<"STAT">& request) {
    const auto found = model_.store().stat(now(), key_of(request));
    if (!found) return reply_failure<"STAT">();
    reply<"STAT">(stat_values({}, *found));
  }

  void on_list(const View<"LIST">&) { reply_listing<"LIST", "keys">(store_entries(), ListedKey()); }

  void on_stats(const View<"STATS">&) {
    reply_listing<"STATS", "keys">(store_entries(), MeasuredKey());
  }

  void on_info(const View<"INFO">&) { reply<"INFO">(info_values(model_.info())); }

  void on_subscribe(const View<"SUBSCRIBE">& request) {
    reply_status<"SUBSCRIBE">(model_.subscribe(self_, text(request.template get<"channel">())));
  }

  void on_unsubscribe(const View<"UNSUBSCRIBE">& request) {
    reply_status<"UNSUBSCRIBE">(model_.unsubscribe(self_, text(request.template get<"channel">())));
  }

  void on_publish(const View<"PUBLISH">& request) {
    const ByteView channel = request.template get<"channel">();
    const ByteView payload = request.template get<"payload">();
    recipients_.clear();
    const bool published = payload.size() <= context_.max_value_bytes &&
                           model_.publish(self_, text(channel), payload.size(), recipients_);
    if (published) deliver(channel, payload);
    reply_status<"PUBLISH">(published);
  }

  void deliver(ByteView channel, ByteView payload) {
    if (recipients_.empty()) return;
    const auto frame = std::make_shared<ByteBuffer>();
    fast::encode<fast::Push<D, 0, W>>(
        *frame, readings_, protocol::values("channel"_f = channel, "payload"_f = payload));
    for (model::Connection* const recipient : recipients_) {
      model_.count_written(*recipient, frame->size());
      deliveries_->push_back({recipient->number, recipient->owner, frame});
    }
  }

  void on_connections(const View<"CONNECTIONS">&) {
    std::vector<const model::Connection*> all;
    model_.connections().for_each([&](const model::Connection& each) { all.push_back(&each); });
    reply_listing<"CONNECTIONS", "connections">(all, ListedConnection{shown_.raw_ip});
  }

  void on_connection(const View<"CONNECTION">& request) {
    const model::Connection* const found = asked_for(request);
    if (found == nullptr) return reply_failure<"CONNECTION">();
    reply<"CONNECTION">(connection_values(*found, shown_.raw_ip));
  }

  const model::Connection* asked_for(const View<"CONNECTION">& request) {
    if constexpr (has_field<Request<"CONNECTION">, "index">) {
      if (shown_.connection_by_index) {
        return model_.connections().at(request.template get<"index">() - shown_.first_index);
      }
    }
    model::ConnectionId id{};
    const ByteView asked = request.template get<"id">();
    std::copy(asked.begin(), asked.end(), id.begin());
    return model_.connections().find(id);
  }

  void on_channels(const View<"CHANNELS">&) {
    std::vector<const model::Channel*> all;
    model_.channels().for_each([&](const model::Channel& each) { all.push_back(&each); });
    reply_listing<"CHANNELS", "channels">(all, ListedChannel());
  }

  void on_channel(const View<"CHANNEL">& request) {
    const model::Channel* const found =
        model_.channels().find(text(request.template get<"channel">()));
    if (found == nullptr) return reply_failure<"CHANNEL">();
    reply<"CHANNEL">(protocol::values(
        "status"_f = success,
        "subscribers"_f = found->subscribers | std::views::transform(ListedSubscriber())));
  }

  void on_whoami(const View<"WHOAMI">&) {
    const std::uint64_t index =
        shown_.whoami_by_index ? model_.connections().place_of(self_) + shown_.first_index : 0;
    reply<"WHOAMI">(
        protocol::values("status"_f = success, "index"_f = index, "id"_f = ByteView(self_.id)));
  }

  std::vector<model::EntryView> store_entries() {
    std::vector<model::EntryView> entries;
    model_.store().for_each(now(),
                            [&](const model::EntryView& entry) { entries.push_back(entry); });
    return entries;
  }

  /// Replies with fragments of `entries`, as they are listed.
  template <protocol::FieldText name, protocol::FieldText group, class Entry, class Listed>
  void reply_listing(const std::vector<Entry>& entries, Listed listed) {
    const std::size_t fixed =
        entry_width(D.operations[position(protocol::MessageName(name.text))], W, readings_);
    const auto fragments =
        split(entries, [&](const Entry& entry) { return fixed + Listed::name_size(entry); });
    const ListedFragment<group, Listed> listed_fragment{shown_.first_fragment, listed};
    reply<name>(protocol::values(
        "status"_f = success, "fragments"_f = fragments | std::views::transform(listed_fragment)));
  }

  /// More than any request has besides its value or payload: 255 bytes of name and the fixed
  /// fields.
  static constexpr std::uint64_t largest_header = 512;

  template <protocol::FieldText name, model::Operation operation, auto member>
  static constexpr void handle(std::array<Handler, 256>& by_opcode) {
    by_opcode[Request<name>::opcode] = &TypedSession::template serve<name, operation, member>;
  }

  static constexpr std::array<Handler, 256> make_handlers() {
    using enum model::Operation;
    using Self = TypedSession;
    std::array<Handler, 256> table{};
    handle<"INSERT", insert, &Self::on_insert>(table);
    handle<"QUERY", query, &Self::on_query>(table);
    handle<"UPDATE", update, &Self::on_update>(table);
    handle<"PURGE", purge, &Self::on_purge>(table);
    if constexpr (has("LIST")) {
      handle<"SET", set, &Self::on_set>(table);
      handle<"GET", get, &Self::on_get>(table);
      handle<"LIST", list, &Self::on_list>(table);
    }
    if constexpr (has("WHOAMI")) {
      handle<"INFO", info, &Self::on_info>(table);
      handle<"STAT", stat, &Self::on_stat>(table);
      handle<"STATS", stats, &Self::on_stats>(table);
      handle<"SUBSCRIBE", subscribe, &Self::on_subscribe>(table);
      handle<"UNSUBSCRIBE", unsubscribe, &Self::on_unsubscribe>(table);
      handle<"PUBLISH", publish, &Self::on_publish>(table);
      handle<"CONNECTIONS", connections, &Self::on_connections>(table);
      handle<"CONNECTION", connection, &Self::on_connection>(table);
      handle<"CHANNELS", channels, &Self::on_channels>(table);
      handle<"CHANNEL", channel, &Self::on_channel>(table);
      handle<"WHOAMI", whoami, &Self::on_whoami>(table);
    }
    return table;
  }

  static const std::array<Handler, 256> handlers;

  SessionContext context_;
  model::Model& model_;
  const model::Behaviour& behaviour_;
  const protocol::Readings& readings_;
  const Shown shown_;
  model::Connection& self_;
  ByteBuffer* out_ = nullptr;
  std::vector<Delivery>* deliveries_ = nullptr;
  std::vector<model::Connection*> recipients_;
  Skipped skipped_;
  bool hung_up_ = false;
  std::uint64_t request_id_ = 0;
  std::string key_;
  std::vector<std::size_t> starts_of_replies_;
};

template <const protocol::Dialect& D, protocol::Width W>
constinit const std::array<typename TypedSession<D, W>::Handler, 256> TypedSession<D, W>::handlers =
    TypedSession<D, W>::make_handlers();

template <const protocol::Dialect& D>
std::unique_ptr<Session> make_typed_session(protocol::Width width, const SessionContext& context,
                                            model::Connection& connection) {
  std::unique_ptr<Session> session;
  const auto make = [&]<protocol::Width W>() {
    if constexpr (D.transport == protocol::Transport::stream) {
      if (width == W) session = std::make_unique<TypedSession<D, W>>(context, connection);
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (make.template operator()<D.widths[I]>(), ...);
  }
  (std::make_index_sequence<D.widths.size()>{});
  return session;
}

}  // namespace hallmark::server
