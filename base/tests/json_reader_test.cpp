#include "base/json_reader.hpp"

#include <gmock/gmock.h>

#include <array>

#include "base/tests/parsed.hpp"

namespace hallmark::base {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

enum class Colour : std::uint8_t { red, green };
std::string_view name_of(Colour colour) { return colour == Colour::red ? "red" : "green"; }
constexpr std::array colours = {Colour::red, Colour::green};

constexpr std::string_view document = R"({
  "name": "abc", "yes": true, "count": 7, "big": "18446744073709551615", "share": 0.5,
  "colour": "green", "list": ["a", "b"], "map": {"x": "1"}, "rules": [{"match": "*"}],
  "below": -1
})";

TEST(JsonReader, GivesWhatItIsAskedFor) {
  const auto read = read_json(document, [](const JsonReader& reader) {
    JsonMembers members(reader);
    EXPECT_EQ(members["name"].string(), "abc");
    EXPECT_TRUE(members["yes"].boolean());
    EXPECT_EQ(members["count"].natural(7, 7), 7U);
    EXPECT_EQ(members["big"].natural_in_string(), ~std::uint64_t{0});
    EXPECT_EQ(members["share"].real(), 0.5);
    EXPECT_EQ(members["colour"].one_of(colours), Colour::green);
    EXPECT_THAT(members["list"].printable_strings(), ElementsAre("a", "b"));
    EXPECT_THAT(members["map"].printable_map(), ElementsAre(Pair("x", "1")));
    EXPECT_EQ(members["rules"].items().size(), 1U);
    EXPECT_FALSE(members.find("absent").has_value());
    EXPECT_TRUE(members.find("below").has_value());
    members.no_more();
    return true;
  });
  EXPECT_TRUE(read.has_value()) << read.error().message;
}

struct Complaint {
  const char* name;
  void (*read)(JsonMembers& members);
  const char* text;
};

class JsonReaderComplains : public ::testing::TestWithParam<Complaint> {};

TEST_P(JsonReaderComplains, WithThePlace) {
  const auto read = read_json(document, [](const JsonReader& reader) {
    JsonMembers members(reader);
    GetParam().read(members);
    return true;
  });
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().message, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    , JsonReaderComplains,
    ::testing::Values(
        Complaint{"string", [](JsonMembers& all) { static_cast<void>(all["count"].string()); },
                  "line 2, column 40: /count: expected a string, came 7"},
        Complaint{"boolean", [](JsonMembers& all) { static_cast<void>(all["list"].boolean()); },
                  "line 3, column 30: /list: expected true or false, came an array"},
        Complaint{"natural",
                  [](JsonMembers& all) { static_cast<void>(all["name"].natural(1, 10)); },
                  "line 2, column 11: /name: expected a whole number from 1 to 10, came \"abc\""},
        Complaint{"too_large",
                  [](JsonMembers& all) { static_cast<void>(all["count"].natural(0, 6)); },
                  "line 2, column 40: /count: expected a whole number from 0 to 6, came 7"},
        Complaint{"negative", [](JsonMembers& all) { static_cast<void>(all["below"].natural()); },
                  "line 4, column 12: /below: expected a whole number from 0, came -1"},
        Complaint{"natural_in_string",
                  [](JsonMembers& all) { static_cast<void>(all["name"].natural_in_string()); },
                  "line 2, column 11: /name: expected a decimal number in a string, came \"abc\""},
        Complaint{"real", [](JsonMembers& all) { static_cast<void>(all["below"].real()); },
                  "line 4, column 12: /below: expected a number from 0, came -1"},
        Complaint{"one_of",
                  [](JsonMembers& all) { static_cast<void>(all["name"].one_of(colours)); },
                  "line 2, column 11: /name: expected one of red, green, came \"abc\""},
        Complaint{"list", [](JsonMembers& all) { static_cast<void>(all["map"].items()); },
                  "line 3, column 49: /map: expected an array, came an object"},
        Complaint{"object", [](JsonMembers& all) { JsonMembers(all["name"]).no_more(); },
                  "line 2, column 11: /name: expected an object, came \"abc\""},
        Complaint{"missing",
                  [](JsonMembers& all) {
                    static_cast<void>(JsonMembers(all["rules"].items()[0])["strategy"]);
                  },
                  "line 3, column 71: /rules/0: 'strategy' is missing"},
        Complaint{"unknown",
                  [](JsonMembers& all) {
                    JsonMembers rule(all["rules"].items()[0]);
                    static_cast<void>(rule.find("strategy"));
                    static_cast<void>(rule.find("quota"));
                    rule.no_more();
                  },
                  "line 3, column 81: /rules/0/match: unknown member, expected one of strategy, "
                  "quota"}),
    [](const auto& row) { return row.param.name; });

TEST(JsonReader, ShowsNothingThatSteersATerminal) {
  const auto read = read_json("{\"\\u001b\": \"\\u009b\"}", [](const JsonReader& reader) {
    return reader.members()[0].second.natural();
  });
  EXPECT_EQ(read.error().message,
            "line 1, column 12: /\\x1b: expected a whole number from 0, came \"\\xc2\\x9b\"");
}

TEST(JsonReader, RefusesWhatSteersATerminalWhereItWouldBeShown) {
  const auto read = [](std::string_view text) {
    return read_json(text,
                     [](const JsonReader& reader) {
                       return reader.json().is_array() ? reader.printable_strings().size()
                                                       : reader.printable_map().size();
                     })
        .error()
        .message;
  };
  EXPECT_EQ(read(R"(["a", "\u001b[31m"])"),
            "line 1, column 7: /1: expected a string without control characters, came "
            "\"\\u001b[31m\"");
  EXPECT_EQ(read(R"({"\u202e": "a"})"),
            "line 1, column 12: /\\xe2\\x80\\xae: expected a name without control characters");
}

TEST(JsonReader, ShortensWhatCame) {
  const Json json(std::string(1'000'000, 'x'));
  const auto read = read_document(json, [](const JsonReader& reader) { return reader.boolean(); });
  EXPECT_EQ(read.error().message,
            "the document: expected true or false, came \"" + std::string(58, 'x') + "…");
}

}  // namespace
}  // namespace hallmark::base
