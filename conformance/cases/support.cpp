#include "conformance/cases/support.hpp"

#include <fmt/format.h>

#include "reference/protocol/annotate.hpp"

namespace hallmark::conformance {

using protocol::as_bytes;
using protocol::as_text;
using protocol::MessageView;

Message expect_counter(Conversation& connection, std::string_view key, std::uint64_t quota, Ttl ttl,
                       Window since) {
  Message found = connection.ask(query(key));
  connection.judge(found, {is("status", 1), is("quota", quota),
                           is("ttl_type", static_cast<std::uint64_t>(ttl.unit)),
                           ttl_left(ttl, since, found.window())});
  return found;
}

Message expect_buffer(Conversation& connection, std::string_view key, std::string_view value,
                      Ttl ttl, Window since) {
  Message found = connection.ask(get(key));
  connection.judge(found, {is("status", 1), is("ttl_type", static_cast<std::uint64_t>(ttl.unit)),
                           ttl_left(ttl, since, found.window()), is("value", value)});
  return found;
}

Patterns any_status() { return {any("status")}; }

Expiry expiry_of(Window set, Ttl ttl) {
  return {set.earliest + ttl.length(), set.latest + ttl.length()};
}

void expect_there(Stage& stage, Conversation& connection, const Message& reply, Expiry expiry) {
  const Window asked = reply.window();
  if (reply.succeeded() && asked.earliest >= expiry.latest) {
    connection.refuse(reply, "status", "failure", "the record is there although its time was over");
  }
  if (reply.succeeded()) return;
  if (asked.latest < expiry.earliest) {
    connection.refuse(reply, "status", "success",
                      "the record is gone although its time was not over");
  }
  stage.indeterminate("the request was answered too late to tell whether the record was still due");
}

void expect_gone(Stage& stage, Conversation& connection, std::string_view key, Expiry expiry) {
  stage.wait_until(expiry.latest);
  const Message reply = connection.ask(query(key));
  if (reply.succeeded()) {
    connection.refuse(reply, "status", "failure", "the record is there although its time was over");
  }
}

std::size_t times_listed(const Message& listing, std::string_view group, std::string_view field,
                         std::string_view bytes) {
  std::size_t times = 0;
  const MessageView view = listing.view();
  view.for_each(group, [&](const MessageView::Entry& entry) {
    if (as_text(entry.bytes_of(field)) == bytes) ++times;
  });
  return times;
}

void expect_listed_once(Conversation& connection, const Message& listing, std::string_view group,
                        std::string_view field, std::string_view bytes, const EntryJudge& judge) {
  const std::size_t times = times_listed(listing, group, field, bytes);
  if (times != 1) {
    connection.refuse(listing, "fragments", "the entry once",
                      fmt::format("{} holds {} {} times, expected once", listing.layout().name(),
                                  protocol::printable(as_bytes(bytes)), times));
  }
  if (!judge) return;
  const MessageView view = listing.view();
  view.for_each(group, [&](const MessageView::Entry& entry) {
    if (as_text(entry.bytes_of(field)) != bytes) return;
    const std::string wrong = judge(entry);
    if (!wrong.empty()) {
      connection.refuse(
          listing, "fragments", wrong,
          fmt::format("the entry of {} in {}: {}", protocol::printable(as_bytes(bytes)),
                      listing.layout().name(), wrong));
    }
  });
}

void expect_not_listed(Conversation& connection, const Message& listing, std::string_view group,
                       std::string_view field, std::string_view bytes) {
  if (times_listed(listing, group, field, bytes) == 0) return;
  connection.refuse(listing, "fragments", "no such entry",
                    fmt::format("{} still holds {}", listing.layout().name(),
                                protocol::printable(as_bytes(bytes))));
}

void expect_fragments(Conversation& connection, const Message& listing) {
  std::uint64_t expected = 1;
  const MessageView view = listing.view();
  for (const protocol::FieldValue& value : view.fields()) {
    if (value.field->name != "fragment") continue;
    if (value.number != expected) {
      connection.refuse(listing,
                        {{"fragment", value.offset, value.length, fmt::format("{}", expected),
                          fmt::format("{}", value.number)}},
                        std::nullopt);
    }
    ++expected;
  }
}

protocol::Bytes id_of(Conversation& connection) {
  return connection.ask(bare("WHOAMI"), {is("status", 1), any("id")}).bytes_of("id");
}

std::string binary(std::string_view tag) {
  std::string bytes("\x00\xff\n\x03\x01", 5);
  return bytes.append(tag);
}

std::string total_field(std::string_view operation) {
  if (operation == "CHANNELS") return "total_channels_requests";
  if (operation == "CONNECTIONS") return "total_connections_requests";
  std::string name = "total_";
  for (const char c : operation) name += static_cast<char>(c + ('a' - 'A'));
  return name;
}

}  // namespace hallmark::conformance
