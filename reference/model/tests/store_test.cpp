#include "reference/model/records/store.hpp"

#include <gtest/gtest.h>

namespace hallmark::model {
namespace {

constexpr Moment start{1'000'000'000'000, 0};
constexpr std::uint64_t maximum = 65'535;

Moment after(Time nanoseconds, std::uint64_t minute = 0) {
  return {start.now + nanoseconds, minute};
}

class StoreTest : public testing::Test {
 protected:
  StoreTest() : store(StoreOptions{}) {
    EXPECT_TRUE(store.insert(start, "counter", 10, TtlUnit::seconds, 30));
    EXPECT_TRUE(store.set(start, "buffer", "EHLO", TtlUnit::seconds, 30));
  }

  std::uint64_t quota() { return store.query(start, "counter").value().quota; }

  Store store;
};

TEST_F(StoreTest, InsertOfAnExistingKeyFailsAndChangesNothing) {
  EXPECT_FALSE(store.insert(start, "counter", 99, TtlUnit::hours, 1));
  const auto view = store.query(start, "counter").value();
  EXPECT_EQ(view.quota, 10U);
  EXPECT_EQ(view.unit, TtlUnit::seconds);
  EXPECT_EQ(view.ttl, 30U);
}

TEST_F(StoreTest, KindsShareOneKeySpace) {
  EXPECT_FALSE(store.insert(start, "buffer", 1, TtlUnit::seconds, 1));
  EXPECT_FALSE(store.set(start, "counter", "x", TtlUnit::seconds, 1));
  EXPECT_EQ(store.get(start, "buffer").value().value, "EHLO");
  EXPECT_EQ(quota(), 10U);
}

TEST_F(StoreTest, QueryAndGetKeepToTheirKind) {
  EXPECT_FALSE(store.query(start, "buffer").has_value());
  EXPECT_FALSE(store.get(start, "counter").has_value());
  EXPECT_FALSE(store.query(start, "missing").has_value());
  EXPECT_FALSE(store.get(start, "missing").has_value());
}

TEST_F(StoreTest, SetReplacesABuffer) {
  EXPECT_TRUE(store.set(start, "buffer", "longer than before", TtlUnit::minutes, 2));
  const auto view = store.get(start, "buffer").value();
  EXPECT_EQ(view.value, "longer than before");
  EXPECT_EQ(view.unit, TtlUnit::minutes);
  EXPECT_EQ(view.ttl, 2U);
  EXPECT_EQ(store.totals(start).buffers, 1U);
  EXPECT_EQ(store.totals(start).buffer_bytes, 18U);
}

TEST_F(StoreTest, SetOfAnExistingBufferFailsWhenTheReadingSaysSo) {
  Store strict(StoreOptions{.behaviour = {.set_existing = WhenExisting::refused}});
  EXPECT_TRUE(strict.set(start, "b", "one", TtlUnit::seconds, 1));
  EXPECT_FALSE(strict.set(start, "b", "two", TtlUnit::seconds, 1));
  EXPECT_EQ(strict.get(start, "b").value().value, "one");
}

TEST_F(StoreTest, PurgeRemovesEitherKindOnce) {
  for (const char* key : {"counter", "buffer"}) {
    EXPECT_TRUE(store.purge(start, key)) << key;
    EXPECT_FALSE(store.purge(start, key)) << key;
  }
  EXPECT_FALSE(store.purge(start, "missing"));
  EXPECT_EQ(store.totals(start).buffer_bytes, 0U);
}

TEST_F(StoreTest, KeysAreBytes) {
  using namespace std::string_view_literals;
  const std::string longest(255, '\xff');
  for (const auto key : {""sv, "\0"sv, "\0\0"sv, std::string_view(longest)}) {
    EXPECT_TRUE(store.insert(start, key, key.size(), TtlUnit::seconds, 1)) << key.size();
    EXPECT_EQ(store.query(start, key).value().quota, key.size());
  }
}

struct QuotaCase {
  const char* name;
  Change change;
  std::uint64_t value;
  bool succeeds;
  std::uint64_t quota;
};

class UpdateQuota : public StoreTest, public testing::WithParamInterface<QuotaCase> {};

TEST_P(UpdateQuota, Gives) {
  EXPECT_EQ(store.update(start, "counter", Attribute::quota, GetParam().change, GetParam().value),
            GetParam().succeeds);
  EXPECT_EQ(quota(), GetParam().quota);
}

INSTANTIATE_TEST_SUITE_P(
    Table, UpdateQuota,
    testing::Values(
        QuotaCase{"patch", Change::patch, 7, true, 7},
        QuotaCase{"patch_to_zero", Change::patch, 0, true, 0},
        QuotaCase{"patch_to_the_maximum", Change::patch, maximum, true, maximum},
        QuotaCase{"increase", Change::increase, 5, true, 15},
        QuotaCase{"increase_by_zero", Change::increase, 0, true, 10},
        QuotaCase{"increase_to_the_maximum", Change::increase, maximum - 10, true, maximum},
        QuotaCase{"increase_past_the_maximum", Change::increase, maximum - 9, false, 10},
        QuotaCase{"decrease", Change::decrease, 4, true, 6},
        QuotaCase{"decrease_to_zero", Change::decrease, 10, true, 0},
        QuotaCase{"decrease_below_zero", Change::decrease, 11, false, 10},
        QuotaCase{"unknown_change", static_cast<Change>(3), 1, false, 10}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(StoreTest, UpdateRefusesWhatItCannotApply) {
  EXPECT_FALSE(store.update(start, "missing", Attribute::quota, Change::patch, 1));
  EXPECT_FALSE(store.update(start, "missing", Attribute::ttl, Change::patch, 1));
  EXPECT_FALSE(store.update(start, "buffer", Attribute::quota, Change::patch, 1));
  EXPECT_FALSE(store.update(start, "counter", static_cast<Attribute>(2), Change::patch, 1));
  EXPECT_FALSE(store.update(start, "counter", Attribute::ttl, static_cast<Change>(3), 1));
  EXPECT_EQ(store.query(start, "counter").value().ttl, 30U);
}

TEST_F(StoreTest, UnknownUnitsAreRefused) {
  for (const auto unit : {TtlUnit{0}, TtlUnit{7}, TtlUnit{255}}) {
    EXPECT_FALSE(store.insert(start, "new", 1, unit, 1));
    EXPECT_FALSE(store.set(start, "new", "x", unit, 1));
    EXPECT_FALSE(store.set(start, "buffer", "x", unit, 1));
  }
  EXPECT_EQ(store.get(start, "buffer").value().value, "EHLO");
}

TEST_F(StoreTest, TotalsCountKeysAndBytes) {
  const auto totals = store.totals(start);
  EXPECT_EQ(totals.counters, 1U);
  EXPECT_EQ(totals.counter_bytes, 2U);
  EXPECT_EQ(totals.buffers, 1U);
  EXPECT_EQ(totals.buffer_bytes, 4U);
}

TEST_F(StoreTest, ListTellsEachKey) {
  std::vector<EntryView> entries;
  store.for_each(start, [&](const EntryView& entry) { entries.push_back(entry); });
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].key, "counter");
  EXPECT_EQ(entries[0].kind, Kind::counter);
  EXPECT_EQ(entries[0].bytes_used, 2U);
  EXPECT_EQ(entries[0].time_point, 1'030'000'000'000U);
  EXPECT_EQ(entries[1].key, "buffer");
  EXPECT_EQ(entries[1].kind, Kind::buffer);
  EXPECT_EQ(entries[1].bytes_used, 4U);
}

TEST_F(StoreTest, StatMovesOnceAMinute) {
  store.query(start, "counter");
  store.query(start, "counter");
  store.update(start, "counter", Attribute::quota, Change::patch, 1);
  store.update(start, "counter", Attribute::quota, Change::decrease, 9);
  EXPECT_EQ(store.stat(start, "counter").value(), KeyMetrics{});
  const Moment next = after(1, 1);
  EXPECT_EQ(store.stat(next, "counter").value(), (KeyMetrics{2, 2, 2, 2}))
      << "INSERT and the UPDATE that changed something; STAT is no read";
  store.query(next, "counter");
  EXPECT_EQ(store.stat(next, "counter").value(), (KeyMetrics{2, 2, 2, 2}));
  EXPECT_EQ(store.stat(after(2, 2), "counter").value(), (KeyMetrics{1, 0, 3, 2}));
  EXPECT_EQ(store.stat(after(3, 3), "counter").value(), (KeyMetrics{0, 0, 3, 2}));
  EXPECT_FALSE(store.stat(start, "missing").has_value());
}

TEST_F(StoreTest, MetricsOfAPurgedKeyDoNotComeBack) {
  store.purge(start, "counter");
  store.insert(start, "counter", 1, TtlUnit::hours, 1);
  EXPECT_EQ(store.stat(after(0, 1), "counter").value(), (KeyMetrics{0, 1, 0, 1}));
}

TEST(StoreLimits, RefuseOneKeyTooMany) {
  Store store(StoreOptions{.max_keys = 2});
  EXPECT_TRUE(store.insert(start, "a", 1, TtlUnit::seconds, 1));
  EXPECT_TRUE(store.set(start, "b", "x", TtlUnit::seconds, 10));
  EXPECT_FALSE(store.insert(start, "c", 1, TtlUnit::seconds, 1));
  EXPECT_FALSE(store.set(start, "c", "x", TtlUnit::seconds, 1));
  EXPECT_TRUE(store.set(start, "b", "y", TtlUnit::seconds, 10)) << "replacing needs no room";
  EXPECT_TRUE(store.insert(after(1'000'000'000), "c", 1, TtlUnit::seconds, 1))
      << "an expired key takes no room";
}

TEST(StoreLimits, RefuseALongerValue) {
  Store store(StoreOptions{.max_value_bytes = 3});
  EXPECT_TRUE(store.set(start, "b", "abc", TtlUnit::seconds, 1));
  EXPECT_FALSE(store.set(start, "b", "abcd", TtlUnit::seconds, 1));
  EXPECT_EQ(store.get(start, "b").value().value, "abc");
}

TEST(StoreLimits, RefuseMoreBytesThanAllowedInAll) {
  Store store(StoreOptions{.max_buffer_bytes = 10});
  EXPECT_TRUE(store.set(start, "a", "12345", TtlUnit::seconds, 1));
  EXPECT_TRUE(store.set(start, "b", "12345", TtlUnit::seconds, 9));
  EXPECT_FALSE(store.set(start, "c", "1", TtlUnit::seconds, 9));
  EXPECT_FALSE(store.set(start, "b", "123456", TtlUnit::seconds, 9));
  EXPECT_TRUE(store.set(start, "b", "54321", TtlUnit::seconds, 9)) << "replacing frees its bytes";
  EXPECT_TRUE(store.set(after(1'000'000'000), "c", "12345", TtlUnit::seconds, 9))
      << "expired buffers take no room";
}

}  // namespace
}  // namespace hallmark::model
