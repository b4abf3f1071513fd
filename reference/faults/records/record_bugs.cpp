#include <algorithm>
#include <string>

#include "reference/faults/records/records_fault.hpp"

namespace hallmark::faults {
namespace {

constexpr std::size_t most_records = 16;

/// Removes what the key holds, if it is of that kind.
template <class Asked>
bool purges(Records& right, const Asked& asked, Kind kind) {
  return record_of(right, asked.at, asked.key, kind) != nullptr && right.purge(asked.at, asked.key);
}

std::vector<std::string> keys_of(Records& right, const Moment& at) {
  std::vector<std::string> keys;
  right.for_each(at, [&](const model::EntryView& entry) { keys.emplace_back(entry.key); });
  return keys;
}

/// Removes the first record to expire if there are too many; spares the one just added.
bool forget_oldest(Records& right, const Moment& at, std::string_view added) {
  std::vector<std::pair<std::uint64_t, std::string>> others;
  right.for_each(at, [&](const model::EntryView& entry) {
    if (entry.key != added) others.emplace_back(entry.time_point, entry.key);
  });
  if (others.size() >= most_records) right.purge(at, std::ranges::min_element(others)->second);
  return true;
}

std::string value_before(Records& right, const Set& asked) {
  const StoredRecord* const before = record_of(right, asked.at, asked.key, Kind::buffer);
  return before == nullptr ? std::string() : before->value;
}

}  // namespace

Bugs record_bugs() {
  return {
      {.id = "insert.quota-off-by-one",
       .breaks = "the lowest bit of a quota is inverted",
       .violates = {{"throttr-7.1", {"insert.adds-counter"}},
                    {"throttr-2.0", {"insert.adds-counter"}}},
       .code = records({.insert =
                            [](Records& right, Insert asked) {
                              asked.quota ^= 1;
                              return asked.of(right);
                            }})},
      {.id = "insert.overwrites",
       .breaks = "INSERT of a key that exists begins it anew",
       .violates = {{"throttr-7.1", {"silence.insert-existing"}}},
       .code = records({.insert =
                            [](Records& right, Insert asked) {
                              return asked.of(right) ||
                                     (purges(right, asked, Kind::counter) && asked.of(right));
                            }})},
      {.id = "query.consumes",
       .breaks = "every QUERY takes one from the quota",
       .violates = {{"throttr-7.1", {"query.found"}}, {"throttr-2.0", {"query.counters"}}},
       .code = records({.query =
                            [](Records& right, OfKey asked) {
                              StoredRecord* const record =
                                  record_of(right, asked.at, asked.key, Kind::counter);
                              if (record != nullptr && record->quota != 0) --record->quota;
                              return right.query(asked.at, asked.key);
                            }})},
      {.id = "query.prolongs",
       .breaks = "every QUERY moves the time point by a second",
       .violates = {{"throttr-7.1", {"ttl.valid-period"}}},
       .code = records({.query =
                            [](Records& right, OfKey asked) {
                              StoredRecord* const record =
                                  record_of(right, asked.at, asked.key, Kind::counter);
                              if (record != nullptr)
                                right.reschedule(*record, record->expires_at + a_second);
                              return right.query(asked.at, asked.key);
                            }})},
      {.id = "query.reads-buffers",
       .breaks = "QUERY finds buffers",
       .violates = {{"throttr-7.1", {"query.counters", "record.kinds"}}},
       .code =
           records({.query = [](Records& right, OfKey asked) -> std::optional<model::CounterView> {
             if (record_of(right, asked.at, asked.key, Kind::buffer) == nullptr)
               return right.query(asked.at, asked.key);
             const auto buffer = right.get(asked.at, asked.key);
             return model::CounterView{0, buffer->unit, buffer->ttl};
           }})},
      {.id = "store.forgets-the-oldest",
       .breaks = "of more than 16 records the one that expires first is dropped",
       .violates = {{"throttr-7.1", {"insert.adds-counter"}}},
       .code = records({.insert =
                            [](Records& right, Insert asked) {
                              return asked.of(right) && forget_oldest(right, asked.at, asked.key);
                            },
                        .set =
                            [](Records& right, Set asked) {
                              return asked.of(right) && forget_oldest(right, asked.at, asked.key);
                            }})},
      {.id = "kinds.replace-each-other",
       .breaks = "INSERT replaces buffers and SET replaces counters",
       .violates = {{"throttr-7.1", {"silence.kind-mismatch"}}},
       .code = records({.insert =
                            [](Records& right, Insert asked) {
                              return asked.of(right) ||
                                     (purges(right, asked, Kind::buffer) && asked.of(right));
                            },
                        .set =
                            [](Records& right, Set asked) {
                              return asked.of(right) ||
                                     (purges(right, asked, Kind::counter) && asked.of(right));
                            }})},
      {.id = "purge.keeps",
       .breaks = "PURGE succeeds and leaves the record",
       .violates = {{"throttr-7.1", {"purge.removes"}}, {"throttr-2.0", {"purge.removes"}}},
       .code = records({.purge =
                            [](Records& right, OfKey asked) {
                              return right.exists(asked.at, asked.key) ||
                                     right.purge(asked.at, asked.key);
                            }}),
       .settles = "what PURGE removes"},
      {.id = "purge.counters-only",
       .breaks = "PURGE of a buffer fails",
       .violates = {{"throttr-7.1", {"purge.removes"}}},
       .code = records({.purge =
                            [](Records& right, OfKey asked) {
                              return record_of(right, asked.at, asked.key, Kind::buffer) ==
                                         nullptr &&
                                     right.purge(asked.at, asked.key);
                            }}),
       .settles = "what PURGE removes"},
      {.id = "purge.all",
       .breaks = "PURGE removes every record",
       .violates = {{"throttr-7.1", {"purge.removes"}}},
       .code = records({.purge =
                            [](Records& right, OfKey asked) {
                              if (!right.purge(asked.at, asked.key)) return false;
                              for (const std::string& key : keys_of(right, asked.at))
                                right.purge(asked.at, key);
                              return true;
                            }}),
       .settles = "what PURGE removes"},
      {.id = "set.keeps-tail",
       .breaks = "a shorter value leaves the end of the longer one that it replaces",
       .violates = {{"throttr-7.1", {"silence.set-existing"}}},
       .code = records({.set =
                            [](Records& right, Set asked) {
                              std::string value(asked.value);
                              const std::string before = value_before(right, asked);
                              if (before.size() > value.size())
                                value += before.substr(value.size());
                              asked.value = value;
                              return asked.of(right);
                            }}),
       .settles = "what SET leaves of an earlier value"},
      {.id = "set.first-value-stays",
       .breaks = "SET of a key that exists succeeds and keeps its value",
       .violates = {{"throttr-7.1", {"silence.set-existing"}}},
       .code = records({.set =
                            [](Records& right, Set asked) {
                              const std::string before = value_before(right, asked);
                              if (!before.empty()) asked.value = before;
                              return asked.of(right);
                            }}),
       .settles = "what SET leaves of an earlier value"},
      {.id = "set.keeps-ttl",
       .breaks = "SET of a key that exists keeps its TTL",
       .violates = {{"throttr-7.1", {"silence.set-existing"}}},
       .code = records({.set =
                            [](Records& right, Set asked) {
                              const StoredRecord* const before =
                                  record_of(right, asked.at, asked.key, Kind::buffer);
                              if (before == nullptr) return asked.of(right);
                              const auto [end, unit] = std::pair(before->expires_at, before->unit);
                              if (!asked.of(right)) return false;
                              StoredRecord* const record = right.find(asked.at, asked.key);
                              if (record == nullptr) return true;
                              right.reschedule(*record, end);
                              record->unit = unit;
                              return true;
                            }})},
      {.id = "get.reads-counters",
       .breaks = "GET finds counters, as empty values",
       .violates = {{"throttr-7.1", {"get.buffers"}}},
       .code = records({.get = [](Records& right, OfKey asked) -> std::optional<model::BufferView> {
         if (record_of(right, asked.at, asked.key, Kind::counter) == nullptr)
           return right.get(asked.at, asked.key);
         const auto counter = right.query(asked.at, asked.key);
         return model::BufferView{"", counter->unit, counter->ttl};
       }})},
  };
}

}  // namespace hallmark::faults
