#include "reference/model/store.hpp"

#include "reference/mutants/mutant.hpp"

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

using mutants::on;
using mutants::operator""_mutant;

constexpr Time a_second = 1'000'000'000;

/// Records whose time point is not later are gone.
Time swept(const Moment& at) {
  if (on("expiry.second-late"_mutant)) return at.swept() - a_second;
  if (on("expiry.second-early"_mutant)) return at.swept() + a_second;
  return at.swept();
}

/// The unit in which a TTL is measured.
TtlUnit measured_in(TtlUnit unit) {
  if (on("ttl.in-seconds"_mutant)) return TtlUnit::seconds;
  if (on("ttl.minutes-as-seconds"_mutant) && unit == TtlUnit::minutes) return TtlUnit::seconds;
  if (on("ttl.hours-as-minutes"_mutant) && unit == TtlUnit::hours) return TtlUnit::minutes;
  if (on("ttl.microseconds-as-milliseconds"_mutant) && unit == TtlUnit::microseconds)
    return TtlUnit::milliseconds;
  return unit;
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
  const Slot slot = find(at, key, hash);
  if (!is_known(unit) || !allows(quota) || !allows(ttl) || !allows_length(key.size())) return false;
  if (slot == RecordTable::none ? is_full() : !may_replace(slot, Kind::counter)) return false;
  const auto expires_at = end_of(at.now, unit, ttl);
  if (!expires_at) return false;
  if (*expires_at <= at.now) {
    if (slot != RecordTable::none) erase(slot);
    return true;
  }
  Record& record = place(key, hash, slot, Kind::counter);
  record.quota = on("insert.quota-off-by-one"_mutant) ? quota ^ 1 : quota;
  renew(at, record, unit, ttl, *expires_at);
  return true;
}

std::optional<CounterView> Store::query(const Moment& at, std::string_view key) {
  const Slot slot = find(at, key);
  if (slot == RecordTable::none) return std::nullopt;
  Record& record = table_[slot];
  if (record.kind != Kind::counter && !on("query.reads-buffers"_mutant)) return std::nullopt;
  if (on("query.consumes"_mutant) && record.quota != 0) --record.quota;
  if (on("query.prolongs"_mutant)) move_to(at, record, record.expires_at + a_second);
  record.reads.add(1, at.minute);
  return CounterView{record.quota, record.unit, shown_ttl(record, at.now)};
}

bool Store::update(const Moment& at, std::string_view key, Attribute attribute, Change change,
                   std::uint64_t value) {
  const Slot slot = find(at, key);
  if (slot == RecordTable::none) return on("update.missing-succeeds"_mutant);
  if (attribute == Attribute::ttl) return update_ttl(at, slot, change, value);
  Record& record = table_[slot];
  if (on("update.prolongs"_mutant)) move_to(at, record, record.expires_at + a_second);
  if (attribute != Attribute::quota || !update_quota(record, change, value)) return false;
  record.writes.add(1, at.minute);
  return true;
}

bool Store::purge(const Moment& at, std::string_view key) {
  const Slot slot = find(at, key);
  if (slot == RecordTable::none) return options_.behaviour.purge_missing_accepted;
  if (on("purge.keeps"_mutant)) return true;
  if (on("purge.counters-only"_mutant) && table_[slot].kind == Kind::buffer) return false;
  if (on("purge.all"_mutant)) {
    while (!expiry_.empty()) erase(expiry_.earliest_slot());
    return true;
  }
  erase(slot);
  return true;
}

bool Store::set(const Moment& at, std::string_view key, std::string_view value, TtlUnit unit,
                std::uint64_t ttl) {
  const std::uint64_t hash = RecordTable::hash_of(key);
  const Slot slot = find(at, key, hash);
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
  // Only a mutant asks for what was there.
  const std::string earlier = mutants::any() ? record.value : std::string();
  buffer_bytes_ += value.size() - record.value.size();
  record.value.assign(value);
  if (on("set.keeps-tail"_mutant) && earlier.size() > value.size())
    record.value += earlier.substr(value.size());
  if (on("set.first-value-stays"_mutant) && !earlier.empty()) record.value = earlier;
  if (on("set.keeps-ttl"_mutant) && record.expires_at != 0) return true;
  renew(at, record, unit, ttl, *expires_at);
  return true;
}

std::optional<BufferView> Store::get(const Moment& at, std::string_view key) {
  const Slot slot = find(at, key);
  if (slot == RecordTable::none) return std::nullopt;
  Record& record = table_[slot];
  if (record.kind != Kind::buffer && !on("get.reads-counters"_mutant)) return std::nullopt;
  record.reads.add(1, at.minute);
  return BufferView{record.value, record.unit, shown_ttl(record, at.now)};
}

std::optional<KeyMetrics> Store::stat(const Moment& at, std::string_view key) {
  const Slot slot = find(at, key);
  if (slot == RecordTable::none) return std::nullopt;
  return view_of(table_[slot], at.minute).metrics;
}

StoreTotals Store::totals(const Moment& at) {
  reclaim(at, std::numeric_limits<std::size_t>::max());
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

std::uint64_t Store::shown_ttl(const Record& record, Time now) const {
  if (record.expires_at >= never) return 0;
  const Time left = record.expires_at > now ? record.expires_at - now : 0;
  if (on("ttl.shown-in-milliseconds"_mutant)) return whole_units(left, TtlUnit::milliseconds);
  if (on("ttl.shown-rounded-up"_mutant)) return whole_units(left, record.unit) + 1;
  switch (options_.behaviour.ttl_left) {
    case ShownTtl::left_rounded_down: break;
    case ShownTtl::left_rounded_up:
      return whole_units(left + span_of(record.unit, 1) - 1, record.unit);
    case ShownTtl::as_set: return record.origin->shown_ttl;
  }
  return whole_units(left, record.unit);
}

Store::Slot Store::find(const Moment& at, std::string_view key) {
  return find(at, key, RecordTable::hash_of(key));
}

Store::Slot Store::find(const Moment& at, std::string_view key, std::uint64_t hash) {
  reclaim(at, reclaimed_per_operation);
  const Slot slot = table_.find(key, hash);
  if (slot == RecordTable::none || table_[slot].expires_at > swept(at)) return slot;
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
  if (on("insert.overwrites"_mutant) && same && kind == Kind::counter) return true;
  if (on("kinds.replace-each-other"_mutant) && !same) return true;
  const WhenExisting answer = !same                   ? behaviour.kind_mismatch
                              : kind == Kind::counter ? behaviour.insert_existing
                                                      : behaviour.set_existing;
  return answer == WhenExisting::replaced;
}

/// When a TTL that starts at `from` ends; nothing when it is refused.
std::optional<Time> Store::end_of(Time from, TtlUnit unit, std::uint64_t ttl) const {
  if (on("expiry.never"_mutant)) return never;
  if (ttl != 0) return from + span_of(measured_in(unit), ttl);
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
    if (on("store.forgets-the-oldest"_mutant) && table_.size() >= 16)
      erase(expiry_.earliest_slot());
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
  } else if (!on("update.ttl-not-rescheduled"_mutant)) {
    expiry_.reschedule(record.slot, expires_at);
  }
  record.expires_at = expires_at;
}

// The document lets DECREASE fail below 0; INCREASE past the maximum is its mirror image.
bool Store::update_quota(Record& record, Change change, std::uint64_t value) const {
  if (record.kind != Kind::counter && on("update.buffers-quota-succeeds"_mutant)) return true;
  if (record.kind != Kind::counter || value > max_value_) return false;
  if (on("update.patch-adds"_mutant) && change == Change::patch) change = Change::increase;
  if (on("update.increase-replaces"_mutant) && change == Change::increase) change = Change::patch;
  if (on("update.decrease-increases"_mutant) && change == Change::decrease)
    change = Change::increase;
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
  if (on("update.refused-yet-written"_mutant)) record.quota = 0;
  if (on("update.out-of-range-wraps"_mutant)) {
    record.quota = (upward ? record.quota + value : record.quota - value) & max_value_;
    return true;
  }
  if (answer == OutOfRange::refused) return false;
  const std::uint64_t wrapped = (upward ? record.quota + value : record.quota - value) & max_value_;
  const std::uint64_t saturated = upward ? limit_ : 0;
  record.quota = answer == OutOfRange::wrapped ? wrapped : saturated;
  return true;
}

bool Store::update_ttl(const Moment& at, Slot slot, Change change, std::uint64_t value) {
  Record& record = table_[slot];
  if (on("update.ttl-ignored"_mutant)) return true;
  if (on("update.ttl-of-counters-only"_mutant) && record.kind == Kind::buffer) return false;
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
  const Time span =
      span_of(on("update.ttl-in-seconds"_mutant) ? TtlUnit::seconds : record.unit, value);
  if (on("update.ttl-increase-from-now"_mutant) && change == Change::increase) return at.now + span;
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
  for (; at_most > 0 && !expiry_.empty() && expiry_.earliest() <= swept(at); --at_most) {
    erase(expiry_.earliest_slot());
  }
}

}  // namespace hallmark::model
