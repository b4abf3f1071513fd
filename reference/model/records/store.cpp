#include "reference/model/records/store.hpp"

namespace hallmark::model {

namespace {

/// Expired records an operation removes on the side. More than one, so that the backlog of a mass
/// expiry shrinks even while every operation inserts.
constexpr std::size_t reclaimed_per_operation = 2;

/// The time point of a record that never expires: later than any that a TTL can reach.
constexpr Time never = static_cast<Time>(1) << 126;

constexpr std::uint64_t maximum_of(unsigned bytes) {
  return std::numeric_limits<std::uint64_t>::max() >> (64 - 8 * bytes);
}

}  // namespace

Store::Store(const StoreOptions& options)
    : options_(options),
      max_value_(maximum_of(options.value_bytes)),
      limit_(max_value_ - (options.behaviour.maximum_values_invalid ? 1 : 0)),
      notes_origins_(options.behaviour.needs_origins()) {}

bool Store::insert(const Moment& at, std::string_view key, std::uint64_t quota, TtlUnit unit,
                   std::uint64_t ttl) {
  const std::uint64_t hash = RecordTable::hash_of(key);
  const Slot slot = slot_of(at, key, hash);
  if (!is_known(unit) || !allows(quota) || !allows(ttl) || !allows_length(key.size())) return false;
  if (slot == RecordTable::none ? is_full() : !may_replace(slot, Kind::counter)) return false;
  const auto expires_at = end_of(at.now, unit, ttl);
  if (!expires_at) return false;
  if (*expires_at <= at.now) {
    if (slot != RecordTable::none) erase(slot);
    return true;
  }
  Record& record = place(key, hash, slot, Kind::counter);
  record.quota = quota;
  renew(at, record, unit, ttl, *expires_at);
  return true;
}

std::optional<CounterView> Store::query(const Moment& at, std::string_view key) {
  const Slot slot = slot_of(at, key);
  if (slot == RecordTable::none) return std::nullopt;
  Record& record = table_[slot];
  if (record.kind != Kind::counter) return std::nullopt;
  record.reads.add(1, at.minute);
  return CounterView{record.quota, record.unit, shown_ttl(record, at.now)};
}

bool Store::update(const Moment& at, std::string_view key, Attribute attribute, Change change,
                   std::uint64_t value) {
  const Slot slot = slot_of(at, key);
  if (slot == RecordTable::none) return false;
  if (attribute == Attribute::ttl) return update_ttl(at, slot, change, value);
  Record& record = table_[slot];
  if (attribute != Attribute::quota || !update_quota(record, change, value)) return false;
  record.writes.add(1, at.minute);
  return true;
}

bool Store::purge(const Moment& at, std::string_view key) {
  const Slot slot = slot_of(at, key);
  if (slot == RecordTable::none) return options_.behaviour.purge_missing_accepted;
  erase(slot);
  return true;
}

bool Store::set(const Moment& at, std::string_view key, std::string_view value, TtlUnit unit,
                std::uint64_t ttl) {
  const std::uint64_t hash = RecordTable::hash_of(key);
  const Slot slot = slot_of(at, key, hash);
  if (!is_known(unit) || value.size() > options_.max_value_bytes) return false;
  if (!allows(value.size()) || !allows(ttl)) return false;
  if (!allows_length(key.size()) || !allows_length(value.size())) return false;
  if (!has_room(at, value.size(), slot == RecordTable::none ? 0 : table_[slot].value.size())) {
    return false;
  }
  if (slot == RecordTable::none ? is_full() : !may_replace(slot, Kind::buffer)) return false;
  const auto expires_at = end_of(at.now, unit, ttl);
  if (!expires_at) return false;
  if (*expires_at <= at.now) {
    if (slot != RecordTable::none) erase(slot);
    return true;
  }
  Record& record = place(key, hash, slot, Kind::buffer);
  buffer_bytes_ += value.size() - record.value.size();
  record.value.assign(value);
  renew(at, record, unit, ttl, *expires_at);
  return true;
}

std::optional<BufferView> Store::get(const Moment& at, std::string_view key) {
  const Slot slot = slot_of(at, key);
  if (slot == RecordTable::none) return std::nullopt;
  Record& record = table_[slot];
  if (record.kind != Kind::buffer) return std::nullopt;
  record.reads.add(1, at.minute);
  return BufferView{record.value, record.unit, shown_ttl(record, at.now)};
}

std::optional<KeyMetrics> Store::stat(const Moment& at, std::string_view key) {
  const Slot slot = slot_of(at, key);
  if (slot == RecordTable::none) return std::nullopt;
  return view_of(table_[slot], at.minute).metrics;
}

StoreTotals Store::totals(const Moment& at) {
  reclaim(at, std::numeric_limits<std::size_t>::max());
  const std::uint64_t counters = table_.size() - buffers_;
  return {counters, buffers_, counters * options_.value_bytes, buffer_bytes_};
}

void Store::for_each(const Moment& at, const std::function<void(const EntryView&)>& visit) {
  reclaim(at, std::numeric_limits<std::size_t>::max());
  table_.for_each([&](const Record& record) { visit(view_of(record, at.minute)); });
}

Record* Store::find(const Moment& at, std::string_view key) {
  const Slot slot = slot_of(at, key);
  return slot == RecordTable::none ? nullptr : &table_[slot];
}

void Store::reschedule(Record& record, Time expires_at) {
  expiry_.reschedule(record.slot, expires_at);
  record.expires_at = expires_at;
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

std::uint64_t Store::shown_ttl(const Record& record, Time now) const {
  if (record.expires_at >= never) return 0;
  const Time left = record.expires_at > now ? record.expires_at - now : 0;
  switch (options_.behaviour.ttl_left) {
    case ShownTtl::left_rounded_down: break;
    case ShownTtl::left_rounded_up:
      return whole_units(left + span_of(record.unit, 1) - 1, record.unit);
    case ShownTtl::as_set: return record.origin->shown_ttl;
  }
  return whole_units(left, record.unit);
}

Store::Slot Store::slot_of(const Moment& at, std::string_view key) {
  return slot_of(at, key, RecordTable::hash_of(key));
}

Store::Slot Store::slot_of(const Moment& at, std::string_view key, std::uint64_t hash) {
  reclaim(at, reclaimed_per_operation);
  const Slot slot = table_.find(key, hash);
  if (slot == RecordTable::none || table_[slot].expires_at > at.swept()) return slot;
  if (options_.behaviour.expiry_restored) {
    restore(table_[slot], at.now);
    return slot;
  }
  erase(slot);
  return RecordTable::none;
}

// A name or value of length 0 is one where the reading says so.
bool Store::allows_length(std::size_t length) const {
  return length != 0 || !options_.behaviour.empty_names_refused;
}

bool Store::may_replace(Slot slot, Kind kind) const {
  const Behaviour& behaviour = options_.behaviour;
  const bool same = table_[slot].kind == kind;
  const WhenExisting answer = !same                   ? behaviour.kind_mismatch
                              : kind == Kind::counter ? behaviour.insert_existing
                                                      : behaviour.set_existing;
  return answer == WhenExisting::replaced;
}

/// When a TTL that starts at `from` ends; nothing when it is refused.
std::optional<Time> Store::end_of(Time from, TtlUnit unit, std::uint64_t ttl) const {
  if (ttl != 0) return from + span_of(unit, ttl);
  switch (options_.behaviour.ttl_zero) {
    case ZeroTtl::expired: return from;
    case ZeroTtl::refused: return std::nullopt;
    case ZeroTtl::forever: return never;
  }
  return from;
}

/// The record of `key`, which is in `slot` or nowhere, as one of that kind.
Record& Store::place(std::string_view key, std::uint64_t hash, Slot slot, Kind kind) {
  if (slot != RecordTable::none && table_[slot].kind != kind) {
    erase(slot);
    slot = RecordTable::none;
  }
  if (slot == RecordTable::none) {
    slot = table_.add(key, hash);
    table_[slot].kind = kind;
    if (kind == Kind::buffer) ++buffers_;
  }
  return table_[slot];
}

/// Starts a record's life, again or for the first time.
void Store::renew(const Moment& at, Record& record, TtlUnit unit, std::uint64_t ttl,
                  Time expires_at) {
  record.unit = unit;
  if (notes_origins_) {
    record.origin = std::make_unique<Origin>(Origin{at.now, record.quota, ttl, ttl});
  }
  move_to(at, record, expires_at);
}

void Store::move_to(const Moment& at, Record& record, Time expires_at) {
  record.writes.add(1, at.minute);
  if (record.expires_at == 0) {
    expiry_.push(record.slot, expires_at);
  } else {
    expiry_.reschedule(record.slot, expires_at);
  }
  record.expires_at = expires_at;
}

// The document lets DECREASE fail below 0; INCREASE past the maximum is its mirror image.
bool Store::update_quota(Record& record, Change change, std::uint64_t value) const {
  if (record.kind != Kind::counter || value > max_value_) return false;
  const bool upward = change == Change::increase;
  switch (change) {
    case Change::patch:
      if (!allows(value)) return false;
      record.quota = value;
      return true;
    case Change::increase:
      if (value > limit_ - record.quota) break;
      record.quota += value;
      return true;
    case Change::decrease:
      if (value > record.quota) break;
      record.quota -= value;
      return true;
    default: return false;
  }
  const OutOfRange answer =
      upward ? options_.behaviour.increase_overflow : options_.behaviour.decrease_below_zero;
  if (answer == OutOfRange::refused) return false;
  const std::uint64_t wrapped = (upward ? record.quota + value : record.quota - value) & max_value_;
  // A maximum that is not valid cannot be reached by wrapping either.
  if (answer == OutOfRange::wrapped && !allows(wrapped)) return false;
  const std::uint64_t saturated = upward ? limit_ : 0;
  record.quota = answer == OutOfRange::wrapped ? wrapped : saturated;
  return true;
}

bool Store::update_ttl(const Moment& at, Slot slot, Change change, std::uint64_t value) {
  Record& record = table_[slot];
  auto expires_at = moved(at, record, change, value);
  if (!expires_at) return false;
  const bool beyond =
      *expires_at < never &&
      *expires_at - at.now >= span_of(record.unit, max_value_) + span_of(record.unit, 1);
  if (beyond && !options_.behaviour.ttl_beyond_saturated) return false;
  if (beyond) expires_at = at.now + span_of(record.unit, max_value_);
  if (*expires_at <= at.now) {
    if (change == Change::decrease && options_.behaviour.ttl_past_now_refused) return false;
    erase(slot);
    return true;
  }
  note_ttl(record, change, value);
  move_to(at, record, *expires_at);
  return true;
}

/// The time point that a change of the TTL gives; nothing when it is refused.
std::optional<Time> Store::moved(const Moment& at, const Record& record, Change change,
                                 std::uint64_t value) const {
  if (change != Change::patch && change != Change::increase && change != Change::decrease) {
    return std::nullopt;
  }
  if (change == Change::patch) {
    if (!allows(value)) return std::nullopt;
    const bool from_creation = options_.behaviour.ttl_update_from_creation;
    return end_of(from_creation ? record.origin->created_at : at.now, record.unit, value);
  }
  if (record.expires_at >= never) return record.expires_at;
  const Time span = span_of(record.unit, value);
  return change == Change::increase ? record.expires_at + span : record.expires_at - span;
}

void Store::note_ttl(Record& record, Change change, std::uint64_t value) const {
  if (record.origin == nullptr) return;
  std::uint64_t& ttl = record.origin->shown_ttl;
  switch (change) {
    case Change::patch: ttl = value; break;
    case Change::increase: ttl = value > max_value_ - ttl ? max_value_ : ttl + value; break;
    case Change::decrease: ttl = value > ttl ? 0 : ttl - value; break;
  }
}

/// An expired pair begins again where its last period ended.
void Store::restore(Record& record, Time now) {
  const Time period = span_of(record.unit, record.origin->ttl);
  const Time periods = (now - record.expires_at) / period + 1;
  record.expires_at += periods * period;
  record.quota = record.origin->quota;
  expiry_.reschedule(record.slot, record.expires_at);
}

// Buffers that have expired take no room: when there seems to be none, they go first.
bool Store::has_room(const Moment& at, std::uint64_t more_bytes, std::uint64_t fewer_bytes) {
  const auto fits = [&] {
    return buffer_bytes_ - fewer_bytes + more_bytes <= options_.max_buffer_bytes;
  };
  if (!fits()) reclaim(at, std::numeric_limits<std::size_t>::max());
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

void Store::reclaim(const Moment& at, std::size_t at_most) {
  if (options_.behaviour.expiry_restored) return;
  for (; at_most > 0 && !expiry_.empty() && expiry_.earliest() <= at.swept(); --at_most) {
    erase(expiry_.earliest_slot());
  }
}

}  // namespace hallmark::model
