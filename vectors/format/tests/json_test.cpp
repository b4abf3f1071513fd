#include "vectors/format/json.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "base/number.hpp"
#include "base/tests/parsed.hpp"
#include "base/text.hpp"

namespace hallmark::vectors {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

FieldPattern pattern(std::string field, Match match) {
  FieldPattern result;
  result.field = std::move(field);
  result.match = match;
  return result;
}

/// A file in which every kind of step, match and option occurs.
VectorFile everything() {
  FieldPattern equals = pattern("quota", Match::equals);
  equals.value = ~std::uint64_t{0};
  FieldPattern bytes = pattern("value", Match::equals);
  bytes.value = Bytes(70'000, 0x5a);
  FieldPattern range = pattern("a", Match::range);
  range.min = 1;
  range.max = 9;
  FieldPattern one_of = pattern("b", Match::one_of);
  one_of.choices = {0, 1};
  FieldPattern remaining = pattern("ttl", Match::remaining);
  remaining.lifetime = {60, 1'000'000'000, 0};
  FieldPattern capture = pattern("id", Match::capture);
  capture.capture = "own";
  FieldPattern captured = pattern("id", Match::captured);
  captured.capture = "own";
  FieldPattern in_hex = pattern("channel", Match::captured_hex);
  in_hex.capture = "own";
  FieldPattern set_of = pattern("keys", Match::set_of);
  set_of.exactly = true;
  set_of.entries = {{{equals, pattern("c", Match::any)}}};

  Vector vector;
  vector.id = "throttr-7.1/u16/insert/everything";
  vector.title = "everything";
  vector.operation = "INSERT";
  vector.level = protocol::Level::should;
  vector.clauses = {"insert.code"};
  vector.flags = {"long-value"};
  vector.preconditions = {Precondition::empty, Precondition::exclusive};
  vector.readings = {{"status-prefix", "yes"}};
  vector.keys = {{{"key", Bytes{}}}, {{"consumer_id", Bytes{0}}, {"resource_id", Bytes{1, 2}}}};
  Send send{"INSERT", {{"quota", 5UL}, {"key", Bytes{1, 2}}}, {1, 2, 3, 4}, {{"key", 1, 2, "own"}}};
  Expected expected{"INSERT",
                    false,
                    {equals, bytes, range, one_of, remaining, capture, captured, in_hex, set_of},
                    {1, 2},
                    {}};
  Expected push{"DELIVERY", true, {}, {3}, Lifetime{1, 2, 0}};
  vector.steps = {{"a", send}, {"b", Expect{{expected, push}}}, {"a", Close{}}};
  return {"throttr-7.1", protocol::Profile::deployed, protocol::Width::u16,
          "INSERT",      {{"long-value", "long"}},    {vector}};
}

TEST(Json, ReadsBackWhatItWrote) {
  const auto again = read_json(write_json(everything()));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, everything());
}

TEST(Json, WritesLongRunsShort) { EXPECT_LT(write_json(everything()).size(), 8'000U); }

class HexRuns : public ::testing::TestWithParam<std::size_t> {};

TEST_P(HexRuns, ReadBackWhatTheyWere) {
  VectorFile file = everything();
  Bytes& bytes = std::get<Send>(file.vectors[0].steps[0].action).bytes;
  bytes.assign({1, 2, 3});
  for (std::size_t i = 0; i < 10'000; ++i)
    bytes.push_back(static_cast<std::uint8_t>(i % GetParam()));
  bytes.push_back(7);
  const auto again = read_json(write_json(file));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(*again, file);
}

INSTANTIATE_TEST_SUITE_P(Json, HexRuns, ::testing::Values(1U, 2U, 16U, 250U, 251U, 253U));

struct Damage {
  const char* name;
  const char* pointer;
  const char* replacement;
  const char* complaint;
};

class Refuses : public ::testing::TestWithParam<Damage> {};

/// The value to which the JSON pointer leads.
base::Json& at(base::Json& json, std::string_view pointer) {
  base::Json* value = &json;
  for (const std::string_view step : base::split(pointer.substr(1), '/')) {
    const auto index = base::number_in<std::uint64_t>(step);
    value = index ? &(*value)[*index] : &(*value)[step];
  }
  return *value;
}

TEST_P(Refuses, WithPlaceAndExpectation) {
  auto json = base::test::parsed(write_json(everything()));
  at(json, GetParam().pointer) = base::test::parsed(GetParam().replacement);
  const auto result = read_json(json.dump());
  ASSERT_TRUE(result.has_error());
  EXPECT_THAT(result.error().message,
              AllOf(HasSubstr(GetParam().pointer), HasSubstr(GetParam().complaint)));
  EXPECT_EQ(result.error().message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Json, Refuses,
    ::testing::Values(
        Damage{"format", "/format", "1", "expected 2"},
        Damage{"profile", "/profile", "\"odd\"", "one of deployed, literal"},
        Damage{"readings", "/vectors/0/readings", "[]", "expected an object"},
        Damage{"keys", "/vectors/0/keys/0", "\"00\"", "expected an object"},
        Damage{"width", "/width", "\"u12\"", "one of none, u8, u16, u32, u64"},
        Damage{"level", "/vectors/0/level", "\"PERHAPS\"", "one of MUST, SHOULD, MAY"},
        Damage{"vectors", "/vectors", "{}", "expected an array"},
        Damage{"title", "/vectors/0/title", "7", "expected a string"},
        Damage{"hex", "/vectors/0/steps/0/send/hex", "\"0g\"", "hexadecimal"},
        Damage{"number", "/vectors/0/steps/0/send/fields/quota", "\"-1\"", "decimal number"},
        Damage{"number_too_large", "/vectors/0/steps/0/send/fields/quota",
               "\"18446744073709551616\"", "decimal number"},
        Damage{"match", "/vectors/0/steps/1/expect/0/fields/0/match", "\"like\"", "one of equals"},
        Damage{"nothing_expected", "/vectors/0/steps/1/expect", "[]", "at least one message"},
        Damage{"substitution_outside", "/vectors/0/steps/0/send/substitute/0",
               R"({"field":"key","offset":3,"length":2,"name":"own"})", "inside"},
        Damage{
            "since", "/vectors/0/steps",
            R"([{"connection":"a","expect":[{"message":"INSERT","hex":"","fields":[],"only_after":{"full":"1","unit_ns":"1","since":5}}]}])",
            "since"},
        Damage{"dialect", "/dialect", "\"odd\"", "one of throttr-2.0"},
        Damage{"message", "/vectors/0/steps/0/send/message", "\"FLY\"",
               "an operation of throttr-7.1"},
        Damage{"reply", "/vectors/0/steps/1/expect/0/message", "\"FLY\"",
               "an operation of throttr-7.1"},
        Damage{"push", "/vectors/0/steps/1/expect/1/message", "\"FLY\"", "a push of throttr-7.1"},
        Damage{"id", "/vectors/0/id", R"("\u001b[31m")", "without control characters"},
        Damage{"clause", "/vectors/0/clauses/0", R"("\u009b")", "without control characters"},
        Damage{"unknown_member", "/vectors/0/colour", "1", "unknown member, expected one of id"},
        Damage{"negative_offset", "/vectors/0/steps/0/send/substitute/0/offset", "-1",
               "a whole number from 0"},
        Damage{"huge_run", "/vectors/0/steps/0/send/hex", R"([{"hex":"00","times":99999999999}])",
               "16 MiB"}),
    [](const auto& row) { return row.param.name; });

TEST(Json, RefusesANumberBeyondADouble) {
  std::string text = write_json(everything());
  const std::string_view format = "\"format\": 2";
  text.replace(text.find(format), format.size(), "\"format\": 1e400");
  EXPECT_EQ(read_json(text).error().message,
            "line 3, column 12: the number 1e400 is beyond a double");
}

TEST(Json, RefusesWhatIsNoJson) {
  EXPECT_THAT(read_json("{").error().message, HasSubstr("line 1, column 2: the text ends"));
  EXPECT_THAT(read_json("[]").error().message, HasSubstr("expected an object"));
}

class Files : public ::testing::Test {
 protected:
  Files()
      : root_(std::filesystem::temp_directory_path() /
              ("hallmark-json-test-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(root_ / "throttr-7.1" / "u16");
  }
  ~Files() override { std::filesystem::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / "throttr-7.1" / "u16" / name) << text;
  }
  void write_literal(const std::string& name, const std::string& text) const {
    const auto folder = root_ / "throttr-7.1" / "literal" / "u16";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / name) << text;
  }
  auto load(protocol::Width width = protocol::Width::u16) const {
    return load_directory(root_.string(), "throttr-7.1", width);
  }

  std::filesystem::path root_;
};

TEST_F(Files, AreLoadedInOrder) {
  VectorFile second = everything();
  second.operation = "SET";
  second.vectors[0].operation = "SET";
  write("b.json", write_json(second));
  write("a.json", write_json(everything()));
  const auto files = load();
  ASSERT_TRUE(files.has_value()) << files.error().message;
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ((*files)[0].operation, "INSERT");
  EXPECT_EQ((*files)[1].operation, "SET");
}

TEST_F(Files, OfTheLiteralProfileComeAfterTheOthers) {
  VectorFile literal = everything();
  literal.profile = protocol::Profile::literal;
  write_literal("a.json", write_json(literal));
  write("b.json", write_json(everything()));
  const auto files = load();
  ASSERT_TRUE(files.has_value()) << files.error().message;
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ((*files)[0].profile, protocol::Profile::deployed);
  EXPECT_EQ((*files)[1].profile, protocol::Profile::literal);
}

TEST_F(Files, OfTheLiteralProfileAreNotEnough) {
  write_literal("a.json", write_json(everything()));
  EXPECT_THAT(load().error().message, HasSubstr("throttr-7.1/u16: holds no .json file"));
}

TEST_F(Files, ComplainWithTheirPath) {
  write("broken.json", "{}");
  EXPECT_THAT(load().error().message,
              HasSubstr("broken.json: line 1, column 1: 'format' is missing"));
}

TEST_F(Files, AreMissedByName) {
  EXPECT_THAT(load().error().message, HasSubstr("holds no .json file"));
  EXPECT_THAT(load(protocol::Width::u8).error().message, HasSubstr("u8"));
}

}  // namespace
}  // namespace hallmark::vectors
