#include "protocol/rules/ratelimit_star_places.hpp"

#include <gmock/gmock.h>

#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::protocol::ratelimit {
namespace {

using ::testing::MatchesRegex;

struct StarPattern {
  const char* pattern;
  std::string key;          ///< as a regular expression
  bool in_network = false;  ///< its addresses may be those of real users
};

void PrintTo(const StarPattern& row, std::ostream* out) { *out << row.pattern; }

class StarPlacesOf : public ::testing::TestWithParam<StarPattern> {};

TEST_P(StarPlacesOf, MakeKeysAsItsWordsSay) {
  const std::string line = std::string("1/1 strict \"") + GetParam().pattern + "\"";
  const auto rules = Rules::parse(line);
  ASSERT_TRUE(rules) << to_string(rules.error(), line);
  const Pattern& pattern = rules->rules()[0].pattern;
  const StarPlaces found = star_places(pattern);
  EXPECT_EQ(found.in_network, GetParam().in_network);
  for (std::uint64_t number = 0; number < 20; ++number) {
    const std::string key = KeyTemplate::of(pattern, found.places).key({7, number});
    EXPECT_TRUE(pattern.matches(key)) << key;
    EXPECT_THAT(key, MatchesRegex(GetParam().key));
  }
}

const std::string address = "24[0-7](\\.[0-9]+){3}";
const std::string text = "hallmark:[0-9a-f]{16}:[0-9]+";

const StarPattern star_patterns[] = {
    {"ws ip=*", "ws ip=" + address},
    {"ws client_ip=* ua=*", "ws client_ip=" + address + " ua=" + text},
    {"remote-addr:*", "remote-addr:" + address},
    {"IP *", "IP " + address},
    {"ws ip6=*", "ws ip6=2001:db8:[0-9a-f:]+"},
    {"net *.*.*.*", "net " + address},
    {"*.*.*.*/24", address + "/24"},
    {"ws ip=10.*", "ws ip=10(\\.[0-9]+){3}", true},
    {"ws ip=10.*.*", "ws ip=10(\\.[0-9]+){3}", true},
    {"ws ip=192.168.*.*", "ws ip=192\\.168(\\.[0-9]+){2}", true},
    {"ws ip=24*", "ws ip=24(\\.[0-9]+){3}", true},
    {"ws ip=*.5", "ws ip=24[0-7](\\.[0-9]+){2}\\.5", true},
    {"ws ip=*.example", "ws ip=" + address + "\\.example"},
    {"zip=*", "zip=" + text},
    {"version 1.*", "version 1\\." + text},
    {"*.*", text + "\\." + text},
    {"*", text},
    {"ws ip=1.2.3.4*", "ws ip=1\\.2\\.3\\.4", true},
    {"a.b.c.d.*", "a\\.b\\.c\\.d\\." + text}};

INSTANTIATE_TEST_SUITE_P(Rows, StarPlacesOf, ::testing::ValuesIn(star_patterns),
                         [](const auto& row) { return "Row" + std::to_string(row.index); });

}  // namespace
}  // namespace hallmark::protocol::ratelimit
