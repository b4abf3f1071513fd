#include "loadgen/base64.hpp"

#include <gtest/gtest.h>

namespace hallmark::loadgen {
namespace {

struct Row {
  std::string name;
  std::string plain;
  std::string encoded;
};

// RFC 4648, section 10.
const std::vector<Row> rows = {{"empty", "", ""},
                               {"f", "f", "Zg=="},
                               {"fo", "fo", "Zm8="},
                               {"foo", "foo", "Zm9v"},
                               {"foob", "foob", "Zm9vYg=="},
                               {"fooba", "fooba", "Zm9vYmE="},
                               {"foobar", "foobar", "Zm9vYmFy"},
                               {"every_alphabet_end", "\xff\xef\xbe", "/+++"}};

class Base64Rows : public testing::TestWithParam<Row> {};

TEST_P(Base64Rows, encode) {
  const auto& row = GetParam();
  const std::vector<std::uint8_t> bytes(row.plain.begin(), row.plain.end());
  EXPECT_EQ(base64_encode(bytes), row.encoded);
}

TEST_P(Base64Rows, decode) {
  const auto& row = GetParam();
  const auto bytes = base64_decode(row.encoded);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(std::string(bytes->begin(), bytes->end()), row.plain);
}

INSTANTIATE_TEST_SUITE_P(Rfc4648, Base64Rows, testing::ValuesIn(rows),
                         [](const auto& row) { return row.param.name; });

TEST(Base64, refuses_what_is_not_base64) {
  for (const auto* text : {"Z", "Zg", "Zg=", "Z===", "Zm9v!m9v", "=m9v", "Zg==Zg==", "Zm 9"}) {
    EXPECT_FALSE(base64_decode(text)) << text;
  }
}

}  // namespace
}  // namespace hallmark::loadgen
