#include "conformance/certificate/lines.hpp"

#include <gmock/gmock.h>

namespace hallmark::certificate {
namespace {

using conformance::Crossing;
using conformance::Part;
using conformance::Shared;
using Kind = Crossing::Kind;
using Outcome = Crossing::Outcome;

Crossing crossing(Kind kind, std::uint32_t link, conformance::Time took,
                  const base::Bytes& bytes = {}, Outcome outcome = Outcome::done) {
  Crossing made;
  made.kind = kind;
  made.link = link;
  made.took = took;
  made.bytes = conformance::Packed(bytes);
  made.outcome = outcome;
  return made;
}

/// One of each kind.
Part part_of_all() {
  Part part{"throttr-7.1/u16/query/found \"as is\"", 17, 4711, {}};
  part.crossings = {
      crossing(Kind::open, 1, 35),
      crossing(Kind::open, 2, 1, base::to_bytes("no answer in time"), Outcome::refused),
      crossing(Kind::send, 1, 0, {2, 1, 0x61}),
      crossing(Kind::send, 1, 9, base::to_bytes("1 ping\n"), Outcome::timed_out),
      crossing(Kind::offer, 1, 3, {0xff}),
      crossing(Kind::receive, 1, 12, {0, 0x7f, 0x80, 0xff}),
      crossing(Kind::receive, 1, 12, {}, Outcome::closed),
      crossing(Kind::receive, 1, 12, {}, Outcome::reset),
      crossing(Kind::finish, 1, 0),
      crossing(Kind::reset, 1, 0),
      crossing(Kind::close, 1, 1),
      crossing(Kind::wait, 0, 5'000'000'000),
      crossing(Kind::ended, 1, 2, base::to_bytes("exited with code 7")),
      crossing(Kind::words, 1, 2, base::to_bytes("panic: \xff\"")),
      crossing(Kind::shared, 0, 0),
      crossing(Kind::judged, 0, 0, {1, 7, 0}),
  };
  part.crossings[4].number = 1;
  part.crossings[14].what = Shared::curtailed;
  part.crossings[14].number = ~std::uint64_t{0};
  part.crossings[15].name = "QUERY";
  return part;
}

std::vector<std::string> split(const std::string& lines) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    all.push_back(lines.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

TEST(Lines, OfAPartReadBackAsThatPart) {
  const Part part = part_of_all();
  const auto lines = split(lines_of(part));
  ASSERT_EQ(lines.size(), part.crossings.size() + 2);
  Part back = *part_of(*FlatObject::parse(lines.front()));
  for (std::size_t i = 1; i + 1 < lines.size(); ++i)
    back.crossings.push_back(*crossing_of(*FlatObject::parse(lines[i])));
  back.ended = *end_of(*FlatObject::parse(lines.back()));
  EXPECT_EQ(back, part);
}

TEST(Lines, ShowTextAsTextAndBytesInHexadecimal) {
  const auto lines = split(lines_of(part_of_all()));
  EXPECT_EQ(lines[3], R"({"send":1,"bytes":"020161"})");
  EXPECT_EQ(lines[4], R"({"send":1,"text":"1 ping\n","outcome":"timed-out","ns":9})");
  EXPECT_EQ(lines[15], R"({"shared":"curtailed","value":18446744073709551615})");
  EXPECT_EQ(lines[16], R"({"judged":"QUERY","bytes":"010700"})");
}

struct Malformed {
  std::string name;
  std::string line;
  std::string says;
};

void PrintTo(const Malformed& one, std::ostream* out) { *out << one.name; }

class MalformedLine : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedLine, IsRefusedWithWhatIsWrong) {
  auto line = FlatObject::parse(GetParam().line);
  if (!line) {
    EXPECT_THAT(line.error().message, ::testing::HasSubstr(GetParam().says));
    return;
  }
  const auto crossing = crossing_of(std::move(*line));
  ASSERT_FALSE(crossing) << GetParam().line;
  EXPECT_THAT(crossing.error().message, ::testing::HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedLine,
    ::testing::Values(
        Malformed{"NoJson", "{\"send\":1", "column 10: the text ends"},
        Malformed{"Nothing", "", "the text ends"},
        Malformed{"Empty", "{}", "an object with at least one member"},
        Malformed{"List", "[1]", "expected an object"},
        Malformed{"ListWithin", "{\"send\":[1]}",
                  "/send: expected a string or a whole number from 0, came an array"},
        Malformed{"ObjectWithin", "{\"send\":{\"a\":1}}", "came an object"},
        Malformed{"Bare", "7", "with at least one member, came 7"},
        Malformed{"Null", "{\"send\":null}", "came null"},
        Malformed{"Negative", "{\"send\":-1}", "came -1"},
        Malformed{"Fraction", "{\"send\":1.5}", "came 1.5"},
        Malformed{"Twice", "{\"send\":1,\"send\":1}", "two members 'send'"},
        Malformed{"Unknown", "{\"sing\":1}", "no line of a transcript starts with \"sing\""},
        Malformed{"UnknownKey", "{\"send\":1,\"colour\":2}", "unknown key \"colour\""},
        Malformed{"TooManyKeys", R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1})",
                  "more than 9 values"},
        Malformed{"HalfAByte", "{\"send\":1,\"bytes\":\"020\"}", "lower-case hexadecimal"},
        Malformed{"UpperCase", "{\"send\":1,\"bytes\":\"0A\"}", "lower-case hexadecimal"},
        Malformed{"TextAndBytes", R"({"send":1,"text":"a","bytes":"61"})", "lower-case"},
        Malformed{"Outcome", R"({"send":1,"outcome":"fine"})", "an outcome that is none"},
        Malformed{"LinkAsText", R"({"send":"1"})", "without the number of a connection"},
        Malformed{"HugeLink", R"({"send":4294967296})", "without the number of a connection"},
        Malformed{"NamelessMessage", R"({"judged":""})", "a message without a name"},
        Malformed{"NoValue", R"({"shared":"serial"})", "without its name or its value"},
        Malformed{"NoSuchNumber", R"({"shared":"age","value":1})", "without its name"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace hallmark::certificate
