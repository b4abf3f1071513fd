#pragma once

#include <functional>
#include <memory>

#include "reference/faults/bug.hpp"
#include "reference/model/records/records.hpp"

namespace hallmark::faults {

using model::Kind;
using model::Moment;
using StoredRecord = model::Record;
using model::Records;
using model::Time;
using model::TtlUnit;
using protocol::Attribute;
using protocol::Change;

inline constexpr Time a_second = 1'000'000'000;

/// Operations on records, with what they were asked. `of` has them done.
struct OfKey {
  const Moment& at;
  std::string_view key;
};

struct Insert {
  const Moment& at;
  std::string_view key;
  std::uint64_t quota;
  TtlUnit unit;
  std::uint64_t ttl;
  bool of(Records& records) const { return records.insert(at, key, quota, unit, ttl); }
};

struct Update {
  const Moment& at;
  std::string_view key;
  Attribute attribute;
  Change change;
  std::uint64_t value;
  bool of(Records& records) const { return records.update(at, key, attribute, change, value); }
};

struct Set {
  const Moment& at;
  std::string_view key;
  std::string_view value;
  TtlUnit unit;
  std::uint64_t ttl;
  bool of(Records& records) const { return records.set(at, key, value, unit, ttl); }
};

/// One bug: functions that take the place of operations and may ask the right ones. Those that are
/// not set stay right.
struct RecordsFault {
  /// The moment at which everything happens.
  std::function<Moment(Moment at)> moment = {};
  std::function<bool(Records& right, Insert asked)> insert = {};
  std::function<std::optional<model::CounterView>(Records& right, OfKey asked)> query = {};
  std::function<bool(Records& right, Update asked)> update = {};
  std::function<bool(Records& right, OfKey asked)> purge = {};
  std::function<bool(Records& right, Set asked)> set = {};
  std::function<std::optional<model::BufferView>(Records& right, OfKey asked)> get = {};
};

/// Records with that fault around `right`, which outlives them.
std::unique_ptr<Records> faulty(Records& right, RecordsFault fault);

Code records(RecordsFault fault);

/// The record of that key, if it is of that kind.
inline StoredRecord* record_of(Records& records, const Moment& at, std::string_view key,
                               Kind kind) {
  StoredRecord* const found = records.find(at, key);
  return found != nullptr && found->kind == kind ? found : nullptr;
}

}  // namespace hallmark::faults
