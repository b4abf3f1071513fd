#include "vectors/format/layouts.hpp"

#include <gmock/gmock.h>

#include <regex>

#include "base/json.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;

Json layouts_of(const protocol::Dialect& dialect) {
  auto json = base::parse_json(write_layouts(dialect));
  EXPECT_TRUE(json.has_value()) << json.error().message;
  return std::move(*json);
}

const Json& message_of(const Json& layouts, std::string_view kind, std::string_view name) {
  for (const Json& one : layouts["messages"].items()) {
    if (one["kind"] == Json(kind) && one["message"] == Json(name)) return one["fields"];
  }
  ADD_FAILURE() << "no " << kind << " " << name;
  return layouts["messages"];
}

const Json& field_of(const Json& fields, std::string_view name) {
  for (const Json& one : fields.items()) {
    if (one["name"] == Json(name)) return one;
  }
  ADD_FAILURE() << "no field " << name;
  return fields;
}

TEST(Layouts, SayTheSizesOfAllWidths) {
  const Json layouts = layouts_of(protocol::throttr_7_1);
  const Json& insert = message_of(layouts, "request", "INSERT");
  EXPECT_EQ(insert[0].dump(), R"({"name":"opcode","kind":"constant","size":1,"hex":"01"})");
  EXPECT_EQ(field_of(insert, "quota")["size"].dump(), R"({"u8":1,"u16":2,"u32":4,"u64":8})");
  EXPECT_EQ(field_of(insert, "key_size")["of"], Json("key"));
  EXPECT_EQ(field_of(insert, "ttl_type")["choices"]["04"], Json("seconds"));
  const Json& query = message_of(layouts, "reply", "QUERY");
  EXPECT_EQ(field_of(query, "status")["on_success"], Json());
  EXPECT_EQ(field_of(query, "ttl")["on_success"], Json(true));
  EXPECT_EQ(layouts["answers"]["deployed"].size(), protocol::throttr_7_1.readings.size());
}

TEST(Layouts, NameTheAnswerUnderWhichAFieldIsThere) {
  const Json layouts = layouts_of(protocol::ratelimit_udp);
  const Json& stats = message_of(layouts, "reply", "get_stats");
  EXPECT_EQ(field_of(stats, " n_over=")["when"]["stats-field"], Json("n_over"));
  EXPECT_EQ(field_of(stats, " over=")["when"]["stats-field"], Json("over"));
}

/// True if the pattern of that field takes the text.
bool takes(const protocol::Dialect& dialect, std::string_view kind, std::string_view message,
           std::string_view field, const std::string& text) {
  const Json layouts = layouts_of(dialect);
  const std::string pattern =
      field_of(message_of(layouts, kind, message), field)["pattern"].string();
  return std::regex_match(text, std::regex(pattern));
}

TEST(Layouts, PatternsTakeWhatTheCodecTakes) {
  const auto keys = [](const char* text) {
    return takes(protocol::ratelimit_udp, "reply", "get_size", "keys", text);
  };
  for (const char* const right :
       {"0", "7", "10", "99", "18446744073709551615", "9999999999999999999"})
    EXPECT_TRUE(keys(right)) << right;
  for (const char* const wrong :
       {"", "00", "07", "-1", "1.0", "18446744073709551616", "20000000000000000000"})
    EXPECT_FALSE(keys(wrong)) << wrong;
  const auto tat = [](const char* text) {
    return takes(protocol::ratelimit_state, "format", "gcra/42", "tat", text);
  };
  for (const char* const right : {"0", "-1", "9223372036854775807", "-9223372036854775808"})
    EXPECT_TRUE(tat(right)) << right;
  for (const char* const wrong : {"-0", "9223372036854775808", "-9223372036854775809", "+1"})
    EXPECT_FALSE(tat(wrong)) << wrong;
  const auto count = [](const char* text) {
    return takes(protocol::ratelimit_state, "format", "fixed-window/23", "quota_count", text);
  };
  EXPECT_TRUE(count("1") && count("8"));
  EXPECT_FALSE(count("0") || count("9") || count("10"));
}

}  // namespace
}  // namespace hallmark::vectors
