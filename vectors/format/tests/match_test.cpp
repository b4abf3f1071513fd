#include "vectors/format/match.hpp"

#include <gmock/gmock.h>

#include "base/hex.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::vectors {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const protocol::Readings deployed(protocol::throttr_7_1, protocol::Profile::deployed);

FieldPattern pattern(std::string field, Match match, Value value = std::uint64_t{0}) {
  FieldPattern result;
  result.field = std::move(field);
  result.match = match;
  result.value = std::move(value);
  return result;
}

/// Plays one reply against one expectation, with a given time between request and reply.
class Judge {
 public:
  explicit Judge(std::string operation, Elapsed elapsed = {}) {
    expected_.message = std::move(operation);
    context_.captures = &captures_;
    context_.elapsed_since = [elapsed](std::size_t) { return elapsed; };
  }

  Judge& field(FieldPattern p) {
    expected_.fields.push_back(std::move(p));
    return *this;
  }

  std::vector<Mismatch> operator()(std::string_view hex) {
    const auto layout = *layout_of(expected_, protocol::Width::u16, deployed);
    const Bytes bytes = *base::from_hex(hex);
    protocol::Decoder decoder(layout);
    EXPECT_EQ(decoder.resume(bytes), protocol::Decoder::State::complete);
    return match(expected_, protocol::MessageView(decoder, bytes), context_);
  }

  Expected& expected() { return expected_; }
  std::map<std::string, Value>& captures() { return captures_; }

 private:
  Expected expected_;
  std::map<std::string, Value> captures_;
  Context context_;
};

Judge query_found(FieldPattern ttl, Elapsed elapsed = {}) {
  Judge judge("QUERY", elapsed);
  judge.field(pattern("status", Match::equals, 1UL)).field(pattern("quota", Match::equals, 7UL));
  judge.field(pattern("ttl_type", Match::equals, 4UL)).field(std::move(ttl));
  return judge;
}

FieldPattern remaining(std::uint64_t full, std::uint64_t unit_ns) {
  FieldPattern p = pattern("ttl", Match::remaining);
  p.lifetime = {full, unit_ns, 0};
  return p;
}

TEST(Match, AcceptsWhatIsEqual) {
  EXPECT_THAT(query_found(pattern("ttl", Match::any))("010700043b00"), IsEmpty());
}

TEST(Match, NamesTheFieldItsPlaceAndBothValues) {
  const auto mismatches = query_found(pattern("ttl", Match::any))("010800043b00");
  ASSERT_THAT(mismatches, SizeIs(1));
  EXPECT_EQ(mismatches[0].field, "quota");
  EXPECT_EQ(mismatches[0].offset, 1U);
  EXPECT_EQ(mismatches[0].length, 2U);
  EXPECT_EQ(mismatches[0].expected, "7");
  EXPECT_EQ(mismatches[0].received, "8");
}

TEST(Match, FailureWhereSuccessWasExpectedIsOneMismatch) {
  const auto mismatches = query_found(pattern("ttl", Match::any))("00");
  ASSERT_THAT(mismatches, SizeIs(1));
  EXPECT_EQ(mismatches[0].field, "status");
}

TEST(Match, SuccessWhereFailureWasExpectedIsAMismatch) {
  Judge judge("QUERY");
  judge.field(pattern("status", Match::equals, 0UL));
  const auto mismatches = judge("010700043b00");
  ASSERT_THAT(mismatches, SizeIs(1));
  EXPECT_EQ(mismatches[0].field, "status");
}

TEST(Match, RefusesFieldsThatNobodyExpected) {
  Judge judge("QUERY");
  judge.field(pattern("status", Match::any));
  const auto mismatches = judge("010700043b00");
  ASSERT_THAT(mismatches, SizeIs(1));
  EXPECT_EQ(mismatches[0].field, "quota");
  EXPECT_EQ(mismatches[0].expected, "nothing");
}

constexpr std::uint64_t second = 1'000'000'000;

struct TtlRow {
  const char* name;
  Elapsed elapsed;
  const char* reply;
  bool right;
};

class TtlLeft : public ::testing::TestWithParam<TtlRow> {};

TEST_P(TtlLeft, IsJudgedByTheInterval) {
  Judge judge = query_found(remaining(60, second), GetParam().elapsed);
  EXPECT_EQ(judge(GetParam().reply).empty(), GetParam().right);
}

INSTANTIATE_TEST_SUITE_P(
    Match, TtlLeft,
    ::testing::Values(TtlRow{"nothing_elapsed", {0, 0}, "010700043c00", true},
                      TtlRow{"rounded_down", {1, 1}, "010700043b00", true},
                      TtlRow{"not_rounded_up", {1, 1}, "010700043c00", false},
                      TtlRow{"either_side", {0, 2 * second}, "010700043a00", true},
                      TtlRow{"more_than_set", {0, 2 * second}, "010700043d00", false},
                      TtlRow{"too_little", {0, 2 * second}, "010700043900", false},
                      TtlRow{"over_for_certain", {60 * second, 61 * second}, "010700040000", false},
                      TtlRow{"perhaps_over", {59 * second, 61 * second}, "010700040000", true}),
    [](const auto& row) { return row.param.name; });

TEST(RemainingOf, IsExactForTheLongestLifetime) {
  const std::uint64_t most = ~std::uint64_t{0};
  const auto left = remaining_of({most, 3'600 * second, 0}, {1, 1});
  ASSERT_TRUE(left.has_value());
  EXPECT_EQ(left->most, most - 1);
  EXPECT_FALSE(may_be_over({most, 3'600 * second, 0}, {0, most}));
}

TEST(RemainingOf, CountsWholeMillisecondsOnly) {
  constexpr std::uint64_t millisecond = second / 1'000;
  const auto left_after = [](std::uint64_t passed) {
    return remaining_of({60'000, millisecond, 0}, {passed, passed + millisecond / 2}).value();
  };
  EXPECT_EQ(left_after(millisecond / 10).most, 60'000U);
  EXPECT_EQ(left_after(millisecond / 10).least, 59'999U);
  EXPECT_EQ(left_after(2 * millisecond).most, 59'998U);
}

TEST(Match, AGoneRecordIsRightOnlyOnceItsTimeMayBeOver) {
  for (const bool over : {false, true}) {
    Judge judge("QUERY", {0, over ? 60 * second : 60 * second - 1});
    judge.field(pattern("status", Match::equals, 0UL)).expected().only_after =
        Lifetime{60, second, 0};
    EXPECT_EQ(judge("00").empty(), over);
  }
}

TEST(Match, CapturesAndCompares) {
  Judge first("WHOAMI");
  FieldPattern id = pattern("id", Match::capture);
  id.capture = "own";
  first.field(pattern("status", Match::equals, 1UL)).field(id);
  ASSERT_THAT(first("01" + std::string(32, 'a')), IsEmpty());
  ASSERT_TRUE(first.captures().contains("own"));

  Judge second_time("WHOAMI");
  id.match = Match::captured;
  second_time.captures() = first.captures();
  second_time.field(pattern("status", Match::equals, 1UL)).field(id);
  EXPECT_THAT(second_time("01" + std::string(32, 'a')), IsEmpty());
  EXPECT_THAT(second_time("01" + std::string(32, 'b')), SizeIs(1));
}

/// A listing of counters by these keys, a fragment a key.
std::string listing(std::initializer_list<std::string_view> keys) {
  std::vector<Record> fragments;
  for (const std::string_view key : keys) {
    const Record entry{{"key_type", 0UL},
                       {"ttl_type", 4UL},
                       {"time_point", 9UL},
                       {"bytes_used", 2UL},
                       {"key", base::to_bytes(key)}};
    fragments.push_back(
        {{"fragment", fragments.size() + 1UL}, {"keys", std::vector<Record>{entry}}});
  }
  const auto layout = protocol::Layout::reply(*find_operation(protocol::throttr_7_1, "LIST"),
                                              protocol::Width::u16, deployed);
  return base::to_hex(
      protocol::encode(layout, {{"status", 1UL}, {"fragments", fragments}}).value());
}

std::vector<Mismatch> mismatches_of(bool exactly, std::initializer_list<std::string_view> keys) {
  FieldPattern set = pattern("keys", Match::set_of);
  set.exactly = exactly;
  for (const char* key : {"a", "b"}) {
    set.entries.push_back({{pattern("key_type", Match::equals, 0UL),
                            pattern("key", Match::equals, base::to_bytes(key))}});
  }
  Judge judge("LIST");
  judge.field(pattern("status", Match::equals, 1UL)).field(set);
  return judge(listing(keys));
}

TEST(SetOf, IgnoresOrderAndFragments) {
  EXPECT_THAT(mismatches_of(true, {"a", "b"}), IsEmpty());
  EXPECT_THAT(mismatches_of(true, {"b", "a"}), IsEmpty());
}

TEST(SetOf, AllowsOthersUnlessExact) {
  EXPECT_THAT(mismatches_of(false, {"c", "b", "a", "d"}), IsEmpty());
  ASSERT_THAT(mismatches_of(true, {"c", "b", "a", "d"}), SizeIs(1));
  EXPECT_EQ(mismatches_of(true, {"c", "b", "a", "d"})[0].received, "2 others");
}

TEST(SetOf, WantsEachOnce) {
  ASSERT_THAT(mismatches_of(false, {"a"}), SizeIs(1));
  EXPECT_THAT(mismatches_of(false, {"a"})[0].expected, HasSubstr("\"b\""));
  EXPECT_EQ(mismatches_of(false, {"a"})[0].received, "0 times");
  EXPECT_EQ(mismatches_of(false, {"a", "b", "b"})[0].received, "2 times");
}

/// A GET whose value is to be the digits of what was captured.
Judge digits_of(const Value& captured) {
  Judge judge("GET");
  for (const char* const field : {"status", "ttl_type", "ttl"})
    judge.field(pattern(field, Match::any));
  FieldPattern value = pattern("value", Match::captured_hex);
  value.capture = "own";
  judge.field(value);
  judge.captures()["own"] = captured;
  return judge;
}

TEST(Match, BytesAreFoundAgainAsTheirDigits) {
  EXPECT_THAT(digits_of(Bytes{0xab, 0x0c})("010401000400"
                                           "61623063"),
              IsEmpty());
  const auto upper_case = digits_of(Bytes{0xab, 0x0c})(
      "010401000400"
      "41423063");
  ASSERT_THAT(upper_case, SizeIs(1));
  EXPECT_EQ(upper_case[0].expected, "\"ab0c\"");
  EXPECT_THAT(digits_of(Bytes{0xab, 0x0c})("010401000200"
                                           "ab0c"),
              SizeIs(1));
}

}  // namespace
}  // namespace hallmark::vectors
