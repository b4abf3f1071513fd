// The store against a naive oracle: a map that is scanned for expired records at every step.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "reference/model/records/store.hpp"

namespace hallmark::model {
namespace {

struct NaiveRecord {
  Kind kind = Kind::counter;
  TtlUnit unit = TtlUnit::seconds;
  Time expires_at = 0;
  std::uint64_t quota = 0;
  std::string value;
};

class NaiveStore {
 public:
  explicit NaiveStore(std::uint64_t maximum, std::size_t max_keys)
      : maximum_(maximum), max_keys_(max_keys) {}

  void expire(Time now) {
    std::erase_if(records, [now](const auto& entry) { return entry.second.expires_at <= now; });
  }

  bool insert(Time now, const std::string& key, const NaiveRecord& record, std::uint64_t ttl) {
    const auto found = records.find(key);
    const bool replaces =
        found != records.end() && record.kind == Kind::buffer && found->second.kind == Kind::buffer;
    if (found != records.end() && !replaces) return false;
    if (!replaces && records.size() >= max_keys_) return false;
    records[key] = record;
    records[key].expires_at = now + static_cast<Time>(ttl) * unit_of(record.unit);
    return true;
  }

  bool update(Time now, const std::string& key, Attribute attribute, Change change,
              std::uint64_t value) {
    const auto found = records.find(key);
    if (found == records.end()) return false;
    return attribute == Attribute::ttl ? update_ttl(now, found->second, change, value)
                                       : update_quota(found->second, change, value);
  }

  std::uint64_t ttl_left(Time now, const NaiveRecord& record) const {
    return static_cast<std::uint64_t>((record.expires_at - now) / unit_of(record.unit));
  }

  std::map<std::string, NaiveRecord> records;

 private:
  static Time unit_of(TtlUnit unit) {
    const std::array<Time, 6> lengths{
        1, 1'000, 1'000'000, 1'000'000'000, 60'000'000'000, 3'600'000'000'000};
    return lengths.at(static_cast<std::size_t>(unit) - 1);
  }

  bool update_quota(NaiveRecord& record, Change change, std::uint64_t value) const {
    if (record.kind == Kind::buffer) return false;
    Time quota = static_cast<Time>(value);
    if (change == Change::increase) quota += static_cast<Time>(record.quota);
    if (change == Change::decrease) quota = static_cast<Time>(record.quota) - quota;
    if (quota < 0 || quota > static_cast<Time>(maximum_)) return false;
    record.quota = static_cast<std::uint64_t>(quota);
    return true;
  }

  bool update_ttl(Time now, NaiveRecord& record, Change change, std::uint64_t value) const {
    const Time span = static_cast<Time>(value) * unit_of(record.unit);
    Time expires_at = now + span;
    if (change == Change::increase) expires_at = record.expires_at + span;
    if (change == Change::decrease) expires_at = record.expires_at - span;
    if ((expires_at - now) / unit_of(record.unit) > static_cast<Time>(maximum_)) return false;
    record.expires_at = expires_at;
    return true;
  }

  std::uint64_t maximum_;
  std::size_t max_keys_;
};

class StoreProperty : public testing::TestWithParam<unsigned> {
 protected:
  static constexpr std::size_t max_keys = 40;

  StoreProperty()
      : store_(StoreOptions{.value_bytes = GetParam(), .max_keys = max_keys}),
        oracle_(store_.max_value(), max_keys),
        random_(GetParam()) {}

  void step() {
    if (below(4) == 0)
      now_ += static_cast<Time>(below(3) == 0 ? below(5'000'000'000) : below(2'000));
    oracle_.expire(now_);
    key_ = "key" + std::to_string(below(60));
    switch (below(8)) {
      case 0: insert(); break;
      case 1: set(); break;
      case 2: query(); break;
      case 3: get(); break;
      case 4: EXPECT_EQ(store_.purge(at(), key_), oracle_.records.erase(key_) == 1); break;
      case 5: compare_all(); break;
      default: update(); break;
    }
    oracle_.expire(now_);
  }

  void insert() {
    NaiveRecord record{Kind::counter, unit(), 0, value(), ""};
    const std::uint64_t ttl = value();
    EXPECT_EQ(store_.insert(at(), key_, record.quota, record.unit, ttl),
              oracle_.insert(now_, key_, record, ttl));
  }

  void set() {
    NaiveRecord record{Kind::buffer, unit(), 0, 0, std::string(below(40), 'v')};
    const std::uint64_t ttl = value();
    EXPECT_EQ(store_.set(at(), key_, record.value, record.unit, ttl),
              oracle_.insert(now_, key_, record, ttl));
  }

  void query() {
    const auto view = store_.query(at(), key_);
    const auto found = oracle_.records.find(key_);
    const bool expected = found != oracle_.records.end() && found->second.kind == Kind::counter;
    ASSERT_EQ(view.has_value(), expected);
    if (!expected) return;
    EXPECT_EQ(view->quota, found->second.quota);
    EXPECT_EQ(view->ttl, oracle_.ttl_left(now_, found->second));
  }

  void get() {
    const auto view = store_.get(at(), key_);
    const auto found = oracle_.records.find(key_);
    const bool expected = found != oracle_.records.end() && found->second.kind == Kind::buffer;
    ASSERT_EQ(view.has_value(), expected);
    if (!expected) return;
    EXPECT_EQ(view->value, found->second.value);
    EXPECT_EQ(view->ttl, oracle_.ttl_left(now_, found->second));
  }

  void update() {
    const auto attribute = static_cast<Attribute>(below(2));
    const auto change = static_cast<Change>(below(3));
    const std::uint64_t amount = value();
    EXPECT_EQ(store_.update(at(), key_, attribute, change, amount),
              oracle_.update(now_, key_, attribute, change, amount));
  }

  void compare_all() {
    std::map<std::string, std::uint64_t> listed;
    std::uint64_t bytes = 0;
    store_.for_each(at(), [&](const EntryView& entry) {
      listed.emplace(entry.key, entry.time_point);
      if (entry.kind == Kind::buffer) bytes += entry.bytes_used;
    });
    std::map<std::string, std::uint64_t> expected;
    for (const auto& [key, record] : oracle_.records)
      expected.emplace(key, to_wire(record.expires_at));
    EXPECT_EQ(listed, expected);
    EXPECT_EQ(store_.totals(at()).buffer_bytes, bytes);
    EXPECT_EQ(store_.totals(at()).counters + store_.totals(at()).buffers, expected.size());
  }

  Moment at() const { return {now_, 0}; }
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  TtlUnit unit() { return static_cast<TtlUnit>(1 + below(6)); }

  // Small, near the maximum, and anything between.
  std::uint64_t value() {
    switch (below(3)) {
      case 0: return below(20);
      case 1: return store_.max_value() - below(20);
      default: return random_() & store_.max_value();
    }
  }

  Store store_;
  NaiveStore oracle_;
  std::mt19937_64 random_;
  Time now_ = 1'000'000'000;
  std::string key_;
};

TEST_P(StoreProperty, AgreesWithTheOracle) {
  for (int i = 0; i < 60'000 && !HasFailure(); ++i) {
    SCOPED_TRACE("step " + std::to_string(i) + " on " + key_);
    step();
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, StoreProperty, testing::Values(1U, 2U, 4U, 8U),
                         [](const auto& row) { return "u" + std::to_string(8 * row.param); });

}  // namespace
}  // namespace hallmark::model
