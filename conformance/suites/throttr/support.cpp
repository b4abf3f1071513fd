#include "conformance/suites/throttr/support.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/engine/rounds.hpp"
#include "conformance/isolation/caretaker.hpp"
#include "protocol/annotate.hpp"
#include "protocol/little_endian.hpp"

namespace hallmark::conformance {

using base::as_bytes;
using base::as_text;
using protocol::MessageView;

namespace {

constexpr const char* too_late_to_be_due =
    "the request was answered too late to tell whether the record was still due";

bool is_restored(Stage& stage) { return stage.reads({"expiry-2.0", "restored"}); }

/// Judges the record that was asked for, unless its time was over before it came. Then it may be
/// gone, or as it was inserted.
void judge_if_due(Stage& stage, Conversation& connection, const Message& found, Ttl ttl,
                  Window since, const Patterns& expected) {
  const auto units = (found.window().latest - since.earliest) / length_of(ttl.unit);
  const bool may_be_over = static_cast<std::uint64_t>(units) >= ttl.amount;
  if (may_be_over && (!found.succeeded() || is_restored(stage)))
    stage.indeterminate(too_late_to_be_due);
  connection.judge(found, expected);
}

}  // namespace

Message expect_counter(Stage& stage, Conversation& connection, std::string_view key,
                       std::uint64_t quota, Ttl ttl, Window since) {
  Message found = connection.ask(query(key));
  judge_if_due(stage, connection, found, ttl, since,
               counter_fields(stage.format(), quota, ttl, since, found.window()));
  return found;
}

Message expect_buffer(Stage& stage, Conversation& connection, std::string_view key,
                      std::string_view value, Ttl ttl, Window since) {
  Message found = connection.ask(get(key));
  Patterns expected = ttl_fields(stage.format(), ttl, since, found.window());
  expected.insert(expected.begin(), is("status", 1));
  expected.push_back(is("value", value));
  judge_if_due(stage, connection, found, ttl, since, expected);
  return found;
}

Patterns counter_of(std::uint64_t quota) {
  return {is("status", 1), is("quota", quota), any("ttl_type"), any("ttl")};
}

Patterns any_status() { return {any("status")}; }

namespace {

/// Returns true if the reply shows that the time is over: the record is gone, or has its whole
/// quota again.
bool is_over(Stage& stage, const Message& reply) {
  return is_restored(stage) ? reply.succeeded() && reply.number("quota") == whole_quota
                            : !reply.succeeded();
}

/// Returns the time until which an expired record may still be shown as it was.
Time removed_by(Stage& stage, Expiry expiry) {
  return expiry.latest + (stage.reads({"expired-when", "scheduler"}) ? stage.patience() : 0);
}

Code late(const Message& reply) {
  return {.kind = Code::Kind::late, .message = std::string(reply.layout().name()), .input = "late"};
}

Code early(const Message& reply) {
  return {
      .kind = Code::Kind::late, .message = std::string(reply.layout().name()), .input = "early"};
}

[[noreturn]] void refuse_late(Stage& stage, Conversation& connection, const Message& reply) {
  is_restored(stage)
      ? connection.refuse(reply, "quota", fmt::format("{}", whole_quota),
                          "the pair is not as it was inserted although its time was over",
                          late(reply))
      : connection.refuse(reply, "status", "failure",
                          "the record is there although its time was over", late(reply));
}

[[noreturn]] void refuse_early(Stage& stage, Conversation& connection, const Message& reply) {
  is_restored(stage) && reply.succeeded()
      ? connection.refuse(reply, "quota", fmt::format("{}", spent_quota),
                          "the pair is as it was inserted although its time was not over",
                          early(reply))
      : connection.refuse(reply, "status", "success",
                          "the record is gone although its time was not over", early(reply));
}

}  // namespace

Expiry expiry_of(Window set, Ttl ttl) {
  return {set.earliest + ttl.length(), set.latest + ttl.length()};
}

void spend(Stage& stage, Conversation& connection, std::string_view key, Expiry expiry) {
  const Message spent =
      connection.ask(update(key, Attribute::quota, Change::patch, spent_quota), any_status());
  // Quota that is spent in the next period cannot be restored at the end of this one.
  if (is_restored(stage) && spent.window().latest >= expiry.earliest)
    stage.indeterminate("the quota was spent too late to tell in which period");
}

Message insert_and_spend(Stage& stage, Conversation& connection, std::string_view key, Ttl ttl) {
  Message inserted = connection.ask(insert(key, whole_quota, ttl), success());
  // Periods shorter than a round trip are over before anything can be spent.
  if (ttl.length() >= length_of(TtlUnit::milliseconds))
    spend(stage, connection, key, expiry_of(inserted.window(), ttl));
  return inserted;
}

void expect_in_time(Stage& stage, Conversation& connection, const Message& reply, Expiry expiry) {
  const Window asked = reply.window();
  if (is_restored(stage) && !reply.succeeded()) refuse_early(stage, connection, reply);
  const bool over = is_over(stage, reply);
  if (!over && asked.earliest >= removed_by(stage, expiry)) refuse_late(stage, connection, reply);
  if (!over) return;
  if (asked.latest < expiry.earliest) refuse_early(stage, connection, reply);
  stage.indeterminate(too_late_to_be_due);
}

void expect_over(Stage& stage, Conversation& connection, const Request& asking, Expiry expiry) {
  stage.wait_until(expiry.latest);
  for (;;) {
    const Message reply = connection.ask(asking);
    if (is_over(stage, reply)) return;
    const bool gone_instead = is_restored(stage) && !reply.succeeded();
    if (gone_instead || reply.window().earliest >= removed_by(stage, expiry))
      refuse_late(stage, connection, reply);
    // A slow scheduler is waited for with ever fewer requests: a target may answer only so many of
    // a connection.
    const Time since = stage.now() - expiry.latest;
    stage.wait_until(stage.now() + std::max(length_of(TtlUnit::milliseconds), since / 8));
  }
}

std::size_t times_listed(const Message& listing, protocol::FieldName group,
                         protocol::FieldName field, std::string_view bytes) {
  std::size_t times = 0;
  const MessageView view = listing.view();
  view.for_each(group, [&](const MessageView::Entry& entry) {
    if (as_text(entry.bytes_of(field)) == bytes) ++times;
  });
  return times;
}

void expect_listed_once(Conversation& connection, const Message& listing, protocol::FieldName group,
                        protocol::FieldName field, std::string_view bytes,
                        const EntryJudge& judge) {
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

void expect_not_listed(Conversation& connection, const Message& listing, protocol::FieldName group,
                       protocol::FieldName field, std::string_view bytes) {
  if (times_listed(listing, group, field, bytes) == 0) return;
  connection.refuse(listing, "fragments", "no such entry",
                    fmt::format("{} still holds {}", listing.layout().name(),
                                protocol::printable(as_bytes(bytes))));
}

void expect_fragments(Conversation& connection, const Message& listing) {
  std::uint64_t expected = listing.layout().readings().holds(Chosen("fragments", "from-0")) ? 0 : 1;
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

std::size_t longest_value(const WireFormat& format) {
  const protocol::Layout set = format.request(format.operation("SET"));
  const protocol::Field* const size = set.find(set.message().fields, "value_size");
  const std::uint64_t carried = protocol::max_of_width(set.width_of(*size));
  return static_cast<std::size_t>(std::min(carried, format.largest_valid()));
}

namespace {

void publish_with(Stage& stage, Conversation& connection, std::string_view channel,
                  std::string_view payload, const Patterns& status) {
  connection.send(publish(channel, payload));
  if (stage.format().reply(stage.format().operation("PUBLISH")).sent()) connection.reply(status);
}

}  // namespace

void publish_to(Stage& stage, Conversation& connection, std::string_view channel,
                std::string_view payload) {
  publish_with(stage, connection, channel, payload, success());
}

void publish_to_nobody(Stage& stage, Conversation& connection, std::string_view channel,
                       std::string_view payload) {
  publish_with(stage, connection, channel, payload,
               status(stage.reads({"publish-nobody", "accepted"})));
}

std::string binary(std::string_view tag) {
  std::string bytes("\x00\xff\n\x03\x01", 5);
  return bytes.append(tag);
}

protocol::FieldName total_field(protocol::MessageName operation) {
  if (operation == "CHANNELS") return "total_channels_requests";
  if (operation == "CONNECTIONS") return "total_connections_requests";
  std::string name = "total_";
  for (const char c : operation) name += static_cast<char>(c + ('a' - 'A'));
  return protocol::FieldName::find(name).value();
}

void rest_on(Stage& stage, const Ability& ability) {
  Caretaker caretaker(stage.context());
  const std::size_t deaths = caretaker.deaths();
  try {
    return ability.use();
  } catch (const CaseEnded& ended) {
    if (ended.judgement().verdict == reports::Verdict::skipped) throw;
    stage.hang_up();
    const Fate fate = caretaker.fate(deaths);
    if (fate == Fate::lost) throw;
    if (fate != Fate::answers) {
      if (!caretaker.is_shared()) caretaker.blame(deaths, ability.what, ability.tested_by);
      caretaker.start_afresh();
    }
  }
  stage.skip(fmt::format("{}{}, which fails by itself: {}", rests_on_ability, ability.what,
                         ability.tested_by));
}

void rest_on_value(Stage& stage, const std::string& key, const std::string& value) {
  rest_on(stage, {fmt::format("a value of {} bytes", value.size()), "set/longest-value", [&] {
                    Conversation& connection = stage.connection("before");
                    connection.ask(set(key, value), success());
                    connection.ask(get(key), {is("status", 1), any("ttl_type"), any("ttl"),
                                              is("value", value)});
                  }});
  stage.close("before");
}

}  // namespace hallmark::conformance
