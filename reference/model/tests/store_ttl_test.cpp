#include <gtest/gtest.h>

#include "base/nanoseconds.hpp"
#include "reference/model/records/store.hpp"
#include "reference/model/tests/start.hpp"

namespace hallmark::model {
namespace {

using base::second_ns;

Moment at(Time now) { return {now, 0}; }

std::vector<std::string> keys_of(Store& store, Time now) {
  std::vector<std::string> keys;
  store.for_each(at(now), [&](const EntryView& entry) { keys.emplace_back(entry.key); });
  return keys;
}

/// One operation, and whether its outcome says that the key is there.
struct Probe {
  const char* name;
  std::function<bool(Store&, Time)> sees_key;
};

const std::vector<Probe> probes{
    {"insert", [](Store& s, Time now) { return !s.insert(at(now), "c", 1, TtlUnit::hours, 1); }},
    {"query", [](Store& s, Time now) { return s.query(at(now), "c").has_value(); }},
    {"update_quota",
     [](Store& s, Time now) { return s.update(at(now), "c", Attribute::quota, Change::patch, 1); }},
    {"update_ttl",
     [](Store& s, Time now) { return s.update(at(now), "c", Attribute::ttl, Change::patch, 1); }},
    {"purge", [](Store& s, Time now) { return s.purge(at(now), "c"); }},
    {"set_over_counter",
     [](Store& s, Time now) { return !s.set(at(now), "c", "x", TtlUnit::hours, 1); }},
    {"get", [](Store& s, Time now) { return s.get(at(now), "b").has_value(); }},
    {"insert_over_buffer",
     [](Store& s, Time now) { return !s.insert(at(now), "b", 1, TtlUnit::hours, 1); }},
    {"stat", [](Store& s, Time now) { return s.stat(at(now), "c").has_value(); }},
    {"list_and_stats", [](Store& s, Time now) { return !keys_of(s, now).empty(); }},
    {"info_counters", [](Store& s, Time now) { return s.totals(at(now)).counters == 1; }},
    {"info_buffers", [](Store& s, Time now) { return s.totals(at(now)).buffers == 1; }},
};

class Expiry : public testing::TestWithParam<Probe> {
 protected:
  static bool sees_key_at(Time now) {
    Store store(StoreOptions{});
    // More than one operation reclaims on the side have expired before.
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(store.insert(at(start), "k" + std::to_string(i), 1, TtlUnit::nanoseconds, 4'999));
    }
    EXPECT_TRUE(store.insert(at(start), "c", 1, TtlUnit::microseconds, 5));
    EXPECT_TRUE(store.set(at(start), "b", "x", TtlUnit::microseconds, 5));
    return GetParam().sees_key(store, now);
  }
};

TEST_P(Expiry, KeyIsThereOneNanosecondBefore) { EXPECT_TRUE(sees_key_at(start + 4'999)); }
TEST_P(Expiry, KeyIsGoneAtItsTimePoint) { EXPECT_FALSE(sees_key_at(start + 5'000)); }

INSTANTIATE_TEST_SUITE_P(EveryOperation, Expiry, testing::ValuesIn(probes),
                         [](const auto& row) { return std::string(row.param.name); });

struct LongestTtl {
  TtlUnit unit;
  unsigned value_bytes;
};

class LongestTtlOf : public testing::TestWithParam<LongestTtl> {};

TEST_P(LongestTtlOf, ExpiresExactly) {
  const auto [unit, value_bytes] = GetParam();
  Store store(StoreOptions{.value_bytes = value_bytes});
  const std::uint64_t longest = store.max_value();
  ASSERT_TRUE(store.insert(at(start), "k", longest, unit, longest));
  EXPECT_EQ(store.query(at(start), "k").value().ttl, longest);
  const Time end = start + span_of(unit, longest);
  EXPECT_EQ(store.query(at(end - 1), "k").value().ttl, unit == TtlUnit::nanoseconds ? 1U : 0U);
  EXPECT_FALSE(store.query(at(end), "k").has_value());
  EXPECT_TRUE(store.insert(at(end), "k", 1, unit, longest));
}

std::vector<LongestTtl> unit_by_width() {
  std::vector<LongestTtl> rows;
  for (std::uint8_t unit = 1; unit <= 6; ++unit) {
    for (const unsigned bytes : {1U, 2U, 4U, 8U})
      rows.push_back({static_cast<TtlUnit>(unit), bytes});
  }
  return rows;
}

INSTANTIATE_TEST_SUITE_P(UnitByWidth, LongestTtlOf, testing::ValuesIn(unit_by_width()),
                         [](const auto& row) {
                           return "unit" + std::to_string(static_cast<int>(row.param.unit)) + "_u" +
                                  std::to_string(8 * row.param.value_bytes);
                         });

TEST(Ttl, ZeroSucceedsAndLeavesNothing) {
  Store store(StoreOptions{});
  EXPECT_TRUE(store.insert(at(start), "c", 1, TtlUnit::seconds, 0));
  EXPECT_FALSE(store.query(at(start), "c").has_value());
  EXPECT_TRUE(store.set(at(start), "b", "x", TtlUnit::seconds, 0));
  EXPECT_FALSE(store.get(at(start), "b").has_value());
  EXPECT_TRUE(store.set(at(start), "b", "x", TtlUnit::seconds, 9));
  EXPECT_TRUE(store.set(at(start), "b", "y", TtlUnit::seconds, 0)) << "over an existing buffer";
  EXPECT_FALSE(store.get(at(start), "b").has_value());
  EXPECT_EQ(store.totals(at(start)).buffer_bytes, 0U);
}

TEST(Ttl, TimePointSaturatesInList) {
  Store store(StoreOptions{.value_bytes = 8});
  store.insert(at(start), "k", 1, TtlUnit::hours, store.max_value());
  store.for_each(at(start), [](const EntryView& entry) {
    EXPECT_EQ(entry.time_point, std::numeric_limits<std::uint64_t>::max());
  });
}

struct TtlCase {
  const char* name;
  Change change;
  std::uint64_t value;
  bool succeeds;
  std::optional<std::uint64_t> ttl_left;  ///< nothing: gone
};

class UpdateTtl : public testing::TestWithParam<TtlCase> {};

// 100 seconds given, 10 seconds and a half passed: 89.5 are left.
TEST_P(UpdateTtl, Gives) {
  Store store(StoreOptions{.value_bytes = 1});
  ASSERT_TRUE(store.insert(at(start), "k", 1, TtlUnit::seconds, 100));
  const Time now = start + 10 * second_ns + second_ns / 2;
  EXPECT_EQ(store.update(at(now), "k", Attribute::ttl, GetParam().change, GetParam().value),
            GetParam().succeeds);
  const auto view = store.query(at(now), "k");
  ASSERT_EQ(view.has_value(), GetParam().ttl_left.has_value());
  if (view) {
    EXPECT_EQ(view->ttl, GetParam().ttl_left);
    EXPECT_EQ(view->unit, TtlUnit::seconds) << "the unit of the record stays";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, UpdateTtl,
    testing::Values(TtlCase{"patch_counts_from_now", Change::patch, 50, true, 50},
                    TtlCase{"patch_to_the_maximum", Change::patch, 255, true, 255},
                    TtlCase{"patch_to_zero_is_gone", Change::patch, 0, true, std::nullopt},
                    TtlCase{"increase_moves_the_time_point", Change::increase, 5, true, 94},
                    TtlCase{"increase_to_just_under_the_maximum_and_one", Change::increase, 166,
                            true, 255},
                    TtlCase{"increase_past_the_maximum", Change::increase, 167, false, 89},
                    TtlCase{"decrease_moves_the_time_point", Change::decrease, 9, true, 80},
                    TtlCase{"decrease_to_less_than_a_unit", Change::decrease, 89, true, 0},
                    TtlCase{"decrease_past_now_is_gone", Change::decrease, 90, true, std::nullopt}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Ttl, UpdateReschedulesBothWays) {
  Store store(StoreOptions{});
  store.insert(at(start), "longer", 1, TtlUnit::seconds, 10);
  store.insert(at(start), "shorter", 1, TtlUnit::seconds, 10);
  store.update(at(start), "longer", Attribute::ttl, Change::increase, 10);
  store.update(at(start), "shorter", Attribute::ttl, Change::decrease, 5);
  EXPECT_EQ(keys_of(store, start + 5 * second_ns), (std::vector<std::string>{"longer"}));
  EXPECT_EQ(keys_of(store, start + 20 * second_ns - 1), (std::vector<std::string>{"longer"}));
  EXPECT_TRUE(keys_of(store, start + 20 * second_ns).empty());
}

TEST(Ttl, CountsAreExactRightAfterAMassExpiry) {
  Store store(StoreOptions{});
  for (int i = 0; i < 1'000; ++i) {
    store.insert(at(start), "k" + std::to_string(i), 1, TtlUnit::seconds, i % 2 == 0 ? 1 : 2);
  }
  EXPECT_EQ(store.totals(at(start + second_ns)).counters, 500U);
  EXPECT_EQ(keys_of(store, start + 2 * second_ns).size(), 0U);
}

}  // namespace
}  // namespace hallmark::model
