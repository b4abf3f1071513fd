#include "protocol/text/text.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "protocol/codec/decode.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/ratelimit_udp.hpp"

namespace hallmark::protocol {
namespace {

const Readings deployed(tables::ratelimit_udp, Profile::deployed);
const Readings with_over = [] {
  Readings readings(tables::ratelimit_udp, Profile::deployed);
  readings.choose({"stats-field", "over"});
  return readings;
}();

Layout text_request(MessageName operation) {
  return Layout::request(*find_operation(tables::ratelimit_udp, operation), Width::none, deployed);
}

Layout text_reply(MessageName operation, const Readings& readings = deployed) {
  return Layout::reply(*find_operation(tables::ratelimit_udp, operation), Width::none, readings);
}

std::string encoded(const Layout& layout, const Record& values) {
  const auto bytes = encode(layout, values);
  return bytes ? std::string(base::as_text(*bytes))
               : bytes.error().field + " " + bytes.error().reason;
}

std::string why_not(const Layout& layout, std::string_view message) {
  const auto decoded = decode(layout, base::as_bytes(message));
  if (decoded) return "";
  return decoded.error().field + "@" + std::to_string(decoded.error().offset) + " " +
         decoded.error().reason;
}

TEST(Text, DecimalsAreWrittenAsPrintfDoes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t number = random() >> (random() % 64);
    char out[text::most_decimal_bytes];
    const std::string_view written(out, text::write_decimal(out, number, 1));
    char expected[32];
    std::snprintf(expected, sizeof expected, "%llu.%llu",
                  static_cast<unsigned long long>(number / 10),
                  static_cast<unsigned long long>(number % 10));
    EXPECT_EQ(written, expected);
    const auto read = text::decimal_at_front(written, 1);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->number, number);
    EXPECT_EQ(read->length, written.size());
  }
}

TEST(Text, DecimalsInAnyOtherFormAreNone) {
  for (const char* const wrong : {"", "-1", "+1", "01", "00", ".5", "x", " 1",
                                  "18446744073709551616", "99999999999999999999"}) {
    EXPECT_FALSE(text::decimal_at_front(wrong, 0)) << wrong;
  }
  for (const char* const wrong :
       {"1", "1.", "1.x", "1.23", "01.2", "-0.0", "1,5", "1844674407370955161.6"}) {
    EXPECT_FALSE(text::decimal_at_front(wrong, 1)) << wrong;
  }
  EXPECT_EQ(text::decimal_at_front("18446744073709551615 x", 0)->number, ~std::uint64_t{0});
  EXPECT_EQ(text::decimal_at_front("0.0 x", 1)->length, 3U);
}

TEST(Text, MessagesEncodeAsTheDocumentShows) {
  EXPECT_EQ(encoded(text_request("over_limit"),
                    {{"request_id", base::to_bytes("1173")}, {"key", base::to_bytes("ws global")}}),
            "1173 over_limit ws global");
  EXPECT_EQ(encoded(text_reply("over_limit"), {{"request_id", base::to_bytes("1173")},
                                               {"over", std::uint64_t{'N'}},
                                               {"rate", std::uint64_t{20343}},
                                               {"limit", std::uint64_t{25000}},
                                               {"period", std::uint64_t{10}}}),
            "1173 ok N 2034.3 2500.0 10");
  const Record statistics = {{"n_req", std::uint64_t{2}},
                             {"n_over", std::uint64_t{1}},
                             {"last_max_rate", std::uint64_t{1}},
                             {"key", base::to_bytes("some-key")}};
  EXPECT_EQ(encoded(text_reply("get_stats"), statistics),
            "n_req=2 n_over=1 last_max_rate=1 key=some-key");
  EXPECT_EQ(encoded(text_reply("get_stats", with_over), statistics),
            "n_req=2 over=1 last_max_rate=1 key=some-key");
  EXPECT_EQ(
      encoded(text_reply("get_size"), {{"size", base::to_bytes("4k")}, {"keys", std::uint64_t{3}}}),
      "size=4k keys=3");
  EXPECT_EQ(encoded(text_request("ping"), {}), "ping");
}

TEST(Text, ValuesThatWouldChangeTheMessageAreRefused) {
  EXPECT_EQ(encoded(text_request("ping"), {{"request_id", base::to_bytes("-1")}}),
            "request_id is no row of decimal digits");
  EXPECT_EQ(encoded(text_request("get_stats"), {{"key", base::to_bytes("a\nb")}}),
            "key holds a newline");
  EXPECT_EQ(
      encoded(text_reply("get_size"), {{"size", base::to_bytes("")}, {"keys", std::uint64_t{0}}}),
      "size is empty");
  EXPECT_EQ(encoded(text_request("get_stats"), {}), "key has no value");
}

TEST(Text, DecodingSaysWhereItStops) {
  EXPECT_EQ(why_not(text_request("ping"), "PING"), "ping@0 \"ping\" was expected");
  EXPECT_EQ(why_not(text_request("ping"), "123  ping"), "ping@4 \"ping\" was expected");
  EXPECT_EQ(why_not(text_request("ping"), "5"), "ping@0 \"ping\" was expected");
  EXPECT_EQ(why_not(text_request("ping"), "ping "), "@4 1 byte is left over");
  EXPECT_EQ(why_not(text_request("get_stats"), "get_stats"),
            "get_stats @0 \"get_stats \" was expected");
  EXPECT_EQ(why_not(text_request("get_stats"), "get_stats a\nb"), "key@11 holds a newline");
  EXPECT_EQ(why_not(text_reply("over_limit"), "ok N 1.25 22.0 20"),
            "rate@5 is not an unsigned number with 1 digit behind a point");
  EXPECT_EQ(why_not(text_reply("over_limit"), "ok X 1.0 22.0 20"), "over@3 58 is not listed");
  EXPECT_EQ(why_not(text_reply("over_limit"), "ok"), "ok @0 \"ok \" was expected");
  EXPECT_EQ(why_not(text_reply("over_limit"), "ok "), "over@3 is missing");
  EXPECT_EQ(why_not(text_reply("get_size"), "size= keys=1"), "size@5 is empty");
  EXPECT_EQ(why_not(text_reply("get_stats"), "n_req=2 over=1 last_max_rate=1 key=k"),
            " n_over=@7 \" n_over=\" was expected");
}

TEST(Text, IdsKeepEveryDigit) {
  for (const char* const id : {"0", "000867465", "394769760968709384567"}) {
    const auto record = decode(text_reply("ping"), base::as_bytes(std::string(id) + " pong"));
    ASSERT_TRUE(record) << id;
    EXPECT_EQ(*record, (Record{{"request_id", base::to_bytes(id)}}));
  }
  EXPECT_EQ(*decode(text_reply("ping"), base::as_bytes("pong")), Record{});
}

/// Words of the dialect and what is nearly one, put together at random.
std::string random_message(std::mt19937_64& random) {
  static const char* const pieces[] = {"1173",      "000",      " ",      "over_limit",
                                       "get_stats", "get_size", "ping",   "pong",
                                       "ok ",       "Y",        "N",      "X",
                                       ".",         "22.0",     "1.5",    "20",
                                       "n_req=",    " n_over=", " over=", " last_max_rate=",
                                       " key=",     "size=",    " keys=", "ws ip=1",
                                       "\n",        "\xff",     "4k"};
  std::string message;
  for (auto n = random() % 12; n > 0; --n) message += pieces[random() % std::size(pieces)];
  return message;
}

template <class M>
void compare(const Layout& layout, const Readings& readings, base::ByteView message) {
  const auto generic = decode(layout, message);
  typename M::View view;
  const bool fast = fast_text::decode<M>(message, readings, view);
  ASSERT_EQ(fast, generic.has_value()) << base::as_text(message);
  if (!fast) return;
  const auto again = encode(layout, *generic);
  ASSERT_TRUE(again);
  EXPECT_EQ(base::as_text(*again), base::as_text(message));
}

template <std::size_t... I>
void compare_all(const Readings& readings, base::ByteView message, std::index_sequence<I...>) {
  (compare<fast_text::Request<tables::ratelimit_udp, I>>(
       Layout::request(tables::ratelimit_udp.operations[I], Width::none, readings), readings,
       message),
   ...);
  (compare<fast_text::Reply<tables::ratelimit_udp, I>>(
       Layout::reply(tables::ratelimit_udp.operations[I], Width::none, readings), readings,
       message),
   ...);
}

TEST(FastText, AgreesWithTheGenericWalkerOnAnything) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i) {
    const std::string message = random_message(random);
    for (const Readings* const readings : {&deployed, &with_over})
      compare_all(*readings, base::as_bytes(message),
                  std::make_index_sequence<tables::ratelimit_udp.operations.size()>{});
  }
}

TEST(FastText, EncodesWhatTheGenericWalkerEncodes) {
  using OverLimit = fast_text::Reply<tables::ratelimit_udp,
                                     fast::operation_index(tables::ratelimit_udp, "over_limit")>;
  using Stats = fast_text::Reply<tables::ratelimit_udp,
                                 fast::operation_index(tables::ratelimit_udp, "get_stats")>;
  std::mt19937_64 random(13);
  for (int i = 0; i < 500; ++i) {
    const std::string id = i % 3 == 0 ? "" : std::to_string(random());
    const std::uint64_t rate = random() >> (random() % 64);
    Record record = {{"over", std::uint64_t{'Y'}},
                     {"rate", rate},
                     {"limit", std::uint64_t{220}},
                     {"period", std::uint64_t{20}}};
    if (!id.empty()) record.set("request_id", base::to_bytes(id));
    ByteBuffer out;
    const std::size_t size = fast_text::encode<OverLimit>(
        out, deployed,
        values("request_id"_f = std::string_view(id), "over"_f = 'Y', "rate"_f = rate,
               "limit"_f = std::uint64_t{220}, "period"_f = std::uint64_t{20}));
    EXPECT_EQ(size, out.size());
    EXPECT_EQ(base::as_text(out.view()), encoded(text_reply("over_limit"), record));
    OverLimit::View view;
    ASSERT_TRUE(fast_text::decode<OverLimit>(out.view(), deployed, view));
    EXPECT_EQ(view.number<"rate">(), rate);
    EXPECT_EQ(view.number<"over">(), std::uint64_t{'Y'});
    EXPECT_EQ(view.has<"request_id">(), !id.empty());
    EXPECT_EQ(view.text<"request_id">(), id);
  }
  ByteBuffer out;
  fast_text::encode<Stats>(
      out, with_over,
      values("request_id"_f = std::string_view("7"), "n_req"_f = 2U, "n_over"_f = 1U,
             "last_max_rate"_f = 1U, "key"_f = std::string_view("some-key")));
  EXPECT_EQ(base::as_text(out.view()), "7 n_req=2 over=1 last_max_rate=1 key=some-key");
}

}  // namespace
}  // namespace hallmark::protocol
