#include "reference/model/records/store.hpp"

#include <gtest/gtest.h>

namespace hallmark::model {
namespace {

constexpr Moment opening{1'000'000'000'000, 0};
constexpr std::uint64_t maximum = 65'535;

Moment after(Time nanoseconds, std::uint64_t minute = 0) {
  return {opening.now + nanoseconds, minute};
}

class StoreTest : public testing::Test {
 protected:
  StoreTest() : store(StoreOptions{}) {
    EXPECT_TRUE(store.insert(opening, "counter", 10, TtlUnit::seconds, 30));
    EXPECT_TRUE(store.set(opening, "buffer", "EHLO", TtlUnit::seconds, 30));
  }

  std::uint64_t quota() { return store.query(opening, "counter").value().quota; }

  Store store;
};

TEST_F(StoreTest, InsertOfAnExistingKeyFailsAndChangesNothing) {
  EXPECT_FALSE(store.insert(opening, "counter", 99, TtlUnit::hours, 1));
  const auto view = store.query(opening, "counter").value();
  EXPECT_EQ(view.quota, 10U);
  EXPECT_EQ(view.unit, TtlUnit::seconds);
  EXPECT_EQ(view.ttl, 30U);
}

TEST_F(StoreTest, KindsShareOneKeySpace) {
  EXPECT_FALSE(store.insert(opening, "buffer", 1, TtlUnit::seconds, 1));
  EXPECT_FALSE(store.set(opening, "counter", "x", TtlUnit::seconds, 1));
  EXPECT_EQ(store.get(opening, "buffer").value().value, "EHLO");
  EXPECT_EQ(quota(), 10U);
}

TEST_F(StoreTest, QueryAndGetKeepToTheirKind) {
  EXPECT_FALSE(store.query(opening, "buffer").has_value());
  EXPECT_FALSE(store.get(opening, "counter").has_value());
  EXPECT_FALSE(store.query(opening, "missing").has_value());
  EXPECT_FALSE(store.get(opening, "missing").has_value());
}

TEST_F(StoreTest, SetReplacesABuffer) {
  EXPECT_TRUE(store.set(opening, "buffer", "longer than before", TtlUnit::minutes, 2));
  const auto view = store.get(opening, "buffer").value();
  EXPECT_EQ(view.value, "longer than before");
  EXPECT_EQ(view.unit, TtlUnit::minutes);
  EXPECT_EQ(view.ttl, 2U);
  EXPECT_EQ(store.totals(opening).buffers, 1U);
  EXPECT_EQ(store.totals(opening).buffer_bytes, 18U);
}

TEST_F(StoreTest, SetOfAnExistingBufferFailsWhenTheReadingSaysSo) {
  Store strict(StoreOptions{.behaviour = {.set_existing = WhenExisting::refused}});
  EXPECT_TRUE(strict.set(opening, "b", "one", TtlUnit::seconds, 1));
  EXPECT_FALSE(strict.set(opening, "b", "two", TtlUnit::seconds, 1));
  EXPECT_EQ(strict.get(opening, "b").value().value, "one");
}

TEST_F(StoreTest, PurgeRemovesEitherKindOnce) {
  for (const char* key : {"counter", "buffer"}) {
    EXPECT_TRUE(store.purge(opening, key)) << key;
    EXPECT_FALSE(store.purge(opening, key)) << key;
  }
  EXPECT_FALSE(store.purge(opening, "missing"));
  EXPECT_EQ(store.totals(opening).buffer_bytes, 0U);
}

TEST_F(StoreTest, KeysAreBytes) {
  using namespace std::string_view_literals;
  const std::string longest(255, '\xff');
  for (const auto key : {""sv, "\0"sv, "\0\0"sv, std::string_view(longest)}) {
    EXPECT_TRUE(store.insert(opening, key, key.size(), TtlUnit::seconds, 1)) << key.size();
    EXPECT_EQ(store.query(opening, key).value().quota, key.size());
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
  EXPECT_EQ(store.update(opening, "counter", Attribute::quota, GetParam().change, GetParam().value),
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
  EXPECT_FALSE(store.update(opening, "missing", Attribute::quota, Change::patch, 1));
  EXPECT_FALSE(store.update(opening, "missing", Attribute::ttl, Change::patch, 1));
  EXPECT_FALSE(store.update(opening, "buffer", Attribute::quota, Change::patch, 1));
  EXPECT_FALSE(store.update(opening, "counter", static_cast<Attribute>(2), Change::patch, 1));
  EXPECT_FALSE(store.update(opening, "counter", Attribute::ttl, static_cast<Change>(3), 1));
  EXPECT_EQ(store.query(opening, "counter").value().ttl, 30U);
}

TEST_F(StoreTest, UnknownUnitsAreRefused) {
  for (const auto unit : {TtlUnit{0}, TtlUnit{7}, TtlUnit{255}}) {
    EXPECT_FALSE(store.insert(opening, "new", 1, unit, 1));
    EXPECT_FALSE(store.set(opening, "new", "x", unit, 1));
    EXPECT_FALSE(store.set(opening, "buffer", "x", unit, 1));
  }
  EXPECT_EQ(store.get(opening, "buffer").value().value, "EHLO");
}

TEST_F(StoreTest, TotalsCountKeysAndBytes) {
  const auto totals = store.totals(opening);
  EXPECT_EQ(totals.counters, 1U);
  EXPECT_EQ(totals.counter_bytes, 2U);
  EXPECT_EQ(totals.buffers, 1U);
  EXPECT_EQ(totals.buffer_bytes, 4U);
}

TEST_F(StoreTest, ListTellsEachKey) {
  std::vector<EntryView> entries;
  store.for_each(opening, [&](const EntryView& entry) { entries.push_back(entry); });
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
  store.query(opening, "counter");
  store.query(opening, "counter");
  store.update(opening, "counter", Attribute::quota, Change::patch, 1);
  store.update(opening, "counter", Attribute::quota, Change::decrease, 9);
  EXPECT_EQ(store.stat(opening, "counter").value(), KeyMetrics{});
  const Moment next = after(1, 1);
  EXPECT_EQ(store.stat(next, "counter").value(), (KeyMetrics{2, 2, 2, 2}))
      << "INSERT and the UPDATE that changed something; STAT is no read";
  store.query(next, "counter");
  EXPECT_EQ(store.stat(next, "counter").value(), (KeyMetrics{2, 2, 2, 2}));
  EXPECT_EQ(store.stat(after(2, 2), "counter").value(), (KeyMetrics{1, 0, 3, 2}));
  EXPECT_EQ(store.stat(after(3, 3), "counter").value(), (KeyMetrics{0, 0, 3, 2}));
  EXPECT_FALSE(store.stat(opening, "missing").has_value());
}

TEST_F(StoreTest, MetricsOfAPurgedKeyDoNotComeBack) {
  store.purge(opening, "counter");
  store.insert(opening, "counter", 1, TtlUnit::hours, 1);
  EXPECT_EQ(store.stat(after(0, 1), "counter").value(), (KeyMetrics{0, 1, 0, 1}));
}

TEST(StoreLimits, RefuseOneKeyTooMany) {
  Store store(StoreOptions{.max_keys = 2});
  EXPECT_TRUE(store.insert(opening, "a", 1, TtlUnit::seconds, 1));
  EXPECT_TRUE(store.set(opening, "b", "x", TtlUnit::seconds, 10));
  EXPECT_FALSE(store.insert(opening, "c", 1, TtlUnit::seconds, 1));
  EXPECT_FALSE(store.set(opening, "c", "x", TtlUnit::seconds, 1));
  EXPECT_TRUE(store.set(opening, "b", "y", TtlUnit::seconds, 10)) << "replacing needs no room";
  EXPECT_TRUE(store.insert(after(1'000'000'000), "c", 1, TtlUnit::seconds, 1))
      << "an expired key takes no room";
}

TEST(StoreLimits, RefuseALongerValue) {
  Store store(StoreOptions{.max_value_bytes = 3});
  EXPECT_TRUE(store.set(opening, "b", "abc", TtlUnit::seconds, 1));
  EXPECT_FALSE(store.set(opening, "b", "abcd", TtlUnit::seconds, 1));
  EXPECT_EQ(store.get(opening, "b").value().value, "abc");
}

TEST(StoreLimits, RefuseMoreBytesThanAllowedInAll) {
  Store store(StoreOptions{.max_buffer_bytes = 10});
  EXPECT_TRUE(store.set(opening, "a", "12345", TtlUnit::seconds, 1));
  EXPECT_TRUE(store.set(opening, "b", "12345", TtlUnit::seconds, 9));
  EXPECT_FALSE(store.set(opening, "c", "1", TtlUnit::seconds, 9));
  EXPECT_FALSE(store.set(opening, "b", "123456", TtlUnit::seconds, 9));
  EXPECT_TRUE(store.set(opening, "b", "54321", TtlUnit::seconds, 9)) << "replacing frees its bytes";
  EXPECT_TRUE(store.set(after(1'000'000'000), "c", "12345", TtlUnit::seconds, 9))
      << "expired buffers take no room";
}

}  // namespace
}  // namespace hallmark::model
