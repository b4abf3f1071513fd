#include "reference/model/store.hpp"

namespace hallmark::model {

namespace {

/// Expired records an operation removes on the side. More than one, so that the backlog of a mass
/// expiry shrinks even while every operation inserts.
constexpr std::size_t reclaimed_per_operation = 2;

constexpr std::uint64_t maximum_of(unsigned bytes) {
  return std::numeric_limits<std::uint64_t>::max() >> (64 - 8 * bytes);
}

}  // namespace

Store::Store(const StoreOptions& options)
    : options_(options), max_value_(maximum_of(options.value_bytes)) {}

bool Store::insert(const Moment& at, std::string_view key, std::uint64_t quota, TtlUnit unit,
                   std::uint64_t ttl) {
  const std::uint64_t hash = RecordTable::hash_of(key);
  if (find(at, key, hash) != RecordTable::none || !is_known(unit) || is_full()) return false;
  if (quota > max_value_ || ttl > max_value_) return false;
  if (ttl == 0) return true;
  add(at, key, hash, Kind::counter, unit, at.now + span_of(unit, ttl)).quota = quota;
  return true;
}

std::optional<CounterView> Store::query(const Moment& at, std::string_view key) {
  const Slot slot = find(at, key);
  if (slot == RecordTable::none) return std::nullopt;
  Record& record = table_[slot];
  if (record.kind != Kind::counter) return std::nullopt;
  record.reads.add(1, at.minute);
  return CounterView{record.quota, record.unit, ttl_left(record, at.now)};
}

bool Store::update(const Moment& at, std::string_view key, Attribute attribute, Change change,
                   std::uint64_t value) {
  const Slot slot = find(at, key);
  if (slot == RecordTable::none) return false;
  if (attribute == Attribute::ttl) return update_ttl(at, slot, change, value);
  Record& record = table_[slot];
  if (attribute != Attribute::quota || !update_quota(record, change, value)) return false;
  record.writes.add(1, at.minute);
  return true;
}

bool Store::purge(const Moment& at, std::string_view key) {
  const Slot slot = find(at, key);
  if (slot == RecordTable::none) return false;
  erase(slot);
  return true;
}

bool Store::set(const Moment& at, std::string_view key, std::string_view value, TtlUnit unit,
                std::uint64_t ttl) {
  const std::uint64_t hash = RecordTable::hash_of(key);
  const Slot slot = find(at, key, hash);
  if (!is_known(unit) || value.size() > options_.max_value_bytes) return false;
  if (value.size() > max_value_ || ttl > max_value_) return false;
  const Time expires_at = at.now + span_of(unit, ttl);
  if (!has_room(at.now, value.size(), slot == RecordTable::none ? 0 : table_[slot].value.size())) {
    return false;
  }
  if (slot != RecordTable::none) return replace(at, slot, value, unit, expires_at);
  if (is_full()) return false;
  if (ttl == 0) return true;
  add(at, key, hash, Kind::buffer, unit, expires_at).value.assign(value);
  ++buffers_;
  buffer_bytes_ += value.size();
  return true;
}

std::optional<BufferView> Store::get(const Moment& at, std::string_view key) {
  const Slot slot = find(at, key);
  if (slot == RecordTable::none) return std::nullopt;
  Record& record = table_[slot];
  if (record.kind != Kind::buffer) return std::nullopt;
  record.reads.add(1, at.minute);
  return BufferView{record.value, record.unit, ttl_left(record, at.now)};
}

std::optional<KeyMetrics> Store::stat(const Moment& at, std::string_view key) {
  const Slot slot = find(at, key);
  if (slot == RecordTable::none) return std::nullopt;
  return view_of(table_[slot], at.minute).metrics;
}

StoreTotals Store::totals(const Moment& at) {
  reclaim(at.now, std::numeric_limits<std::size_t>::max());
  const std::uint64_t counters = table_.size() - buffers_;
  return {counters, buffers_, counters * options_.value_bytes, buffer_bytes_};
}

EntryView Store::view_of(const Record& record, std::uint64_t minute) const {
  const bool is_counter = record.kind == Kind::counter;
  return {record.key,
          record.kind,
          record.unit,
          to_wire(record.expires_at),
          is_counter ? options_.value_bytes : record.value.size(),
          {record.reads.per_minute(minute), record.writes.per_minute(minute),
           record.reads.settled(minute), record.writes.settled(minute)}};
}

std::uint64_t Store::ttl_left(const Record& record, Time now) const {
  return whole_units(record.expires_at - now, record.unit);
}

Store::Slot Store::find(const Moment& at, std::string_view key) {
  return find(at, key, RecordTable::hash_of(key));
}

Store::Slot Store::find(const Moment& at, std::string_view key, std::uint64_t hash) {
  reclaim(at.now, reclaimed_per_operation);
  const Slot slot = table_.find(key, hash);
  if (slot == RecordTable::none || table_[slot].expires_at > at.now) return slot;
  erase(slot);
  return RecordTable::none;
}

Record& Store::add(const Moment& at, std::string_view key, std::uint64_t hash, Kind kind,
                   TtlUnit unit, Time expires_at) {
  const Slot slot = table_.add(key, hash);
  expiry_.push(slot, expires_at);
  Record& record = table_[slot];
  record.kind = kind;
  record.unit = unit;
  record.expires_at = expires_at;
  record.writes.add(1, at.minute);
  return record;
}

// The document lets DECREASE fail below 0; INCREASE past the maximum is its mirror image.
bool Store::update_quota(Record& record, Change change, std::uint64_t value) const {
  if (record.kind != Kind::counter || value > max_value_) return false;
  switch (change) {
    case Change::patch: record.quota = value; return true;
    case Change::increase:
      if (value > max_value_ - record.quota) return false;
      record.quota += value;
      return true;
    case Change::decrease:
      if (value > record.quota) return false;
      record.quota -= value;
      return true;
  }
  return false;
}

bool Store::update_ttl(const Moment& at, Slot slot, Change change, std::uint64_t value) {
  Record& record = table_[slot];
  const Time span = span_of(record.unit, value);
  Time expires_at = 0;
  switch (change) {
    case Change::patch: expires_at = at.now + span; break;
    case Change::increase: expires_at = record.expires_at + span; break;
    case Change::decrease: expires_at = record.expires_at - span; break;
    default: return false;
  }
  if (expires_at - at.now >= span_of(record.unit, max_value_) + span_of(record.unit, 1))
    return false;
  if (expires_at <= at.now) {
    erase(slot);
    return true;
  }
  record.expires_at = expires_at;
  record.writes.add(1, at.minute);
  expiry_.reschedule(slot, expires_at);
  return true;
}

bool Store::replace(const Moment& at, Slot slot, std::string_view value, TtlUnit unit,
                    Time expires_at) {
  Record& record = table_[slot];
  if (record.kind != Kind::buffer || options_.set_existing == SetExisting::fails) return false;
  if (expires_at <= at.now) {
    erase(slot);
    return true;
  }
  buffer_bytes_ += value.size() - record.value.size();
  record.value.assign(value);
  record.unit = unit;
  record.expires_at = expires_at;
  record.writes.add(1, at.minute);
  expiry_.reschedule(slot, expires_at);
  return true;
}

// Buffers that have expired take no room: when there seems to be none, they go first.
bool Store::has_room(Time now, std::uint64_t more_bytes, std::uint64_t fewer_bytes) {
  const auto fits = [&] {
    return buffer_bytes_ - fewer_bytes + more_bytes <= options_.max_buffer_bytes;
  };
  if (!fits()) reclaim(now, std::numeric_limits<std::size_t>::max());
  return fits();
}

void Store::erase(Slot slot) {
  const Record& record = table_[slot];
  if (record.kind == Kind::buffer) {
    --buffers_;
    buffer_bytes_ -= record.value.size();
  }
  expiry_.remove(slot);
  table_.erase(slot);
}

void Store::reclaim(Time now, std::size_t at_most) {
  for (; at_most > 0 && !expiry_.empty() && expiry_.earliest() <= now; --at_most) {
    erase(expiry_.earliest_slot());
  }
}

}  // namespace hallmark::model
