#include "loadgen/drivers/stream/requests.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "loadgen/tests/replies.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/dialects.hpp"
#include "protocol/throttr_words.hpp"

namespace hallmark::loadgen {
namespace {

using protocol::Width;

protocol::Record decoded(const Requests& requests, const Workload& workload,
                         std::string_view operation, const protocol::ByteBuffer& bytes) {
  const auto layout = protocol::Layout::request(
      operation_named(workload.readings.dialect(), operation), workload.width, requests.readings());
  return protocol::decode(layout, bytes.view()).value();
}

std::string key_of(const protocol::Record& record) {
  std::string key;
  for (const protocol::FieldName name :
       std::initializer_list<protocol::FieldName>{"key", "consumer_id", "resource_id"}) {
    const auto* part = record.find(name);
    if (part != nullptr) key += base::as_text(std::get<base::Bytes>(*part));
  }
  return key;
}

class RequestsInEveryFormat : public testing::TestWithParam<Format> {};

TEST_P(RequestsInEveryFormat, frames_of_every_operation_decode_with_the_key_of_their_index) {
  const auto& dialect = GetParam().readings.dialect();
  const auto workload =
      workload_of(GetParam().readings, GetParam().width, mix_without(dialect, {"subscribe"}));
  const auto requests = Requests::make(workload).value();
  std::set<std::string> keys;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const auto part = requests.part_of(i);
    protocol::ByteBuffer bytes;
    requests.append(bytes, part, i);
    const auto record = decoded(requests, workload, requests.parts()[part].name, bytes);
    if (const auto key = key_of(record); !key.empty()) keys.insert(key);
  }
  // A hundred of each kind of keys that the dialect has.
  const bool buffers = protocol::find_operation(dialect, "SET") != nullptr;
  EXPECT_EQ(keys.size(), buffers ? 300U : 200U);
  EXPECT_EQ(*keys.begin(), buffers ? "load:b00" : "load:c00");
  EXPECT_EQ(*keys.rbegin(), "load:i99");
}

TEST_P(RequestsInEveryFormat, stored_keys_outlive_a_day_in_a_unit_of_the_dialect) {
  const auto workload = workload_of(GetParam().readings, GetParam().width, "query=1");
  const auto requests = Requests::make(workload).value();
  const SetupStep store = requests.before()[1];
  protocol::ByteBuffer bytes;
  requests.append(bytes, store, 0);
  const auto record = decoded(requests, workload, store.part->name, bytes);
  const auto unit = protocol::ttl_unit(workload.readings.dialect(), record.number("ttl_type"));
  ASSERT_TRUE(unit);
  EXPECT_EQ(record.number("ttl") * length_of(*unit), 86'400'000'000'000U);
}

INSTANTIATE_TEST_SUITE_P(Formats, RequestsInEveryFormat, testing::ValuesIn(every_format()),
                         [](const auto& row) { return name_of(row.param); });

TEST(Requests, each_carries_the_low_half_of_its_index_where_the_dialect_has_ids) {
  const auto workload = workload_of("query=1", Width::u64, protocol::throttr_2_0);
  const auto requests = Requests::make(workload).value();
  for (const std::uint64_t index : {0ULL, 7ULL, 0xffff'ffffULL, 0x1'0000'0005ULL}) {
    protocol::ByteBuffer bytes;
    requests.append(bytes, 0, index);
    const auto record = decoded(requests, workload, "query", bytes);
    EXPECT_EQ(record.number("request_id"), index & 0xffff'ffffU);
    EXPECT_EQ(Requests::id_of(index), index & 0xffff'ffffU);
  }
}

TEST(Requests, a_pair_is_the_prefix_and_the_rest_of_the_key) {
  auto workload = workload_of("query=1", Width::u64, protocol::throttr_2_0);
  workload.key_prefix = "c";
  const auto requests = Requests::make(workload).value();
  protocol::ByteBuffer bytes;
  requests.append(bytes, 0, 0);
  const auto record = decoded(requests, workload, "query", bytes);
  EXPECT_EQ(base::as_text(std::get<base::Bytes>(*record.find("consumer_id"))), "c");
  EXPECT_EQ(std::get<base::Bytes>(*record.find("resource_id")).size(), 3U);
}

/// Short frames are written by a loop of their own, and have to be what they are one by one.
TEST(Requests, in_a_row_are_those_that_are_written_one_by_one) {
  constexpr std::uint64_t first = 3;
  constexpr std::uint64_t stride = 64;
  for (const Format& format : every_format()) {
    for (const std::uint32_t keys : {9U, 10'000U, 1'000'000U, 10'000'000U}) {
      for (const std::size_t prefix : {1U, 5U, 17U, 30U, 60U}) {
        SCOPED_TRACE(testing::Message() << name_of(format) << ' ' << keys << ' ' << prefix);
        Workload workload = workload_of(format.readings, format.width, "query=1");
        workload.keys = keys;
        workload.key_prefix = std::string(prefix, 'p');
        const auto requests = Requests::make(workload).value();
        std::vector<Written> row(20);
        protocol::ByteBuffer together;
        std::uint8_t* const at = together.prepare(row.size() * requests.room());
        // With it, a row in four or so has no key that may be watched.
        constexpr std::uint32_t watch_mask = 15;
        const auto written = requests.write(at, first, stride, 0, watch_mask, row);
        together.commit(written.bytes);
        bool may_be_watched = false;
        protocol::ByteBuffer one_by_one;
        for (std::size_t i = 0; i < row.size(); ++i) {
          const std::uint64_t index = first + i * stride;
          const std::size_t before = one_by_one.size();
          requests.append(one_by_one, 0, index);
          EXPECT_EQ(row[i].part, 0U);
          EXPECT_EQ(row[i].key, requests.key_of(index));
          EXPECT_EQ(requests.frame_bytes(row[i]), one_by_one.size() - before);
          may_be_watched |= row[i].key % (watch_mask + 1) == 0;
        }
        EXPECT_EQ(written.may_be_watched, may_be_watched);
        EXPECT_TRUE(std::ranges::equal(together.view(), one_by_one.view()));
      }
    }
  }
}

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
    return base::Bytes(bytes.view().begin(), bytes.view().end());
  };
  EXPECT_EQ(bytes_with(1), bytes_with(1));
  EXPECT_NE(bytes_with(1), bytes_with(2));
}

std::uint64_t largest_value(const Workload& workload) {
  const auto requests = Requests::make(workload).value();
  std::uint64_t largest = 0;
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    protocol::ByteBuffer bytes;
    requests.append(bytes, 0, i);
    largest = std::max(largest, decoded(requests, workload, "update", bytes).number("value"));
  }
  return largest;
}

std::uint64_t stored_quota(const Workload& workload) {
  const auto requests = Requests::make(workload).value();
  protocol::ByteBuffer bytes;
  requests.append(bytes, requests.before()[1], 0);
  return decoded(requests, workload, "insert", bytes).number("quota");
}

TEST(Requests, numbers_reach_the_largest_that_the_readings_allow) {
  auto workload = workload_of("update=1", Width::u8);
  EXPECT_EQ(largest_value(workload), 255U);
  EXPECT_EQ(stored_quota(workload), 255U);
  workload.readings.choose({"maximum-values", "invalid"});
  EXPECT_EQ(largest_value(workload), 254U);
  EXPECT_EQ(stored_quota(workload), 254U);
}

TEST(Requests, publish_is_answered_where_the_readings_say_so) {
  auto workload = workload_of("publish=1,query=1");
  EXPECT_FALSE(Requests::make(workload).value().all_answered());
  workload.readings.choose({"publish-reply", "status"});
  EXPECT_TRUE(Requests::make(workload).value().all_answered());
}

struct DeliveryRow {
  std::string name;
  const protocol::Dialect* dialect;
  Width width;
  std::string mix;
  int opcode;  ///< of the push that a connection may get; -1: none
};

class DeliveryOf : public testing::TestWithParam<DeliveryRow> {};

TEST_P(DeliveryOf, are_expected_where_a_connection_is_subscribed) {
  const auto& row = GetParam();
  const auto requests = Requests::make(workload_of(row.mix, row.width, *row.dialect)).value();
  for (int opcode = 0; opcode < 256; ++opcode) {
    EXPECT_EQ(requests.delivery_check(static_cast<std::uint8_t>(opcode)) != nullptr,
              opcode == row.opcode)
        << opcode;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, DeliveryOf,
    testing::Values(
        DeliveryRow{"none_in_2_0", &protocol::throttr_2_0, Width::u64, "query=1", -1},
        DeliveryRow{"none_in_6_0", &protocol::throttr_6_0, Width::u16, "query=1", -1},
        DeliveryRow{"subscribed_in_7_1", &protocol::throttr_7_1, Width::u16, "subscribe=1", 0x03},
        DeliveryRow{"not_subscribed_in_7_1", &protocol::throttr_7_1, Width::u16, "query=1", -1},
        DeliveryRow{"always_in_7_3", &protocol::throttr_7_3, Width::u16, "query=1", 0x19}),
    [](const auto& row) { return row.param.name; });

std::set<std::string> stored_keys(const Requests& requests, const Workload& workload,
                                  std::string_view operation) {
  std::set<std::string> keys;
  for (const SetupStep& step : requests.before()) {
    if (step.part->name != operation) continue;
    protocol::ByteBuffer bytes;
    requests.append(bytes, step, 0);
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
  EXPECT_EQ(requests.after().size(), 300U);
  for (const SetupStep& step : requests.after()) ASSERT_EQ(step.part->name, "purge");
}

TEST(Requests, a_mix_without_keys_stores_none) {
  const auto requests = Requests::make(workload_of("info=1,whoami=1")).value();
  EXPECT_TRUE(requests.before().empty());
  EXPECT_TRUE(requests.after().empty());
}

struct RefusedWorkload {
  std::string name;
  Workload workload;
  std::string message;
};

Workload with(Workload workload, void (*change)(Workload&)) {
  change(workload);
  return workload;
}

Workload reading(Workload workload, protocol::ReadingName reading, protocol::AnswerName answer) {
  EXPECT_TRUE(workload.readings.set(reading, answer));
  return workload;
}

Workload with_value_of(std::uint64_t bytes, Workload workload) {
  workload.value_sizes = bytes;
  return workload;
}

Workload with_prefix_of(std::size_t bytes, Workload workload) {
  workload.key_prefix = std::string(bytes, 'k');
  return workload;
}

class BadWorkload : public testing::TestWithParam<RefusedWorkload> {};

TEST_P(BadWorkload, is_refused_in_one_line) {
  const auto requests = Requests::make(GetParam().workload);
  ASSERT_FALSE(requests);
  EXPECT_EQ(requests.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BadWorkload,
    testing::Values(
        RefusedWorkload{
            "mix", workload_of("frob=1", Width::u64, protocol::throttr_2_0),
            "mix: unknown operation 'frob'; allowed: insert, query, update, increase, decrease, "
            "purge"},
        RefusedWorkload{"unanswered", workload_of("publish=1"),
                        "mix: nothing in 'publish=1' is answered; name one operation that is"},
        RefusedWorkload{"no_keys", with(workload_of("query=1"), [](Workload& w) { w.keys = 0; }),
                        "keys: 0; allowed: 1 to 10000000"},
        RefusedWorkload{"too_many_keys",
                        with(workload_of("query=1"), [](Workload& w) { w.keys = 10'000'001; }),
                        "keys: 10000001; allowed: 1 to 10000000"},
        RefusedWorkload{"value_beyond_the_width",
                        with_value_of(256, workload_of("set=1", Width::u8)),
                        "value size: a value of 256 bytes; allowed: at most 255 (width u8)"},
        RefusedWorkload{"payload_beyond_the_width",
                        with_value_of(256, workload_of("publish=1,query=1", Width::u8)),
                        "value size: a payload of 256 bytes; allowed: at most 255 (width u8)"},
        RefusedWorkload{
            "value_beyond_its_one_byte",
            with_value_of(256, reading(workload_of("get=1"), "set-value-size", "one-byte")),
            "value size: a value of 256 bytes; allowed: at most 255 (set-value-size=one-byte)"},
        RefusedWorkload{
            "value_of_the_maximum",
            with_value_of(255,
                          reading(workload_of("set=1", Width::u8), "maximum-values", "invalid")),
            "value size: a value of 255 bytes; allowed: at most 254 (maximum-values=invalid)"},
        RefusedWorkload{
            "value_of_nothing",
            with_value_of(0, reading(workload_of("set=1"), "empty-names", "refused")),
            "value size: a value of 0 bytes; allowed: at least 1 (empty-names=refused)"},
        RefusedWorkload{"key_too_long", with_prefix_of(253, workload_of("query=1")),
                        "key prefix: a key of 256 bytes; allowed: at most 255 (1-byte size)"},
        RefusedWorkload{
            "consumer_too_long",
            with_prefix_of(256, workload_of("query=1", Width::u64, protocol::throttr_2_0)),
            "key prefix: a consumer_id of 256 bytes; allowed: at most 255 (1-byte size)"},
        RefusedWorkload{
            "consumer_of_nothing",
            with_prefix_of(0, reading(workload_of("query=1", Width::u64, protocol::throttr_2_0),
                                      "empty-names", "refused")),
            "key prefix: a consumer_id of 0 bytes; allowed: at least 1 (empty-names=refused)"},
        RefusedWorkload{
            "delivery_like_a_reply",
            reading(workload_of("subscribe=1,list=1"), "status-prefix", "no"),
            "mix: under status-prefix=no the reply to list cannot be told from a DELIVERY; leave "
            "out subscribe or list"}),
    [](const auto& row) { return row.param.name; });

TEST(Requests, what_no_request_of_the_mix_carries_is_not_bounded) {
  EXPECT_TRUE(Requests::make(with_value_of(60'000, workload_of("query=1", Width::u8))));
}

TEST(Frame, four_digits_of_every_number) {
  for (std::uint32_t number = 0; number < 10'000; ++number) {
    std::array<std::uint8_t, 4> out{};
    write_digits(out.data(), out.size(), number);
    ASSERT_EQ(base::as_text(out), fmt::format("{:04}", number));
    write_digits(out.data(), 2, number % 100);
    ASSERT_EQ(base::as_text(out).substr(0, 2), fmt::format("{:02}", number % 100));
  }
}

TEST(Frame, digits_have_leading_zeros) {
  std::array<std::uint8_t, 6> out{};
  write_digits(out.data(), out.size(), 90'817U);
  EXPECT_EQ(base::as_text(out), "090817");
  write_digits(out.data(), out.size(), 0);
  EXPECT_EQ(base::as_text(out), "000000");
}

}  // namespace
}  // namespace hallmark::loadgen
