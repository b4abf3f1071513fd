#include "vectors/format/json.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/number.hpp"
#include "base/tests/parsed.hpp"
#include "base/text.hpp"
#include "cmake/places/places.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/dialects.hpp"
#include "protocol/little_endian.hpp"

namespace hallmark::vectors {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

FieldPattern pattern(std::string field, Match match, std::size_t offset, std::size_t length) {
  FieldPattern result;
  result.field = std::move(field);
  result.match = match;
  result.offset = offset;
  result.length = length;
  return result;
}

FieldPattern equals(std::string field, Value value, std::size_t offset, std::size_t length) {
  FieldPattern result = pattern(std::move(field), Match::equals, offset, length);
  result.value = std::move(value);
  return result;
}

FieldPattern named(std::string field, Match match, std::size_t offset, std::size_t length) {
  FieldPattern result = pattern(std::move(field), match, offset, length);
  result.capture = "own";
  return result;
}

constexpr std::uint64_t success = 1;

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// The number in as many bytes as the width says.
Bytes little_endian(std::uint8_t number, protocol::Width width) {
  Bytes bytes(protocol::bytes_of(width), 0);
  bytes.front() = number;
  return bytes;
}

/// Numbers as wide as the value width, choices and what is left of a TTL.
Expected counter(protocol::Width width) {
  const std::size_t n = protocol::bytes_of(width);
  FieldPattern range = pattern("quota", Match::range, 1, n);
  range.min = 1;
  range.max = protocol::max_of_width(n);
  FieldPattern one_of = pattern("ttl_type", Match::one_of, 1 + n, 1);
  one_of.choices = {4, 5};
  FieldPattern remaining = pattern("ttl", Match::remaining, 2 + n, n);
  remaining.lifetime = {60, 1'000'000'000, 0};
  return {"QUERY",
          false,
          {equals("status", success, 0, 1), range, one_of, remaining},
          joined({{1}, little_endian(5, width), {4}, little_endian(60, width)}),
          {}};
}

Expected buffer(protocol::Width width) {
  const std::size_t n = protocol::bytes_of(width);
  return {"GET",
          false,
          {equals("status", success, 0, 1), pattern("ttl_type", Match::any, 1, 1),
           pattern("ttl", Match::any, 2, n), named("value", Match::captured_hex, 2 + 2 * n, 2)},
          joined({{1, 4}, little_endian(60, width), little_endian(2, width), {'6', 'b'}}),
          {}};
}

Expected own_id(Match match) {
  return {"WHOAMI",
          false,
          {equals("status", success, 0, 1), named("id", match, 1, 16)},
          joined({{1}, Bytes(16, 0xab)}),
          {}};
}

/// The example is not whole: places stand as they are.
Expected listing(protocol::Width width) {
  FieldPattern set_of = pattern("keys", Match::set_of, 1, 1);
  set_of.exactly = true;
  set_of.entries = {{{equals("key", Bytes(255, 'k'), 0, 0), pattern("key_type", Match::any, 0, 0),
                      equals("bytes_used", std::uint64_t{protocol::bytes_of(width)}, 0, 0)}}};
  return {"LIST", false, {set_of}, {1, 2}, {}};
}

Expected delivery() {
  return {"DELIVERY", true, {equals("payload", Bytes{0xfe}, 0, 0)}, {3}, Lifetime{1, 2, 0}};
}

/// A file in which every kind of step, match and option occurs.
VectorFile everything(protocol::Width width = protocol::Width::u16) {
  Vector vector;
  vector.id = fmt::format("throttr-7.1/{}/insert/everything", protocol::name_of(width));
  vector.title = "everything";
  vector.operation = "INSERT";
  vector.level = protocol::Level::should;
  vector.clauses = {"insert.code"};
  vector.flags = {"long-value"};
  vector.preconditions = {Precondition::empty, Precondition::exclusive};
  vector.readings = {{"status-prefix", "yes"}};
  vector.keys = {{{"key", Bytes{}}}, {{"key", Bytes{1, 2}}}};
  const Send insert{"INSERT",
                    {{"quota", protocol::max_of_width(protocol::bytes_of(width))},
                     {"key", base::to_bytes("abc")}},
                    joined({{1}, little_endian(7, width)}),
                    {}};
  const Send connection{
      "CONNECTION", {{"id", Bytes(16, 0)}}, {0x15, 1, 2, 3}, {{"id", 1, 2, "own"}}};
  const Send unknown{"", {}, Bytes(70'000, 0x5a), {}};
  vector.steps = {{"a", insert},
                  {"b", Expect{{counter(width), delivery(), own_id(Match::capture)}}},
                  {"a", Expect{{buffer(width)}}},
                  {"a", Expect{{own_id(Match::capture)}}},
                  {"a", connection},
                  {"a", Expect{{own_id(Match::captured)}}},
                  {"a", Expect{{listing(width)}}},
                  {"a", Expect{{delivery()}}},
                  {"a", unknown},
                  {"a", Silence{}},
                  {"a", Pause{30}},
                  {"a", Close{}}};
  VectorFile file;
  file.dialect = "throttr-7.1";
  file.answers = {{"publish-reply", "status"}};
  file.width = width;
  file.operation = "INSERT";
  file.flags = {{"long-value", "long"}};
  file.vectors = {vector};
  return file;
}

std::vector<VectorFile> every_width() {
  using enum protocol::Width;
  return {everything(u8), everything(u16), everything(u32), everything(u64)};
}

TEST(Json, ReadsBackWhatItWrote) {
  const auto again = read_json(write_json(everything()));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, std::vector{everything()});
}

TEST(Json, ReadsBackEveryWidth) {
  const auto again = read_json(write_json(every_width()));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, every_width());
}

TEST(Json, ReadsOneWidthAlone) {
  const std::string text = write_json(every_width());
  const auto again = read_json(text, protocol::Width::u32);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, std::vector{everything(protocol::Width::u32)});
  EXPECT_TRUE(read_json(write_json(everything()), protocol::Width::u32)->empty());
}

/// Vectors and answers that only some widths have.
TEST(Json, ReadsBackWhatWidthsDoNotShare) {
  std::vector<VectorFile> files = every_width();
  for (VectorFile& file : files) {
    Vector more = file.vectors.front();
    more.id += "-else";
    if (file.width >= protocol::Width::u32) file.vectors.insert(file.vectors.begin(), more);
  }
  files.front().vectors.front().readings.clear();
  files.back().vectors.back().title = "another title";
  const std::string text = write_json(files);
  const auto again = read_json(text);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, files);
  EXPECT_THAT(text, HasSubstr("\"id\": \"throttr-7.1/{width}/insert/everything-else\",\n"
                              "   \"widths\": [\"u32\", \"u64\"],\n"));
  EXPECT_THAT(text, HasSubstr("\"readings\": {\"status-prefix\": {\"u16\": \"yes\", "));
}

TEST(Json, HasALineAStep) {
  const std::string text = write_json(everything());
  EXPECT_THAT(text, HasSubstr("    {\"on\": \"a\", \"send\": \"INSERT\", \"fields\": {\"quota\": "
                              "65535, \"key\": \"abc\"}, \"hex\": \"010700\"},\n"));
  EXPECT_THAT(text, HasSubstr("{\"expect\": \"QUERY\", \"fields\": {\"status\": \"success\", "));
  EXPECT_THAT(text, HasSubstr("\"hex\": [{\"hex\": \"5a\", \"times\": 70000}]},\n"));
  EXPECT_THAT(text, HasSubstr("{\"text\": [{\"text\": \"k\", \"times\": 255}]}"));
}

/// Many readers of JSON round numbers from 2^53 on.
TEST(Json, SpellsLargeNumbersInStrings) {
  EXPECT_THAT(write_json(everything(protocol::Width::u32)), HasSubstr("\"quota\": 4294967295"));
  EXPECT_THAT(write_json(everything(protocol::Width::u64)),
              HasSubstr("\"quota\": {\"number\": \"18446744073709551615\"}"));
}

/// docs/vectors.md shows a vector in the format that it explains.
TEST(Json, TheExampleOfThePageIsAVector) {
  std::ifstream page(places::source("docs/vectors.md"));
  std::ostringstream text;
  text << page.rdbuf();
  const std::string fence = "```json\n";
  const auto begin = text.str().find(fence, text.str().find("\n## One vector\n"));
  ASSERT_NE(begin, std::string::npos);
  const auto end = text.str().find("```", begin + fence.size());
  const std::string vector = text.str().substr(begin + fence.size(), end - begin - fence.size());
  const auto files = read_json(R"({"format": 3, "dialect": "throttr-7.1", "profile": "deployed",
                    "widths": ["u8", "u16"], "operation": "INSERT", "vectors": [)" +
                               vector + "]}");
  ASSERT_TRUE(files.has_value()) << files.error().message;
  ASSERT_EQ(files->size(), 2U);
  for (const VectorFile& file : *files) {
    ASSERT_EQ(file.vectors.size(), 1U);
    const protocol::Readings readings(protocol::throttr_7_1, protocol::Profile::deployed);
    for (const Step& step : file.vectors.front().steps) {
      const auto* const send = std::get_if<Send>(&step.action);
      if (send == nullptr) continue;
      const auto& operation =
          *protocol::find_operation_called(protocol::throttr_7_1, send->operation);
      EXPECT_EQ(*protocol::encode(protocol::Layout::request(operation, file.width, readings),
                                  send->fields),
                send->bytes);
    }
  }
}

class HexRuns : public ::testing::TestWithParam<std::size_t> {};

TEST_P(HexRuns, ReadBackWhatTheyWere) {
  VectorFile file = everything();
  Bytes& bytes = std::get<Send>(file.vectors[0].steps[8].action).bytes;
  bytes.assign({1, 2, 3});
  for (std::size_t i = 0; i < 10'000; ++i)
    bytes.push_back(static_cast<std::uint8_t>(i % GetParam()));
  bytes.push_back(7);
  const auto again = read_json(write_json(file));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(*again, std::vector{file});
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
        Damage{"format", "/format", "1", "expected 3"},
        Damage{"former_format", "/format", "2",
               "which hallmark 0.1.0 reads; `hallmark vectors convert OLD NEW`"},
        Damage{"dialect", "/dialect", R"("odd")", "one of throttr-2.0"},
        Damage{"profile", "/profile", R"("odd")", "one of deployed, literal"},
        Damage{"width", "/widths/0", R"("u12")", "one of u8, u16, u32, u64"},
        Damage{"no_width", "/widths", "[]", "at least one width"},
        Damage{"width_twice", "/widths", R"(["u16", "u16"])", "a width given twice"},
        Damage{"vectors", "/vectors", "{}", "expected an array"},
        Damage{"readings", "/vectors/0/readings", "[]", "expected an object"},
        Damage{"keys", "/vectors/0/keys/0", R"("00")", "expected an object"},
        Damage{"field_of_key", "/vectors/0/keys/0", R"({"kee": ""})",
               "/vectors/0/keys/0/kee: unknown field, expected one of key"},
        Damage{"level", "/vectors/0/level", R"("PERHAPS")", "one of MUST, SHOULD, MAY"},
        Damage{"title", "/vectors/0/title", "7", "expected a string"},
        Damage{"id", "/vectors/0/id", R"("\u001b[31m")", "without control characters"},
        Damage{"clause", "/vectors/0/clauses/0", R"("\u009b")", "without control characters"},
        Damage{"unknown_member", "/vectors/0/colour", "1",
               "unknown member, expected one of widths, id"},
        Damage{"unknown_member_of_step", "/vectors/0/steps/0/colour", "1",
               "unknown member, expected one of on, send"},
        Damage{"message", "/vectors/0/steps/0/send", R"("FLY")", "an operation of throttr-7.1"},
        Damage{"reply", "/vectors/0/steps/1/any_of/0/expect", R"("FLY")",
               "an operation of throttr-7.1"},
        Damage{"push", "/vectors/0/steps/7/expect", R"("FLY")", "a push of throttr-7.1"},
        Damage{"hex", "/vectors/0/steps/0/hex", R"("0g")", "hexadecimal"},
        Damage{"huge_run", "/vectors/0/steps/0/hex", R"([{"hex":"00","times":99999999999}])",
               "16 MiB"},
        Damage{"nothing_expected", "/vectors/0/steps/1/any_of", "[]", "at least one message"},
        Damage{"no_step", "/vectors/0/steps/11", R"({"on":"a"})", "a step with send, expect"},
        Damage{"close", "/vectors/0/steps/11/close", "false", "expected true"},
        Damage{
            "since", "/vectors/0/steps/7",
            R"({"on":"a","expect":"INSERT","hex":"01","only_after":{"full":1,"unit_ns":1,"since":5}})",
            "since"},
        Damage{"unknown_field", "/vectors/0/steps/2/fields/quota", "1",
               "unknown field, expected one of status, ttl_type, ttl, value"},
        Damage{"unknown_field_of_request", "/vectors/0/steps/0/fields/kee", R"("a")",
               "unknown field, expected one of quota, ttl_type, ttl, key"},
        Damage{"unknown_field_of_record", "/vectors/0/steps/6/fields/keys/records/0/kee", "1",
               "unknown field, expected one of key_type"},
        Damage{"text_for_a_number", "/vectors/0/steps/0/fields/quota", R"("7")", "a whole number"},
        Damage{"number_too_large", "/vectors/0/steps/0/fields/quota",
               R"({"number":"18446744073709551616"})", "decimal number"},
        Damage{"number_for_text", "/vectors/0/steps/0/fields/key", "7", "text, "},
        Damage{"status", "/vectors/0/steps/2/fields/status", R"("perhaps")",
               "success, failure or a whole number"},
        Damage{"match_of_a_number", "/vectors/0/steps/1/any_of/0/fields/ttl/match",
               R"("captured_hex")",
               "one of any, range, one_of, remaining, capture, captured, came"},
        Damage{"match_of_bytes", "/vectors/0/steps/2/fields/value/match", R"("range")",
               "one of any, capture, captured, captured_hex, came"},
        Damage{"match_of_a_group", "/vectors/0/steps/6/fields/keys/match", R"("any")",
               "one of set_of, came"},
        Damage{"member_of_a_match", "/vectors/0/steps/1/any_of/0/fields/ttl/max", "1",
               "unknown member, expected one of match, full, unit_ns, since, at"},
        Damage{"offset", "/vectors/0/steps/1/any_of/0/fields/ttl/at", "[5, 2]",
               "[4, 2], the place of ttl"},
        Damage{"length", "/vectors/0/steps/1/any_of/0/fields/quota/at", "[1, 3]",
               "[1, 2], the place of quota"},
        Damage{"place", "/vectors/0/steps/1/any_of/0/fields/quota/at", "[1]", "[offset, length]"},
        Damage{"substitution_outside", "/vectors/0/steps/4/substitute/id/at", "[3, 2]",
               "a place inside the 4 bytes"},
        Damage{"negative_offset", "/vectors/0/steps/4/substitute/id/at/0", "-1",
               "a whole number from 0"}),
    [](const auto& row) { return row.param.name; });

TEST(Json, RefusesANumberBeyondADouble) {
  std::string text = write_json(everything());
  const std::string_view format = "\"format\": 3";
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
    std::filesystem::create_directories(root_ / "throttr-7.1");
  }
  ~Files() override { std::filesystem::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / "throttr-7.1" / name) << text;
  }
  void write_literal(const std::string& name, const std::string& text) const {
    const auto folder = root_ / "throttr-7.1" / "literal";
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
  EXPECT_THAT(load().error().message, HasSubstr("throttr-7.1: holds no .json file"));
}

TEST_F(Files, ComplainWithTheirPath) {
  write("broken.json", "{}");
  EXPECT_THAT(load().error().message,
              HasSubstr("broken.json: line 1, column 1: 'format' is missing"));
}

TEST_F(Files, AreMissedByName) {
  EXPECT_THAT(load().error().message, HasSubstr("throttr-7.1: holds no .json file"));
}

TEST_F(Files, WithoutVectorsOfTheWidthAreLeftOut) {
  write("a.json", write_json(everything()));
  EXPECT_THAT(load(protocol::Width::u8).error().message,
              HasSubstr("throttr-7.1: holds no vectors of u8"));
  write("b.json", write_json(everything(protocol::Width::u8)));
  EXPECT_EQ(load(protocol::Width::u8)->size(), 1U);
}

TEST_F(Files, OfFormat2AreToBeConverted) {
  std::filesystem::create_directories(root_ / "throttr-7.1" / "u16");
  EXPECT_THAT(load().error().message,
              HasSubstr("throttr-7.1: vectors of format 2, which hallmark 0.1.0 reads; "
                        "`hallmark vectors convert OLD NEW` writes them as format 3"));
}

}  // namespace
}  // namespace hallmark::vectors
