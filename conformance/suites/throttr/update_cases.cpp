#include "conformance/isolation/trials.hpp"
#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

/// A counter to change, and what it holds.
struct Counter {
  Stage& stage;
  Conversation& connection;
  std::string key;
  Window since;

  void change(Change how, std::uint64_t value) {
    connection.ask(update(key, Attribute::quota, how, value), success());
  }
  void holds(std::uint64_t quota) { expect_counter(stage, connection, key, quota, minute, since); }
};

Counter counter_of(Stage& stage, std::uint64_t quota) {
  Conversation& connection = stage.connection();
  std::string key = stage.key(fmt::format("k{}", quota));
  const Message inserted = connection.ask(insert(key, quota, minute), success());
  return {stage, connection, std::move(key), inserted.window()};
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
  counter.change(Change::increase, stage.format().largest_valid());
  counter.holds(stage.format().largest_valid());
  counter.change(Change::patch, 0);
  counter.holds(0);
}

std::string_view in_words(Change change) {
  switch (change) {
    case Change::patch: return "PATCH";
    case Change::increase: return "INCREASE";
    case Change::decrease: return "DECREASE";
  }
  return "";
}

/// "INCREASE of the quota"
Input input_of(Attribute attribute, Change change) {
  const std::string what = attribute == Attribute::quota ? "of the quota" : "of the TTL";
  const std::string name(in_words(change));
  return {{fmt::format("{} {}", name, what), {}, "UPDATE"}, {}};
}

void changes_of_nothing(Stage& stage) {
  Trials trials(stage);
  for (const Change change : {Change::increase, Change::decrease}) {
    const std::uint64_t quota = change == Change::increase ? 4 : 5;
    trials.attempt(input_of(Attribute::quota, change), [=, &stage] {
      Counter counter = counter_of(stage, quota);
      counter.change(change, 0);
      counter.holds(quota);
    });
  }
  trials.conclude();
}

/// The expected outcome of a change beyond an end of the range.
struct Beyond {
  bool succeeds;
  std::uint64_t quota;
};

void change_beyond(Counter& counter, Change how, std::uint64_t value, Beyond expected) {
  counter.connection.ask(update(counter.key, Attribute::quota, how, value),
                         status(expected.succeeds));
  counter.holds(expected.quota);
}

void below_zero(Stage& stage) {
  Counter counter = counter_of(stage, 3);
  Beyond expected{false, 3};
  if (stage.reads({"decrease-below-zero", "clamped"})) expected = {true, 0};
  if (stage.reads({"decrease-below-zero", "wrapped"})) expected = {true, stage.maximum() - 1};
  change_beyond(counter, Change::decrease, 5, expected);
}

void past_maximum(Stage& stage) {
  const std::uint64_t most = stage.format().largest_valid();
  Counter counter = counter_of(stage, most);
  Beyond expected{false, most};
  if (stage.reads({"increase-overflow", "saturated"})) expected = {true, most};
  if (stage.reads({"increase-overflow", "wrapped"})) expected = {true, 2};
  change_beyond(counter, Change::increase, stage.maximum() - most + 3, expected);
}

void update_missing(Stage& stage) {
  const std::string key = stage.key("absent");
  Trials trials(stage);
  for (const Attribute attribute : {Attribute::quota, Attribute::ttl}) {
    for (const Change change : {Change::patch, Change::increase, Change::decrease}) {
      trials.attempt(input_of(attribute, change), [=, &stage] {
        stage.connection().ask(update(key, attribute, change, 1), failure());
        stage.connection().ask(query(key), failure());
        // A byte too many would pass for the next reply.
        stage.connection().fence();
      });
    }
  }
  trials.conclude();
}

void buffers_keep_value(Stage& stage) {
  const std::string key = stage.key("k");
  Window made;
  Trials trials(
      stage, [&] { made = stage.connection().ask(set(key, "value", minute), success()).window(); });
  for (const Change change : {Change::patch, Change::increase, Change::decrease}) {
    trials.attempt(input_of(Attribute::quota, change), [=, &stage, &made] {
      Conversation& connection = stage.connection();
      connection.ask(update(key, Attribute::quota, change, 1), failure());
      expect_buffer(stage, connection, key, "value", minute, made);
    });
  }
  trials.conclude();
}

void quota_keeps_ttl(Stage& stage) {
  Counter counter = counter_of(stage, 5);
  for (int i = 0; i < 3; ++i) counter.change(Change::patch, 6);
  counter.holds(6);
}

// Operations over the TTL. The record is created with one TTL, changed, and has to live exactly as
// long as the change says.

/// When a TTL that PATCH sets begins.
Window patched_from(Stage& stage, Window made, Window patched) {
  return stage.reads({"ttl-update", "unit-of-record-from-creation"}) ? made : patched;
}

/// Judges that the record is there shortly before its time is over, and is not once it is.
void lives_until(Stage& stage, Conversation& connection, const std::string& key, Expiry expiry) {
  const Time now = stage.now();
  if (expiry.earliest > now) stage.wait_until(expiry.earliest - (expiry.earliest - now) / 4);
  expect_in_time(stage, connection, connection.ask(query(key)), expiry);
  expect_over(stage, connection, query(key), expiry);
}

Request change_ttl(const std::string& key, Change change, std::uint64_t value) {
  return update(key, Attribute::ttl, change, value);
}

/// A change of the TTL, which has to come before the record's first time is over.
Message change_before(Stage& stage, Conversation& connection, Expiry first,
                      const Request& request) {
  const Message changed = connection.ask(request);
  if (changed.window().latest >= first.earliest)
    stage.indeterminate("the TTL was changed too late to tell whether the record was still there");
  connection.judge(changed, success());
  return changed;
}

void patch_shortens(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = insert_and_spend(stage, connection, key, ms(250));
  const Message changed = change_before(stage, connection, expiry_of(made.window(), ms(250)),
                                        change_ttl(key, Change::patch, 60));
  const Window from = patched_from(stage, made.window(), changed.window());
  lives_until(stage, connection, key, expiry_of(from, ms(60)));
}

/// A change that comes before the record's first time is over, and where it then stands.
void prolong(Stage& stage, Change change, std::uint64_t value, Ttl result, bool from_change) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = insert_and_spend(stage, connection, key, ms(60));
  const Expiry first = expiry_of(made.window(), ms(60));
  const Message changed = change_before(stage, connection, first, change_ttl(key, change, value));
  stage.wait_until(first.latest);
  const Window from =
      from_change ? patched_from(stage, made.window(), changed.window()) : made.window();
  lives_until(stage, connection, key, expiry_of(from, result));
}

void patch_prolongs(Stage& stage) { prolong(stage, Change::patch, 180, ms(180), true); }
void increase_prolongs(Stage& stage) { prolong(stage, Change::increase, 100, ms(160), false); }

void decrease_shortens(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = insert_and_spend(stage, connection, key, ms(250));
  change_before(stage, connection, expiry_of(made.window(), ms(250)),
                change_ttl(key, Change::decrease, 170));
  lives_until(stage, connection, key, expiry_of(made.window(), ms(80)));
}

/// Some time passes between creation and PATCH, so that it shows from when the TTL counts.
void patch_counts_from(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = insert_and_spend(stage, connection, key, ms(250));
  stage.wait_until(made.window().latest + ms(80).length());
  const Message changed = connection.ask(change_ttl(key, Change::patch, 200));
  if (changed.window().latest >= expiry_of(made.window(), ms(200)).earliest)
    stage.indeterminate("the TTL was changed too late to tell from when it counts");
  connection.judge(changed, success());
  const Window from = patched_from(stage, made.window(), changed.window());
  lives_until(stage, connection, key, expiry_of(from, ms(200)));
}

void buffers_too(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(set(key, "value", minute), success());
  const Message changed = connection.ask(change_ttl(key, Change::patch, 30), success());
  expect_buffer(stage, connection, key, "value", {TtlUnit::seconds, 30},
                patched_from(stage, made.window(), changed.window()));
}

void keeps_quota(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(insert(key, 42, minute), success());
  const Message changed = connection.ask(change_ttl(key, Change::patch, 100), success());
  expect_counter(stage, connection, key, 42, {TtlUnit::seconds, 100},
                 patched_from(stage, made.window(), changed.window()));
}

void past_now_expires(Stage& stage) {
  Counter counter = counter_of(stage, 5);
  const Message changed =
      counter.connection.ask(change_ttl(counter.key, Change::decrease, 100), success());
  // Nobody says what becomes of a pair that is restored at its end if the end is in the past.
  if (stage.reads({"expiry-2.0", "restored"})) return;
  expect_over(stage, counter.connection, query(counter.key),
              {changed.window().earliest, changed.window().latest});
}

void past_now_refused(Stage& stage) {
  Counter counter = counter_of(stage, 5);
  counter.connection.ask(change_ttl(counter.key, Change::decrease, 100), failure());
  counter.holds(5);
}

/// INCREASE of the longest TTL by as much again.
void beyond(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Ttl longest{TtlUnit::seconds, stage.format().largest_valid()};
  const bool saturates = stage.reads({"ttl-beyond", "saturated"});
  const Message made = connection.ask(insert(key, 5, longest), success());
  const Message changed =
      connection.ask(change_ttl(key, Change::increase, longest.amount), status(saturates));
  if (saturates) {
    expect_counter(stage, connection, key, 5, {TtlUnit::seconds, stage.maximum()},
                   changed.window());
  } else {
    expect_counter(stage, connection, key, 5, longest, made.window());
  }
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
       update_missing},
      {"update/buffers-ttl-only",
       "the quota of a buffer cannot be changed",
       "UPDATE",
       Level::must,
       {"update.buffers-ttl-only"},
       buffers_keep_value,
       {.operations = {"SET", "GET"}}},
      {"update/ttl-of-buffers",
       "the TTL of a buffer can be changed",
       "UPDATE",
       Level::must,
       {"update.buffers-ttl-only", "update.ttl-reschedules"},
       buffers_too,
       {.operations = {"SET", "GET"}}},
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
      {"update/ttl-patch-counts-from",
       "PATCH of a TTL counts from now or from creation, as the target says",
       "UPDATE",
       Level::should,
       {"silence.ttl-update"},
       patch_counts_from},
      {"update/ttl-past-now-expires",
       "DECREASE of a TTL by more than is left ends it",
       "UPDATE",
       Level::may,
       {"silence.ttl-past-now"},
       past_now_expires,
       {.when = {{"ttl-past-now", "expired"}}}},
      {"update/ttl-past-now-refused",
       "DECREASE of a TTL by more than is left fails and changes nothing",
       "UPDATE",
       Level::may,
       {"silence.ttl-past-now"},
       past_now_refused,
       {.when = {{"ttl-past-now", "refused"}}}},
      {"update/ttl-beyond",
       "INCREASE of a TTL past the width keeps to one answer",
       "UPDATE",
       Level::may,
       {"silence.ttl-beyond"},
       beyond,
       {.readings = {"maximum-values"}}},
  };
}

}  // namespace hallmark::conformance
