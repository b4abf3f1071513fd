#include "reference/faults/records/records_fault.hpp"

namespace hallmark::faults {
namespace {

/// One change of a quota is taken for another.
Code changed(Change from, Change to) {
  return records({.update = [=](Records& right, Update asked) {
    if (asked.attribute == Attribute::quota && asked.change == from) asked.change = to;
    return asked.of(right);
  }});
}

/// Something else is done where a quota would leave its range.
Code out_of_range(bool (*instead)(Records& right, Update asked, StoredRecord& record)) {
  return records({.update = [instead](Records& right, Update asked) {
    StoredRecord* const record = record_of(right, asked.at, asked.key, Kind::counter);
    if (record == nullptr || asked.attribute != Attribute::quota) return asked.of(right);
    const bool over =
        asked.change == Change::increase && asked.value > right.max_value() - record->quota;
    const bool under = asked.change == Change::decrease && asked.value > record->quota;
    return over || under ? instead(right, asked, *record) : asked.of(right);
  }});
}

}  // namespace

Bugs update_bugs() {
  return {
      {.id = "update.missing-succeeds",
       .breaks = "UPDATE of a missing key succeeds",
       .violates = {{"throttr-7.1", {"silence.update-missing"}}},
       .code = records({.update =
                            [](Records& right, Update asked) {
                              return !right.exists(asked.at, asked.key) || asked.of(right);
                            }})},
      {.id = "update.prolongs",
       .breaks = "an UPDATE of the quota moves the time point by a second",
       .violates = {{"throttr-7.1", {"record.time-point", "update.attributes"}}},
       .code = records({.update =
                            [](Records& right, Update asked) {
                              StoredRecord* const record = right.find(asked.at, asked.key);
                              if (record != nullptr && asked.attribute == Attribute::quota)
                                right.reschedule(*record, record->expires_at + a_second);
                              return asked.of(right);
                            }})},
      {.id = "update.patch-adds",
       .breaks = "PATCH adds to the quota",
       .violates = {{"throttr-7.1", {"update.changes"}}},
       .code = changed(Change::patch, Change::increase),
       .settles = "what a change of a quota does"},
      {.id = "update.increase-replaces",
       .breaks = "INCREASE sets the quota to the value",
       .violates = {{"throttr-7.1", {"update.changes"}}},
       .code = changed(Change::increase, Change::patch),
       .settles = "what a change of a quota does"},
      {.id = "update.decrease-increases",
       .breaks = "DECREASE increases",
       .violates = {{"throttr-7.1", {"update.changes"}}},
       .code = changed(Change::decrease, Change::increase),
       .settles = "what a change of a quota does"},
      {.id = "update.refused-yet-written",
       .breaks = "a DECREASE or INCREASE out of range is refused, and leaves the quota at 0",
       .violates = {{"throttr-7.1", {"update.decrease-negative"}}},
       .code = out_of_range([](Records& right, Update asked, StoredRecord& record) {
         const bool done = asked.of(right);
         record.quota = 0;
         return done;
       }),
       .settles = "what becomes of a quota out of range"},
      {.id = "update.out-of-range-wraps",
       .breaks = "a quota out of range wraps",
       .violates = {{"throttr-7.1", {"update.decrease-negative"}}},
       .code = out_of_range([](Records& right, Update asked, StoredRecord& record) {
         const std::uint64_t maximum = right.max_value();
         const bool up = asked.change == Change::increase;
         record.quota = (up ? record.quota + asked.value : record.quota - asked.value) & maximum;
         return true;
       }),
       .settles = "what becomes of a quota out of range"},
      {.id = "update.buffers-quota-succeeds",
       .breaks = "UPDATE of the quota of a buffer succeeds",
       .violates = {{"throttr-7.1", {"update.buffers-ttl-only"}}},
       .code = records({.update =
                            [](Records& right, Update asked) {
                              const bool of_buffer =
                                  asked.attribute == Attribute::quota &&
                                  record_of(right, asked.at, asked.key, Kind::buffer) != nullptr;
                              return of_buffer || asked.of(right);
                            }})},
  };
}

}  // namespace hallmark::faults
