#include "reference/faults/records/records_fault.hpp"

namespace hallmark::faults {
namespace {

using model::span_of;
using model::whole_units;

/// The time of the scheduler is that much later; earlier where it is negative.
Code swept_late(Time by) {
  return records({.moment = [by](Moment at) {
    at.since_sweep += by;
    return at;
  }});
}

/// A TTL is measured in another unit than the one that was asked for, and is told.
Code measured(TtlUnit (*in)(TtlUnit)) {
  const auto again = [in](Records& right, const Moment& at, std::string_view key,
                          std::uint64_t ttl) {
    StoredRecord* const record = ttl == 0 ? nullptr : right.find(at, key);
    if (record != nullptr) right.reschedule(*record, at.now + span_of(in(record->unit), ttl));
    return true;
  };
  return records({
      .insert =
          [again](Records& right, Insert asked) {
            return asked.of(right) && again(right, asked.at, asked.key, asked.ttl);
          },
      .update =
          [again](Records& right, Update asked) {
            if (!asked.of(right)) return false;
            if (asked.attribute != Attribute::ttl || asked.change != Change::patch) return true;
            return again(right, asked.at, asked.key, asked.value);
          },
      .set =
          [again](Records& right, Set asked) {
            return asked.of(right) && again(right, asked.at, asked.key, asked.ttl);
          },
  });
}

/// QUERY and GET tell something else of the time that is left.
Code told(std::uint64_t (*ttl)(Time left, TtlUnit unit)) {
  const auto spoil = [ttl](auto view, Records& right, OfKey asked) {
    if (!view) return view;
    const Time end = right.find(asked.at, asked.key)->expires_at;
    view->ttl = ttl(end > asked.at.now ? end - asked.at.now : 0, view->unit);
    return view;
  };
  return records({
      .query = [spoil](
                   Records& right,
                   OfKey asked) { return spoil(right.query(asked.at, asked.key), right, asked); },
      .get = [spoil](Records& right,
                     OfKey asked) { return spoil(right.get(asked.at, asked.key), right, asked); },
  });
}

/// INCREASE and DECREASE move the time point of a record as `moved` says.
Code ttl_moved(Time (*moved)(const Moment& at, const StoredRecord& record, const Update& asked)) {
  return records({.update = [moved](Records& right, Update asked) {
    StoredRecord* const record = right.find(asked.at, asked.key);
    const bool moves = asked.change == Change::increase || asked.change == Change::decrease;
    if (record == nullptr || asked.attribute != Attribute::ttl || !moves) return asked.of(right);
    const Time end = moved(asked.at, *record, asked);
    if (end <= asked.at.now) return right.purge(asked.at, asked.key);
    right.reschedule(*record, end);
    return true;
  }});
}

}  // namespace

Bugs ttl_bugs() {
  return {
      {.id = "expiry.never",
       .breaks = "records do not expire",
       .violates = {{"throttr-7.1", {"ttl.expires"}}, {"throttr-2.0", {"ttl.expires"}}},
       .code = records({.moment =
                            [](Moment at) {
                              at.since_sweep = at.now;
                              return at;
                            }}),
       .settles = "when records expire"},
      {.id = "expiry.second-late",
       .breaks = "records are there for a second more than their TTL",
       .violates = {{"throttr-7.1", {"ttl.expires"}}},
       .code = swept_late(a_second),
       .settles = "when records expire",
       .slow = true},
      {.id = "expiry.second-early",
       .breaks = "records are gone a second before their TTL is over",
       .violates = {{"throttr-7.1", {"ttl.valid-period"}}, {"throttr-2.0", {"ttl.valid-period"}}},
       .code = swept_late(-a_second),
       .settles = "when records expire"},
      {.id = "ttl.in-seconds",
       .breaks = "every TTL counts as seconds",
       .violates = {{"throttr-7.1", {"ttl-types.codes", "ttl-types.unit"}},
                    {"throttr-2.0", {"ttl-types.codes", "ttl-types.unit"}}},
       .code = measured([](TtlUnit) { return TtlUnit::seconds; }),
       .settles = "in which unit a TTL is measured"},
      {.id = "ttl.minutes-as-seconds",
       .breaks = "a TTL in minutes counts as seconds",
       .violates = {{"throttr-7.1", {"ttl-types.codes", "ttl-types.unit"}}},
       .code = measured(
           [](TtlUnit unit) { return unit == TtlUnit::minutes ? TtlUnit::seconds : unit; }),
       .settles = "in which unit a TTL is measured"},
      {.id = "ttl.hours-as-minutes",
       .breaks = "a TTL in hours counts as minutes",
       .violates = {{"throttr-7.1", {"ttl-types.codes", "ttl-types.unit"}}},
       .code =
           measured([](TtlUnit unit) { return unit == TtlUnit::hours ? TtlUnit::minutes : unit; }),
       .settles = "in which unit a TTL is measured"},
      {.id = "ttl.microseconds-as-milliseconds",
       .breaks = "a TTL in microseconds counts as milliseconds",
       .violates = {{"throttr-7.1", {"ttl-types.codes", "ttl-types.unit"}}},
       .code = measured([](TtlUnit unit) {
         return unit == TtlUnit::microseconds ? TtlUnit::milliseconds : unit;
       }),
       .settles = "in which unit a TTL is measured"},
      {.id = "ttl.shown-in-milliseconds",
       .breaks = "what is left of a TTL is told in milliseconds, whatever its type",
       .violates = {{"throttr-7.1", {"ttl-types.unit"}}},
       .code = told([](Time left, TtlUnit) { return whole_units(left, TtlUnit::milliseconds); }),
       .settles = "what is told of a TTL"},
      {.id = "ttl.shown-rounded-up",
       .breaks = "what is left of a TTL is rounded up",
       .violates = {{"throttr-7.1", {"silence.ttl-left"}}},
       .code = told([](Time left, TtlUnit unit) { return whole_units(left, unit) + 1; }),
       .settles = "what is told of a TTL"},
      {.id = "update.ttl-ignored",
       .breaks = "UPDATE of a TTL succeeds and changes nothing",
       .violates = {{"throttr-7.1", {"update.ttl-reschedules", "record.time-point"}},
                    {"throttr-2.0", {"update.ttl-reschedules", "record.time-point"}}},
       .code = records({.update =
                            [](Records& right, Update asked) {
                              const bool ignored = asked.attribute == Attribute::ttl &&
                                                   right.exists(asked.at, asked.key);
                              return ignored || asked.of(right);
                            }}),
       .settles = "what an UPDATE of a TTL does"},
      {.id = "update.ttl-not-rescheduled",
       .breaks = "UPDATE of a TTL changes what is told, not when the record is removed",
       .violates = {{"throttr-7.1", {"update.ttl-reschedules"}}},
       .code = records({.update =
                            [](Records& right, Update asked) {
                              const StoredRecord* const before = right.find(asked.at, asked.key);
                              const Time end = before == nullptr ? 0 : before->expires_at;
                              const bool done = asked.of(right);
                              StoredRecord* const record = right.find(asked.at, asked.key);
                              if (!done || record == nullptr || asked.attribute != Attribute::ttl)
                                return done;
                              const Time shown = record->expires_at;
                              right.reschedule(*record, end);
                              record->expires_at = shown;
                              return done;
                            }}),
       .settles = "what an UPDATE of a TTL does"},
      {.id = "update.ttl-in-seconds",
       .breaks = "INCREASE and DECREASE of a TTL count in seconds",
       .violates = {{"throttr-7.1", {"silence.ttl-update"}}},
       .code = ttl_moved([](const Moment&, const StoredRecord& record, const Update& asked) {
         const Time span = span_of(TtlUnit::seconds, asked.value);
         return record.expires_at + (asked.change == Change::increase ? span : -span);
       }),
       .settles = "what an UPDATE of a TTL does"},
      {.id = "update.ttl-increase-from-now",
       .breaks = "INCREASE of a TTL counts from now",
       .violates = {{"throttr-7.1", {"update.changes"}}},
       .code = ttl_moved([](const Moment& at, const StoredRecord& record, const Update& asked) {
         const Time span = span_of(record.unit, asked.value);
         return asked.change == Change::increase ? at.now + span : record.expires_at - span;
       }),
       .settles = "what an UPDATE of a TTL does"},
      {.id = "update.ttl-of-counters-only",
       .breaks = "UPDATE of the TTL of a buffer fails",
       .violates = {{"throttr-7.1", {"update.buffers-ttl-only"}}},
       .code = records({.update =
                            [](Records& right, Update asked) {
                              if (asked.attribute == Attribute::ttl &&
                                  record_of(right, asked.at, asked.key, Kind::buffer) != nullptr) {
                                return false;
                              }
                              return asked.of(right);
                            }})},
  };
}

}  // namespace hallmark::faults
