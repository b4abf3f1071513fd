#include "base/base64.hpp"

#include <gtest/gtest.h>

namespace hallmark::base {
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

TEST_P(Base64Rows, AreWritten) {
  EXPECT_EQ(to_base64(as_bytes(GetParam().plain)), GetParam().encoded);
}

TEST_P(Base64Rows, AreRead) {
  EXPECT_EQ(from_base64(GetParam().encoded), to_bytes(GetParam().plain));
  EXPECT_EQ(*from_any_base64(GetParam().encoded), to_bytes(GetParam().plain));
}

INSTANTIATE_TEST_SUITE_P(Rfc4648, Base64Rows, testing::ValuesIn(rows),
                         [](const auto& row) { return row.param.name; });

TEST(Base64, RefusesWhatItDoesNotWrite) {
  for (const auto* text : {"Z", "Zg", "Zg=", "Z===", "====", "Zm9v!m9v", "=m9v", "Zg==Zg==", "Zm 9",
                           "Zm9v\n", "Zm9\n", "-_8=", "Zg=\n", "Zh==", "Zm9="}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
}

TEST(AnyBase64, HasEitherAlphabetAndBlanksAndPaddingOrNone) {
  const Bytes bytes = {0x02, 0x03, 0x61, 0x62, 0x63};
  EXPECT_EQ(*from_any_base64("AgNhYmM"), bytes);
  EXPECT_EQ(*from_any_base64("AgNh\r\nYm M=\n"), bytes);
  EXPECT_EQ(*from_any_base64("-_8="), (Bytes{0xfb, 0xff}));
  EXPECT_EQ(*from_any_base64("+/8"), (Bytes{0xfb, 0xff}));
  EXPECT_EQ(*from_any_base64(" \n"), Bytes{});
}

struct Bad {
  const char* text;
  const char* message;
};

TEST(AnyBase64, ErrorsNameWhatIsNotBase64) {
  for (const auto& [text, message] : {Bad{"AgN!", "not base64: '!' after 3 digits"},
                                      Bad{"Ag=h", "not base64: 'h' after 2 digits"},
                                      Bad{"Ag\x1b", "not base64: byte 1b after 2 digits"},
                                      Bad{"AgNhY", "not base64: 5 digits and 0 of padding"},
                                      Bad{"AgN==", "not base64: 3 digits and 2 of padding"},
                                      Bad{"A===", "not base64: 1 digits and 3 of padding"}}) {
    const auto bytes = from_any_base64(text);
    ASSERT_FALSE(bytes) << text;
    EXPECT_EQ(bytes.error().message, message);
  }
}

}  // namespace
}  // namespace hallmark::base
