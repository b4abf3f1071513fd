#include "base/authority.hpp"

#include <gtest/gtest.h>

namespace hallmark::base {
namespace {

TEST(Authority, SaysWhoAndWhere) {
  const std::pair<const char*, Authority> rows[] = {
      {"h", {"", "", "h", {}}},
      {"127.0.0.1:0", {"", "", "127.0.0.1", 0}},
      {"[::1]:7", {"", "", "::1", 7}},
      {"[fe80::1%eth0]", {"", "", "fe80::1%eth0", {}}},
      {"me@h:7", {"me", "", "h", 7}},
      {":secret@h", {"", "secret", "h", {}}},
      {"a%3Ab:c:d@e@h", {"a:b", "c:d@e", "h", {}}},
  };
  for (const auto& [text, expected] : rows) {
    const auto read = parse_authority(text);
    ASSERT_TRUE(read) << text << ": " << read.error().message;
    EXPECT_EQ(*read, expected) << text;
  }
}

TEST(Authority, NoErrorTellsAPassword) {
  for (const char* const text : {"me:secret@h:x", "me:secret%@h", "me:secret@", "me:secret@[::1"}) {
    const auto read = parse_authority(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().message.find("secret"), std::string::npos) << text;
  }
}

TEST(PercentDecoded, DecodesOrRefuses) {
  EXPECT_EQ(*percent_decoded("a%20b%2F+"), "a b/+");
  for (const char* const text : {"%", "%2", "%zz", "a%2"})
    EXPECT_FALSE(percent_decoded(text)) << text;
}

}  // namespace
}  // namespace hallmark::base
