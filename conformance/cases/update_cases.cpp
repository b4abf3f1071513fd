#include "conformance/cases/cases.hpp"

#include <fmt/format.h>

#include "conformance/cases/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

constexpr Ttl minute{TtlUnit::seconds, 60};

/// A counter to change, and what it holds.
struct Counter {
  Conversation& connection;
  std::string key;
  Window since;

  void change(Change how, std::uint64_t value) {
    connection.ask(update(key, Attribute::quota, how, value), success());
  }
  void holds(std::uint64_t quota) { expect_counter(connection, key, quota, minute, since); }
};

Counter counter_of(Stage& stage, std::uint64_t quota) {
  Conversation& connection = stage.connection();
  std::string key = stage.key(fmt::format("k{}", quota));
  const Message inserted = connection.ask(insert(key, quota, minute), success());
  return {connection, std::move(key), inserted.window()};
}

void arithmetic(Stage& stage) {
  Counter counter = counter_of(stage, 10);
  counter.change(Change::increase, 5);
  counter.holds(15);
  counter.change(Change::decrease, 6);
  counter.holds(9);
  counter.change(Change::patch, 100);
  counter.holds(100);
  counter.change(Change::decrease, 100);
  counter.holds(0);
  counter.change(Change::increase, stage.maximum());
  counter.holds(stage.maximum());
  counter.change(Change::patch, 0);
  counter.holds(0);
}

void changes_of_nothing(Stage& stage) {
  Counter counter = counter_of(stage, 4);
  for (const Change change : {Change::increase, Change::decrease}) {
    counter.change(change, 0);
    counter.holds(4);
  }
}

/// The quota after a change that the document leaves open has to be one of these.
void expect_one_of(Counter& counter, std::initializer_list<std::pair<bool, std::uint64_t>> allowed,
                   bool succeeded) {
  const Message found = counter.connection.ask(query(counter.key));
  for (const auto& [status, quota] : allowed) {
    if (status == succeeded && found.succeeded() && found.number("quota") == quota) return;
  }
  counter.connection.refuse(found, "quota", "one of the answers of the reading",
                            fmt::format("after a status of {} the quota is {}",
                                        succeeded ? "success" : "failure", found.number("quota")));
}

void below_zero(Stage& stage) {
  Counter counter = counter_of(stage, 3);
  const Message reply = counter.connection.ask(
      update(counter.key, Attribute::quota, Change::decrease, 4), any_status());
  expect_one_of(counter, {{false, 3}, {true, 0}, {true, stage.maximum()}}, reply.succeeded());
}

void past_maximum(Stage& stage) {
  Counter counter = counter_of(stage, stage.maximum());
  const Message reply = counter.connection.ask(
      update(counter.key, Attribute::quota, Change::increase, 1), any_status());
  expect_one_of(counter, {{false, stage.maximum()}, {true, stage.maximum()}, {true, 0}},
                reply.succeeded());
}

void missing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("absent");
  for (const Attribute attribute : {Attribute::quota, Attribute::ttl}) {
    for (const Change change : {Change::patch, Change::increase, Change::decrease}) {
      connection.ask(update(key, attribute, change, 1), failure());
    }
  }
  connection.ask(query(key), failure());
}

void buffers_keep_value(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(set(key, "value", minute), success());
  for (const Change change : {Change::patch, Change::increase, Change::decrease}) {
    connection.ask(update(key, Attribute::quota, change, 1), failure());
  }
  expect_buffer(connection, key, "value", minute, made.window());
}

void quota_keeps_ttl(Stage& stage) {
  Counter counter = counter_of(stage, 5);
  for (int i = 0; i < 3; ++i) counter.change(Change::patch, 6);
  counter.holds(6);
}

// Operations over the TTL. The record is created with one TTL, changed, and has to live exactly as
// long as the change says.

Ttl ms(std::uint64_t amount) { return {TtlUnit::milliseconds, amount}; }

/// Judges that the record is there shortly before its time is over, and gone once it certainly is.
void lives_until(Stage& stage, Conversation& connection, const std::string& key, Expiry expiry) {
  const Time now = stage.now();
  if (expiry.earliest > now) stage.wait_until(expiry.earliest - (expiry.earliest - now) / 4);
  expect_there(stage, connection, connection.ask(query(key)), expiry);
  expect_gone(stage, connection, key, expiry);
}

void patch_shortens(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 1, ms(250)), success());
  const Message changed = connection.ask(update(key, Attribute::ttl, Change::patch, 60), success());
  lives_until(stage, connection, key, expiry_of(changed.window(), ms(60)));
}

void patch_prolongs(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message inserted = connection.ask(insert(key, 1, ms(60)), success());
  const Message changed = connection.ask(update(key, Attribute::ttl, Change::patch, 180));
  if (!changed.succeeded()) {
    return expect_there(stage, connection, changed, expiry_of(inserted.window(), ms(60)));
  }
  stage.wait_until(expiry_of(inserted.window(), ms(60)).latest);
  lives_until(stage, connection, key, expiry_of(changed.window(), ms(180)));
}

void increase_prolongs(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message inserted = connection.ask(insert(key, 1, ms(60)), success());
  const Message changed = connection.ask(update(key, Attribute::ttl, Change::increase, 100));
  if (!changed.succeeded()) {
    return expect_there(stage, connection, changed, expiry_of(inserted.window(), ms(60)));
  }
  stage.wait_until(expiry_of(inserted.window(), ms(60)).latest);
  lives_until(stage, connection, key, expiry_of(inserted.window(), ms(160)));
}

void decrease_shortens(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message inserted = connection.ask(insert(key, 1, ms(250)), success());
  connection.ask(update(key, Attribute::ttl, Change::decrease, 170), success());
  lives_until(stage, connection, key, expiry_of(inserted.window(), ms(80)));
}

void buffers_too(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(set(key, "value", minute), success());
  const Message changed = connection.ask(update(key, Attribute::ttl, Change::patch, 30), success());
  expect_buffer(connection, key, "value", {TtlUnit::seconds, 30}, changed.window());
}

void keeps_quota(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 42, minute), success());
  const Message patched =
      connection.ask(update(key, Attribute::ttl, Change::patch, 100), success());
  expect_counter(connection, key, 42, {TtlUnit::seconds, 100}, patched.window());
}

}  // namespace

BehaviourCases update_cases() {
  return {
      {"update/quota-arithmetic",
       "PATCH, INCREASE and DECREASE of the quota do what they say",
       "UPDATE",
       Level::must,
       {"update.code", "update.layout", "update.attributes", "update.changes", "update.status"},
       arithmetic},
      {"update/quota-by-nothing",
       "changes of 0 succeed and change nothing",
       "UPDATE",
       Level::must,
       {"update.changes", "update.status"},
       changes_of_nothing},
      {"update/quota-keeps-ttl",
       "a change of the quota leaves the TTL",
       "UPDATE",
       Level::must,
       {"update.attributes", "record.time-point"},
       quota_keeps_ttl},
      {"update/below-zero",
       "DECREASE below zero keeps to one answer",
       "UPDATE",
       Level::may,
       {"update.decrease-negative"},
       below_zero},
      {"update/past-maximum",
       "INCREASE past the maximum keeps to one answer",
       "UPDATE",
       Level::may,
       {"silence.increase-overflow"},
       past_maximum},
      {"update/missing",
       "UPDATE of a missing key fails and makes none",
       "UPDATE",
       Level::should,
       {"silence.update-missing", "update.status"},
       missing},
      {"update/buffers-ttl-only",
       "the quota of a buffer cannot be changed",
       "UPDATE",
       Level::must,
       {"update.buffers-ttl-only"},
       buffers_keep_value},
      {"update/ttl-of-buffers",
       "the TTL of a buffer can be changed",
       "UPDATE",
       Level::must,
       {"update.buffers-ttl-only", "update.ttl-reschedules"},
       buffers_too},
      {"update/ttl-keeps-quota",
       "a change of the TTL leaves the quota",
       "UPDATE",
       Level::must,
       {"update.attributes", "update.ttl-reschedules", "silence.ttl-update"},
       keeps_quota},
      {"update/ttl-patch-shortens",
       "a shorter TTL lets the record expire sooner",
       "UPDATE",
       Level::must,
       {"update.ttl-reschedules", "record.time-point", "silence.ttl-update"},
       patch_shortens},
      {"update/ttl-patch-prolongs",
       "a longer TTL keeps the record past its first time point",
       "UPDATE",
       Level::must,
       {"update.ttl-reschedules", "record.time-point", "silence.ttl-update"},
       patch_prolongs},
      {"update/ttl-increase-prolongs",
       "INCREASE moves the time point later",
       "UPDATE",
       Level::must,
       {"update.ttl-reschedules", "update.changes", "silence.ttl-update"},
       increase_prolongs},
      {"update/ttl-decrease-shortens",
       "DECREASE moves the time point earlier",
       "UPDATE",
       Level::must,
       {"update.ttl-reschedules", "update.changes", "silence.ttl-update"},
       decrease_shortens},
  };
}

}  // namespace hallmark::conformance
