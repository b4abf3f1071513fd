#include "vectors/format/invalid.hpp"

#include <gmock/gmock.h>

#include "base/hex.hpp"

namespace hallmark::vectors {
namespace {

using testing::HasSubstr;

/// Two widths of one message; what only one of them has, too.
std::vector<InvalidFile> two_widths() {
  InvalidMessage narrow;
  narrow.message = "QUERY";
  narrow.fields.set("status", std::uint64_t{1});
  narrow.valid = *base::from_hex("0105040c");
  narrow.invalid = {{"cut:ttl", Illegal::truncated, "ttl", *base::from_hex("010504"), {}},
                    {"surplus", Illegal::surplus, "", *base::from_hex("0105040c00"), {}},
                    {"beyond:quota", Illegal::beyond_width, "quota", {}, {}}};
  narrow.invalid.back().change.set("quota", std::uint64_t{256});
  InvalidMessage wide = narrow;
  wide.valid = *base::from_hex("010500040c00");
  wide.invalid = {{"cut-inside:ttl", Illegal::truncated, "ttl", *base::from_hex("010500040c"), {}}};
  return {{"throttr-7.1", protocol::Width::u8, {narrow}},
          {"throttr-7.1", protocol::Width::u16, {wide}}};
}

TEST(InvalidFiles, ReadBackAsTheyWereWritten) {
  const auto files = two_widths();
  const std::string text = write_json(files);
  const auto again = read_invalid_json(text);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, files);
  EXPECT_THAT(
      text,
      HasSubstr(
          R"({"id": "cut:ttl", "widths": ["u8"], "kind": "truncated", "field": "ttl", "first": 3})"));
}

std::string why_refused(std::string_view before, std::string_view after) {
  std::string text = write_json(two_widths());
  const auto at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  const auto read = read_invalid_json(text.replace(at, before.size(), after));
  return read.has_error() ? read.error().message : "is read";
}

TEST(InvalidFiles, ThatAreWrongAreRefusedWithThePlace) {
  EXPECT_THAT(why_refused("\"first\": 3", "\"first\": 4"), HasSubstr("a number below 4"));
  EXPECT_THAT(why_refused("\"truncated\"", "\"broken\""), HasSubstr("one of truncated, surplus"));
  EXPECT_THAT(why_refused("\"QUERY\"", "\"ASK\""), HasSubstr("the name of a reply of throttr-7.1"));
  EXPECT_THAT(why_refused("\"quota\": 256", "\"qouta\": 256"), HasSubstr("unknown field"));
  EXPECT_THAT(why_refused("\"format\": 1", "\"format\": 9"), HasSubstr("expected 1"));
  EXPECT_THAT(why_refused("throttr-7.1", "throttr-9.9"), HasSubstr("throttr-7.1"));
  EXPECT_THAT(why_refused("\"surplus\"", "\"cut:ttl\""), HasSubstr("an id given twice"));
  EXPECT_THAT(why_refused("\"u16\"", "\"u8\""), HasSubstr("a width given twice"));
}

}  // namespace
}  // namespace hallmark::vectors
