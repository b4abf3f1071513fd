#include <algorithm>

#include "conformance/suites/throttr/readings/probe.hpp"

namespace hallmark::conformance {
namespace {

using base::to_bytes;
using protocol::Record;

/// More replies at once than could come in order by chance.
constexpr std::uint64_t batch = 12;

/// The request ids of a series of replies to QUERYs of pairs that are not there.
std::vector<std::uint64_t> ids_in(const WireFormat& format, base::ByteView replies) {
  std::vector<std::uint64_t> ids;
  while (!replies.empty()) {
    protocol::Decoder decoder(format.reply(format.operation("QUERY")));
    if (decoder.resume(replies) != protocol::Decoder::State::complete) break;
    ids.push_back(
        protocol::MessageView(decoder, replies.first(decoder.size())).number("request_id"));
    replies = replies.subspan(decoder.size());
  }
  return ids;
}

/// Replies in order exclude no other order; replies in another do exclude that one.
Told reply_order(Inquiry& inquiry) {
  Conversation& connection = inquiry.connection();
  base::Bytes sent;
  for (std::uint64_t id = 1; id <= batch; ++id) {
    Request asked = query("hallmark:nobody");
    asked.values.set("request_id", id);
    const base::Bytes bytes = encoded(inquiry.format(), asked).bytes;
    sent.insert(sent.end(), bytes.begin(), bytes.end());
  }
  connection.send_raw(sent);
  const auto ids = ids_in(inquiry.format(), connection.finish().bytes);
  inquiry.stage().close(connection.name());
  if (ids.size() != batch) inquiry.stage().fail("not every request of a batch had its reply");
  const bool in_order = std::ranges::is_sorted(ids);
  return {.answer = in_order ? protocol::AnswerName("request-order") : "any-order",
          .reason = {},
          .weak = in_order};
}

Record pair_of(const std::string& consumer, const std::string& resource) {
  return {{"consumer_id", to_bytes(consumer)}, {"resource_id", to_bytes(resource)}};
}

Request with(protocol::MessageName operation, Record values, const Record& pair) {
  for (const auto& [name, value] : pair.fields())
    values.set(protocol::FieldName::unchecked(name), value);
  return {operation, std::move(values)};
}

Request insert_pair(const Record& pair) {
  return with("INSERT",
              {{"quota", std::uint64_t{1}},
               {"ttl_type", code(TtlUnit::seconds)},
               {"ttl", std::uint64_t{60}}},
              pair);
}

/// Two pairs with the same bytes together.
Told pair_identity(Inquiry& inquiry) {
  const std::string name = inquiry.key("pair");
  const Record first = pair_of(name + "ab", "c");
  const Record second = pair_of(name + "a", "bc");
  inquiry.stage().own(first);
  inquiry.stage().own(second);
  const auto replies = inquiry.ask({insert_pair(first), with("QUERY", {}, second)});
  return {replies[1].succeeded() ? protocol::AnswerName("concatenation") : "pair", {}};
}

Told empty_pair_names(Inquiry& inquiry) {
  const Record pair = pair_of(inquiry.key("empty"), "");
  inquiry.stage().own(pair);
  const auto replies = inquiry.ask({insert_pair(pair), with("QUERY", {}, pair)});
  return inquiry.first_of({{"valid", replies[0].succeeded() && replies[1].succeeded()},
                           {"refused", !replies[0].succeeded() && !replies[1].succeeded()}},
                          "INSERT and QUERY of a pair with an empty resource do not agree");
}

}  // namespace

std::vector<ReadingProbe> pair_probes() {
  return {{"reply-order", "QUERY", Cost::quick, Danger::documented, reply_order},
          {"pair-identity", "QUERY", Cost::quick, Danger::documented, pair_identity},
          {"empty-names", "INSERT", Cost::quick, Danger::open, empty_pair_names,
           ReadingProbe::For::pairs}};
}

}  // namespace hallmark::conformance
