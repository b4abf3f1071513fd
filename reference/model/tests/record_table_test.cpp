#include "reference/model/records/record_table.hpp"

#include <gtest/gtest.h>

namespace hallmark::model {
namespace {

RecordTable::Slot add(RecordTable& table, std::string_view key) {
  return table.add(key, RecordTable::hash_of(key));
}

RecordTable::Slot find(const RecordTable& table, std::string_view key) {
  return table.find(key, RecordTable::hash_of(key));
}

std::vector<std::string> keys_of(const RecordTable& table) {
  std::vector<std::string> keys;
  table.for_each([&](const Record& record) { keys.push_back(record.key); });
  return keys;
}

TEST(RecordTable, FindsWhatWasAdded) {
  RecordTable table;
  const auto abc = add(table, "abc");
  const auto empty = add(table, "");
  EXPECT_EQ(find(table, "abc"), abc);
  EXPECT_EQ(find(table, ""), empty);
  EXPECT_EQ(find(table, "ab"), RecordTable::none);
  EXPECT_EQ(find(table, std::string_view("abc\0", 4)), RecordTable::none);
  EXPECT_EQ(table.size(), 2U);
}

TEST(RecordTable, ReusesSlotsAndForgetsTheirContent) {
  RecordTable table;
  const auto slot = add(table, "abc");
  table[slot].value.assign(100'000, 'x');
  table[slot].reads.add(3, 0);
  table.erase(slot);
  EXPECT_EQ(find(table, "abc"), RecordTable::none);
  const auto again = add(table, "other");
  EXPECT_EQ(again, slot);
  EXPECT_TRUE(table[again].value.empty());
  EXPECT_LT(table[again].value.capacity(), 100U) << "a free slot must not keep a value's memory";
  EXPECT_EQ(table[again].reads.total(), 0U);
}

TEST(RecordTable, VisitsInSlotOrder) {
  RecordTable table;
  for (const char* key : {"a", "b", "c"}) add(table, key);
  table.erase(find(table, "b"));
  EXPECT_EQ(keys_of(table), (std::vector<std::string>{"a", "c"}));
  add(table, "d");
  EXPECT_EQ(keys_of(table), (std::vector<std::string>{"a", "d", "c"}));
}

TEST(RecordTable, RecordsStayWhereTheyAreWhileTheTableGrows) {
  RecordTable table;
  const Record* const first = &table[add(table, "first")];
  for (int i = 0; i < 5'000; ++i) add(table, "key" + std::to_string(i));
  EXPECT_EQ(&table[find(table, "first")], first);
  EXPECT_EQ(table.size(), 5'001U);
  EXPECT_EQ(table[find(table, "key4999")].key, "key4999");
}

}  // namespace
}  // namespace hallmark::model
