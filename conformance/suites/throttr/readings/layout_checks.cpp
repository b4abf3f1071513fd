#include <algorithm>

#include "conformance/identify/candidate.hpp"
#include "conformance/suites/throttr/readings/probe.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;

void status_prefix(Inquiry& inquiry) {
  for (const protocol::MessageName operation : std::initializer_list<protocol::MessageName>{
           "LIST", "INFO", "STATS", "CONNECTIONS", "CHANNELS", "WHOAMI"}) {
    if (inquiry.format().has(operation)) inquiry.ask(bare(operation));
  }
}

void set_value_size(Inquiry& inquiry) {
  const std::string key = inquiry.key("value");
  const auto replies = inquiry.ask({set(key, "value of a buffer"), get(key)});
  inquiry.stage().require(replies[0].succeeded() && replies[1].succeeded() &&
                              replies[1].bytes_of("value") == base::to_bytes("value of a buffer"),
                          "GET does not give the value that was SET");
}

/// Requires that the bytes agree with the readings in what they mean, beside their layout.
void require_meaning(Inquiry& inquiry, const Message& message) {
  inquiry.stage().require(fits_meaning(message.view(), inquiry.format().readings()),
                          "the reply reads otherwise than before");
}

void list(Inquiry& inquiry) {
  const std::string key = inquiry.key("listed");
  require_meaning(inquiry, inquiry.ask({insert(key, 1), bare("LIST")})[1]);
}

void connections(Inquiry& inquiry) { require_meaning(inquiry, inquiry.ask(bare("CONNECTIONS"))); }

void channels(Inquiry& inquiry) {
  const std::string name = inquiry.channel("listed");
  inquiry.ask({subscribe(name), bare("CHANNELS"), unsubscribe(name)});
}

void whoami(Inquiry& inquiry) { inquiry.ask(bare("WHOAMI")); }

/// The id of the first connection that is listed.
Bytes first_id(const Message& listed) {
  Bytes id;
  listed.view().for_each("connections", [&](const protocol::MessageView::Entry& entry) {
    const auto bytes = entry.bytes_of("id");
    if (id.empty()) id.assign(bytes.begin(), bytes.end());
  });
  return id;
}

void connection_of(Inquiry& inquiry) {
  const Bytes id = first_id(inquiry.ask(bare("CONNECTIONS")));
  const bool by_index = inquiry.stage().reads({"connection-id", "index"});
  const std::uint64_t first = inquiry.stage().reads({"connection-index", "from-0"}) ? 0 : 1;
  const Message found = inquiry.ask(by_index ? connection_at(first) : connection(id));
  if (!found.succeeded()) inquiry.stage().indeterminate("the connection was closed meanwhile");
  if (found.bytes_of("id") != id)
    inquiry.stage().indeterminate("another connection has taken the place meanwhile");
}

void publication(Inquiry& inquiry) {
  const std::string name = inquiry.channel("published");
  const WireFormat& format = inquiry.format();
  inquiry.another().ask(subscribe(name));
  inquiry.connection().send(publish(name, "payload"));
  if (format.reply(format.operation("PUBLISH")).sent()) inquiry.connection().reply();
  inquiry.another().delivery(name, "payload");
  inquiry.another().ask(unsubscribe(name));
}

}  // namespace

std::vector<LayoutCheck> layout_checks() {
  return {{"status-prefix", "LIST", status_prefix},
          {"set-value-size", "SET", set_value_size},
          {"list-bytes-used", "LIST", list},
          {"fragments", "LIST", list},
          {"channels-subscribers", "CHANNELS", channels},
          {"connection-id", "CONNECTION", connection_of},
          {"connection-index", "CONNECTION", connection_of},
          {"whoami", "WHOAMI", whoami},
          {"publish-reply", "PUBLISH", publication},
          {"ip-field", "CONNECTIONS", connections}};
}

}  // namespace hallmark::conformance
