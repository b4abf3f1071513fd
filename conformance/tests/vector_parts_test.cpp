#include "conformance/reduction/vector_parts.hpp"

#include <gmock/gmock.h>

#include "conformance/drivers/stream/conversation.hpp"
#include "conformance/tests/fixture.hpp"
#include "protocol/codec/encode.hpp"

namespace hallmark::conformance::testing {
namespace {

using base::Bytes;
using protocol::Record;
using vectors::Expect;
using vectors::Expected;
using vectors::FieldPattern;
using vectors::Match;
using vectors::Vector;

Record key_entry(const std::string& key) {
  return {{"key", base::to_bytes(key)},
          {"key_type", std::uint64_t{0}},
          {"ttl_type", std::uint64_t{4}},
          {"time_point", std::uint64_t{0}},
          {"bytes_used", std::uint64_t{2}}};
}

/// Three keys are inserted and listed, and one of them is asked for in between.
Vector listing() {
  Record fragment{{"fragment", std::uint64_t{1}},
                  {"keys", std::vector<Record>{key_entry("k1"), key_entry("k2"), key_entry("k3")}}};
  Record whole{{"status", std::uint64_t{1}}, {"fragments", std::vector<Record>{fragment}}};
  const auto layout = format_u16().reply(format_u16().operation("LIST"));
  FieldPattern keys;
  keys.field = "keys";
  keys.match = Match::set_of;
  for (const char* const name : {"k1", "k2", "k3"}) keys.entries.push_back({{is("key", name)}});
  keys.exactly = true;
  keys.offset = 9;
  Bytes example = *protocol::encode(layout, whole);
  keys.length = example.size() - keys.offset;
  Vector vector;
  vector.id = "listing";
  for (const char* const name : {"k1", "k2", "k3"}) {
    vector.keys.push_back({{"key", base::to_bytes(name)}});
    vector.steps.push_back(send("a", insert(name, 1)));
    vector.steps.push_back(expect("a", reply("INSERT", success())));
  }
  vector.steps.push_back(send("a", query("k2")));
  vector.steps.push_back(expect(
      "a", reply("QUERY", {is("status", 1), is("quota", 1), any("ttl_type"), remaining(60, 2)})));
  vector.steps.push_back(send("a", bare("LIST")));
  vector.steps.push_back(expect("a", reply("LIST", {is("status", 1), keys}, std::move(example))));
  return vector;
}

const Expected& last_of(const Vector& vector) {
  return std::get<Expect>(vector.steps.back().action).any_of.front();
}

TEST(VectorParts, AreTheOtherKeysAndWhatOnlyTells) {
  const auto parts = parts_of(format_u16(), listing());
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_THAT(parts[1].steps, ::testing::ElementsAre(2, 3, 6, 7));
  EXPECT_EQ(parts[1].name, (Record{{"key", base::to_bytes("k2")}}));
  EXPECT_THAT(parts[3].steps, ::testing::ElementsAre(6, 7));
  EXPECT_TRUE(parts[3].name.fields().empty());
}

/// A key that goes is in no listing any more.
TEST(VectorParts, LeaveListingsWithoutTheirKeys) {
  const auto parts = parts_of(format_u16(), listing());
  const auto rest = without(format_u16(), listing(), {&parts[0], 2});
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->steps.size(), 4U);
  EXPECT_EQ(rest->keys.size(), 1U);
  const FieldPattern& keys = last_of(*rest).fields.back();
  ASSERT_EQ(keys.entries.size(), 1U);
  EXPECT_EQ(keys.entries.front().fields.front().value, protocol::Value(base::to_bytes("k3")));
  EXPECT_LT(last_of(*rest).example.size(), last_of(listing()).example.size());
  EXPECT_EQ(keys.offset + keys.length, last_of(*rest).example.size());
}

TEST(VectorParts, MoveLifetimesToWhereTheyWereSet) {
  const auto parts = parts_of(format_u16(), listing());
  const auto rest = without(format_u16(), listing(), {parts.data(), 1});
  ASSERT_TRUE(rest);
  const auto& asked = std::get<Expect>(rest->steps[5].action).any_of.front();
  EXPECT_EQ(asked.fields.back().lifetime.since, 0U);
}

/// Every request matters to a reply that counts them.
TEST(VectorParts, AreNoneWhereEveryConnectionIsCounted) {
  Vector vector = listing();
  vector.steps.push_back(send("a", bare("INFO")));
  EXPECT_TRUE(parts_of(format_u16(), vector).empty());
}

TEST(VectorParts, DoNotGoWithoutWhatTheyCaptured) {
  const Vector vector = sample_vector();
  VectorPart part{{8, 9}, {}};
  EXPECT_FALSE(without(format_u16(), vector, {&part, 1}));
}

}  // namespace
}  // namespace hallmark::conformance::testing
