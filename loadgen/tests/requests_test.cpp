#include "loadgen/requests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "loadgen/tests/replies.hpp"
#include "reference/protocol/decode.hpp"

namespace hallmark::loadgen {
namespace {

using protocol::Width;

protocol::Record decoded(const Requests& requests, const Workload& workload,
                         std::string_view operation, const protocol::ByteBuffer& bytes) {
  const auto layout = protocol::Layout::request(
      *protocol::find_operation(*workload.dialect, operation), workload.width, requests.readings());
  return protocol::decode(layout, bytes.view()).value();
}

std::string key_of(const protocol::Record& record) {
  const auto* key = record.find("key");
  if (key == nullptr) return {};
  return std::string{protocol::as_text(std::get<protocol::Bytes>(*key))};
}

class EveryWidth : public testing::TestWithParam<Width> {};

TEST_P(EveryWidth, frames_of_every_operation_decode_with_the_key_and_number_of_their_index) {
  auto workload = workload_of(
      "insert=1,query=1,update=1,purge=1,set=1,get=1,list=1,info=1,stat=1,stats=1,subscribe=1,"
      "unsubscribe=1,publish=1,connections=1,connection=1,channels=1,channel=1,whoami=1",
      GetParam());
  const auto requests = Requests::make(workload).value();
  ASSERT_EQ(requests.parts().size(), workload.dialect->operations.size());
  std::set<std::string> keys;
  for (std::uint64_t i = 0; i < 40'000; ++i) {
    const auto part = requests.part_of(i);
    protocol::ByteBuffer bytes;
    requests.append(bytes, part, i);
    const auto record = decoded(requests, workload, requests.parts()[part].name, bytes);
    if (const auto key = key_of(record); !key.empty()) keys.insert(key);
  }
  EXPECT_EQ(keys.size(), 400U);  // four kinds of keys, 100 of each
  EXPECT_EQ(*keys.begin(), "load:b00");
  EXPECT_EQ(*keys.rbegin(), "load:s99");
}

INSTANTIATE_TEST_SUITE_P(Widths, EveryWidth,
                         testing::Values(Width::u8, Width::u16, Width::u32, Width::u64),
                         [](const auto& row) { return std::string{name_of(row.param)}; });

TEST(Requests, values_vary_and_fill_the_width) {
  const auto workload = workload_of("update=1", Width::u16);
  const auto requests = Requests::make(workload).value();
  std::set<std::uint64_t> values;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    protocol::ByteBuffer bytes;
    requests.append(bytes, 0, i);
    values.insert(decoded(requests, workload, "update", bytes).number("value"));
  }
  EXPECT_GT(values.size(), 900U);
  EXPECT_GT(*values.rbegin(), 60'000U);
}

TEST(Requests, same_seed_same_requests) {
  auto workload = workload_of("query=1,update=1");
  const auto bytes_with = [&](std::uint64_t seed) {
    workload.seed = seed;
    const auto requests = Requests::make(workload).value();
    protocol::ByteBuffer bytes;
    for (std::uint64_t i = 0; i < 100; ++i) requests.append(bytes, requests.part_of(i), i);
    return protocol::Bytes(bytes.view().begin(), bytes.view().end());
  };
  EXPECT_EQ(bytes_with(1), bytes_with(1));
  EXPECT_NE(bytes_with(1), bytes_with(2));
}

std::set<std::string> stored_keys(const Requests& requests, const Workload& workload,
                                  std::string_view operation) {
  std::set<std::string> keys;
  for (const SetupStep& step : requests.before()) {
    if (step.part->name != operation) continue;
    protocol::ByteBuffer bytes;
    step.part->frame.append(bytes, step.key, 0);
    keys.insert(key_of(decoded(requests, workload, operation, bytes)));
  }
  return keys;
}

TEST(Requests, keys_that_must_be_there_are_purged_and_stored_first) {
  const auto workload = workload_of("query=1,get=1,insert=1");
  const auto requests = Requests::make(workload).value();
  EXPECT_EQ(requests.before().size(), 400U);
  EXPECT_EQ(requests.before()[0].part->name, "purge");
  EXPECT_EQ(requests.before()[1].part->name, "insert");
  EXPECT_EQ(stored_keys(requests, workload, "insert").size(), 100U);
  EXPECT_EQ(stored_keys(requests, workload, "set").size(), 100U);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const auto& part = requests.parts()[requests.part_of(i)];
    if (part.name == "insert") continue;
    protocol::ByteBuffer bytes;
    requests.append(bytes, requests.part_of(i), i);
    const auto key = key_of(decoded(requests, workload, part.name, bytes));
    EXPECT_TRUE(
        stored_keys(requests, workload, part.name == "get" ? "set" : "insert").contains(key));
  }
}

TEST(Requests, every_key_of_the_run_is_purged_afterwards) {
  const auto requests = Requests::make(workload_of("query=1,get=1,insert=1,set=1")).value();
  EXPECT_EQ(requests.after().size(), 400U);
  for (const SetupStep& step : requests.after()) ASSERT_EQ(step.part->name, "purge");
}

TEST(Requests, a_mix_without_keys_stores_none) {
  const auto requests = Requests::make(workload_of("info=1,whoami=1")).value();
  EXPECT_TRUE(requests.before().empty());
  EXPECT_TRUE(requests.after().empty());
}

struct Row {
  std::string name;
  Workload workload;
  std::string message;
};

Workload with(Workload workload, void (*change)(Workload&)) {
  change(workload);
  return workload;
}

class BadWorkload : public testing::TestWithParam<Row> {};

TEST_P(BadWorkload, is_refused_in_one_line) {
  const auto requests = Requests::make(GetParam().workload);
  ASSERT_FALSE(requests);
  EXPECT_THAT(requests.error().message, testing::HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BadWorkload,
    testing::Values(
        Row{"mix", workload_of("frob=1"), "unknown operation 'frob'; allowed: insert, query"},
        Row{"unanswered", workload_of("publish=1"), "nothing in 'publish=1' is answered"},
        Row{"no_keys", with(workload_of("query=1"), [](Workload& w) { w.keys = 0; }), "keys: 0"},
        Row{"too_many_keys", with(workload_of("query=1"), [](Workload& w) { w.keys = 10'000'001; }),
            "keys: 10000001; allowed: 1 to 10000000"},
        Row{"value_too_large",
            with(workload_of("set=1", Width::u8), [](Workload& w) { w.value_bytes = 256; }),
            "width u8 has at most 255"},
        Row{"key_too_long",
            with(workload_of("query=1"), [](Workload& w) { w.key_prefix = std::string(253, 'k'); }),
            "keys of 256 bytes; allowed: up to 255"}),
    [](const auto& row) { return row.param.name; });

TEST(Frame, digits_are_written_in_pairs_with_leading_zeros) {
  std::array<std::uint8_t, 6> out{};
  write_digits(out.data(), out.size(), 90'817U);
  EXPECT_EQ(protocol::as_text(out), "090817");
  write_digits(out.data(), out.size(), 0);
  EXPECT_EQ(protocol::as_text(out), "000000");
}

}  // namespace
}  // namespace hallmark::loadgen
