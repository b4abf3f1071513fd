#include "conformance/identify/contact.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/drivers/stream/conversation.hpp"
#include "conformance/identify/polyglot.hpp"
#include "conformance/identify/stranger.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance {
namespace {

using base::append;
using base::Bytes;
using base::ByteView;
using protocol::Layout;
using protocol::Profile;
using protocol::Readings;
using protocol::status_replies;
using protocol::Width;

/// Servers of lines answer one, and so say what they are.
constexpr std::string_view end_of_line = "\r\n\r\n";
/// The time that may be spent on anything that is not needed, in ns.
constexpr Time moment = 50'000'000;
constexpr std::uint64_t probe_quota = 77;

/// A unit in which the TTL that a width reads in the polyglot is seconds to minutes long: nothing
/// stays even where the connection ends before its PURGE.
std::uint64_t ttl_unit_of(const Layout& layout, const protocol::Field&) {
  return code(layout.width() == Width::u32 ? TtlUnit::microseconds : TtlUnit::seconds);
}

/// The requests that all dialects from 6.0 on have in common, as the oldest of them defines them.
struct Later {
  Readings readings{protocol::throttr_6_0, Profile::deployed};
  Layout request(protocol::MessageName operation, Width width) const {
    return Layout::request(*protocol::find_operation(protocol::throttr_6_0, operation), width,
                           readings);
  }
  Bytes by_key(protocol::MessageName operation, Bytes key) const {
    return *protocol::encode(request(operation, Width::u8), {{"key", std::move(key)}});
  }
};

/// QUERY as 2.0 reads and refuses it.
struct Old {
  Readings readings{protocol::throttr_2_0, Profile::deployed};
  const protocol::Operation& operation = *protocol::find_operation(protocol::throttr_2_0, "QUERY");
  Layout query = Layout::request(operation, Width::u64, readings);

  Bytes refusal_of(ByteView request) const {
    return *protocol::encode(
        Layout::reply(operation, Width::u64, readings),
        {{"request_id", protocol::decode(query, request)->number("request_id")},
         {"status", std::uint64_t{0}}});
  }
};

/// A series of replies, and what it says of the target.
struct Possible {
  Bytes replies;
  Width width = Width::u64;
  std::string_view purge_missing = {};
};

class FirstContact {
 public:
  FirstContact(Network& network, Time until, const std::string& nonce,
               const std::atomic<bool>* stop)
      : network_(network), until_(until), nonce_(nonce), line_(network, until, stop) {}

  Contact run() {
    const auto opened = line_.open();
    if (!opened) {
      contact_.unreachable = opened.error();
      return contact_;
    }
    tell_old_from_later();
    if (contact_.throttr() && contact_.dialect == nullptr) tell_width();
    if (contact_.throttr()) confirm();
    if (!contact_.throttr()) undo();
    return contact_;
  }

 private:
  /// Hears until one of the series has come; nothing where that is none.
  const Possible* await(const std::vector<Possible>& possible, std::string_view what,
                        ByteView sent);
  void find_stranger(std::string_view what, ByteView sent, std::optional<Ending> ending);
  void tell_old_from_later();
  void tell_width();
  Polyglot insert_of_any_width() const;
  std::vector<Possible> possible_widths(const Polyglot& made) const;
  void confirm();
  bool confirms(const WireFormat& format, const Request& request, const Patterns& expected);
  void undo();

  Network& network_;
  Time until_;
  std::string nonce_;
  Line line_;
  Later later_;
  Bytes heard_;
  Bytes removals_;  ///< PURGEs of whatever this may have stored
  Contact contact_;
};

const Possible* FirstContact::await(const std::vector<Possible>& possible, std::string_view what,
                                    ByteView sent) {
  heard_.clear();
  for (;;) {
    const auto ending = line_.hear(heard_);
    bool more = false;
    for (const Possible& one : possible) {
      if (one.replies == heard_) return &one;
      more = more || (heard_.size() < one.replies.size() &&
                      std::equal(heard_.begin(), heard_.end(), one.replies.begin()));
    }
    if (more && !ending) continue;
    find_stranger(what, sent, ending);
    return nullptr;
  }
}

/// The rest of a first line is worth a moment.
void FirstContact::find_stranger(std::string_view what, ByteView sent,
                                 std::optional<Ending> ending) {
  constexpr std::size_t enough = 64;
  const Time until = std::min(until_, network_.now() + moment);
  bool more = !ending;
  while (more && heard_.size() < enough) more = !line_.hear(heard_, until);
  contact_.stranger = describe_stranger(what, sent, heard_, ending);
}

void FirstContact::tell_old_from_later() {
  const Old old;
  const Layout layouts[] = {old.query, later_.request("QUERY", Width::u8)};
  const Bytes name = base::to_bytes(nonce_ + std::string(end_of_line));
  const Bytes query = polyglot(layouts, {}, name).bytes;
  line_.send(query);
  const std::vector<Possible> possible{{.replies = old.refusal_of(query)}, {.replies = {0}}};
  const Possible* const seen = await(possible, "a QUERY of a key that nobody has", query);
  if (seen == nullptr) return;
  const std::string sent = "QUERY, whole in 2.0 and in 6.0 and later: " + in_hex(query);
  if (seen == &possible.back()) {
    contact_.findings = {{"dialect",
                          "",
                          {{sent, in_hex(heard_),
                            "one status, as 6.0 and later answer, and not as throttr-2.0 does"}}}};
    return;
  }
  contact_.dialect = &protocol::throttr_2_0;
  contact_.findings = {
      {"dialect",
       std::string(protocol::throttr_2_0.name),
       {{sent, in_hex(heard_), "it repeats the request id, as only throttr-2.0 does"}}},
      {"width", "u64", {{"", "", "throttr-2.0 has no other"}}}};
}

/// Each width finds one key of its own; the PURGE of that one succeeds. Longest names first: so no
/// series begins with another, and no wait is needed to know that it is over.
std::vector<Possible> FirstContact::possible_widths(const Polyglot& made) const {
  std::vector<Possible> possible;
  const std::size_t widths = made.readings.size();
  for (std::size_t i = 0; i < widths; ++i) {
    Bytes replies = status_replies({true});
    for (std::size_t n = 0; n < made.readings[i].followers; ++n)
      append(replies, status_replies({false}));
    const Width width = protocol::throttr_6_0.widths[i];
    for (const bool accepted : {false, true}) {
      Possible one{replies, width, accepted ? "accepted" : "refused"};
      for (std::size_t n = 0; n < widths; ++n)
        append(one.replies, status_replies({accepted || n == widths - 1 - i}));
      possible.push_back(std::move(one));
    }
  }
  return possible;
}

/// An INSERT that is whole at every width; QUERYs of keys of our own are the requests behind it.
Polyglot FirstContact::insert_of_any_width() const {
  std::vector<Layout> layouts;
  std::vector<Bytes> tail;
  for (const Width width : protocol::throttr_6_0.widths) {
    layouts.push_back(later_.request("INSERT", width));
    if (layouts.size() == 1) continue;
    const std::string key = fmt::format("{}{}", layouts.size(), nonce_);
    tail.push_back(later_.by_key("QUERY", base::to_bytes(key)));
  }
  return polyglot(layouts, tail, base::to_bytes(nonce_), ttl_unit_of);
}

void FirstContact::tell_width() {
  const Polyglot made = insert_of_any_width();
  for (auto one = made.readings.rbegin(); one != made.readings.rend(); ++one)
    append(removals_, later_.by_key("PURGE", one->names.front()));
  Bytes all = made.bytes;
  append(all, removals_);
  line_.send(all);
  const auto possible = possible_widths(made);
  const Possible* const seen = await(possible, "an INSERT, whole at every width,", all);
  if (seen == nullptr) return;
  contact_.width = seen->width;
  contact_.purge_missing = seen->purge_missing;
  const std::string width(protocol::name_of(seen->width));
  contact_.findings.push_back(
      {"width",
       width,
       {{"INSERT, whole at every width, and PURGE of the key that each reads: " + in_hex(all),
         in_hex(heard_), fmt::format("one INSERT, its key as {} reads it", width)}}});
}

bool FirstContact::confirms(const WireFormat& format, const Request& request,
                            const Patterns& expected) {
  const Outgoing outgoing = encoded(format, request);
  const Layout layout = format.reply(*outgoing.operation);
  line_.send(outgoing.bytes);
  heard_.clear();
  protocol::Decoder decoder(layout);
  std::optional<Ending> ending;
  while (!ending && decoder.resume(heard_) == protocol::Decoder::State::need_more)
    ending = line_.hear(heard_);
  const bool whole = decoder.resume(heard_) == protocol::Decoder::State::complete &&
                     decoder.size() == heard_.size();
  const auto matches = [&](const vectors::FieldPattern& pattern) {
    const auto field = protocol::FieldName::unchecked(pattern.field);
    const auto* const value = protocol::MessageView(decoder, heard_).find(field);
    return value != nullptr && value->number == std::get<std::uint64_t>(pattern.value);
  };
  if (whole && std::ranges::all_of(expected, matches)) return true;
  contact_.stranger = describe_stranger(
      fmt::format("{} of a key of its own, in the layout of {} at {},", request.operation,
                  format.dialect().name, protocol::name_of(format.width())),
      outgoing.bytes, heard_, ending);
  return false;
}

void FirstContact::confirm() {
  const auto& dialect = contact_.dialect == nullptr ? protocol::throttr_6_0 : *contact_.dialect;
  const WireFormat format(contact_.width, Readings(dialect, Profile::deployed));
  const std::string key = "hallmark:identify:" + nonce_;
  removals_ = encoded(format, purge(key)).bytes;
  if (!confirms(format, insert(key, probe_quota, minute), success())) return;
  // Only the layout tells dialect and width. A wrong quota is a bug, and a case will find it.
  if (!confirms(format, query(key), success())) return;
  const Bytes found = heard_;
  const bool same =
      protocol::decode(format.reply(*protocol::find_operation(dialect, "QUERY")), found)
          ->number("quota") == probe_quota;
  if (!confirms(format, purge(key), success())) return;
  contact_.findings.back().clues.push_back(
      {fmt::format("INSERT of quota {}, QUERY and PURGE of the same key", probe_quota),
       in_hex(found),
       same ? "what was stored came back, and was removed"
            : "the layout fits, although another quota came back; the record was removed"});
}

/// Whatever the target made of the requests: a connection of its own takes it away.
void FirstContact::undo() {
  if (removals_.empty()) return;
  Line line(network_, std::max(until_, network_.now() + moment));
  if (!line.open()) return;
  line.send(removals_);
  line.finish();
}

}  // namespace

Contact make_contact(Network& network, Time until, const std::string& nonce,
                     const std::atomic<bool>* stop) {
  return FirstContact(network, until, nonce, stop).run();
}

}  // namespace hallmark::conformance
