#include "reports/certify/code.hpp"

#include <gmock/gmock.h>

namespace hallmark::reports {
namespace {

using Kind = Code::Kind;

struct CodeText {
  const char* text;
  Code code;
};

void PrintTo(const CodeText& row, std::ostream* out) { *out << row.text; }

class Codes : public testing::TestWithParam<CodeText> {};

TEST_P(Codes, AreWrittenInOneLineAndReadBack) {
  EXPECT_EQ(text_of(GetParam().code), GetParam().text);
  EXPECT_EQ(parse_code(GetParam().text), GetParam().code);
}

TEST(CodesOfSeveralFailures, AreJoinedAndReadBack) {
  Code code{Kind::crash, "INSERT", {}, "opcode-40..4f", {}};
  code.further = {{Kind::silent, "INSERT", {}, "opcode-31", {}},
                  {Kind::broken_promise, "INSERT", {}, "opcode-1c", "1 + 1 is 'two'"},
                  {Kind::wrong_field, "QUERY", "quota", "opcode-60", {}}};
  const std::string text =
      "crash INSERT opcode-40..4f + silent INSERT opcode-31 + "
      "broken-promise INSERT opcode-1c '1 + 1 is 'two'' + wrong-field QUERY.quota opcode-60";
  EXPECT_EQ(text_of(code), text);
  EXPECT_EQ(parse_code(text), code);
  EXPECT_FALSE(parse_code("crash INSERT + nonsense INSERT"));
  EXPECT_FALSE(parse_code("crash INSERT + "));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Codes,
    testing::Values(CodeText{"wrong-field QUERY.status 00-for-01",
                             {Kind::wrong_field, "QUERY", "status", "00-for-01", {}}},
                    CodeText{"silent INSERT", {Kind::silent, "INSERT", {}, {}, {}}},
                    CodeText{"closed", {Kind::closed, {}, {}, {}, {}}},
                    CodeText{"broken-promise QUERY 'the counter is gone'",
                             {Kind::broken_promise, "QUERY", {}, {}, "the counter is gone"}},
                    CodeText{"broken-promise 'it is there'",
                             {Kind::broken_promise, {}, {}, {}, "it is there"}},
                    CodeText{"wrong-field decide.results[0].allowed",
                             {Kind::wrong_field, "decide", "results[0].allowed", {}, {}}},
                    CodeText{"silent - opcode-41 'others are answered'",
                             {Kind::silent, {}, {}, "opcode-41", "others are answered"}},
                    CodeText{"malformed -.version", {Kind::malformed, {}, "version", {}, {}}},
                    CodeText{"harness INSERT 'the target's 'own' promise'",
                             {Kind::harness, "INSERT", {}, {}, "the target's 'own' promise"}}));

TEST(Codes, OfEveryKindAreReadBack) {
  for (int kind = 0; kind <= static_cast<int>(Kind::harness); ++kind) {
    const Code code{static_cast<Kind>(kind), "GET", {}, {}, {}};
    EXPECT_EQ(parse_code(text_of(code)), code) << text_of(code);
  }
}

TEST(Codes, HaveOneSpellingWhateverTheirPartsHold) {
  const Code odd{Kind::surplus, "two words.and", "a 'field'", "cut at 3\n", "ends\x1b"};
  const std::string text = text_of(odd);
  EXPECT_EQ(text, "surplus two-words-and.a-field cut-at-3\\x0a 'ends\\x1b'");
  const auto read = parse_code(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(text_of(*read), text);
}

TEST(Codes, AreRefusedThatNobodyWrites) {
  for (const char* const text :
       {"", "nonsense", "silent ", "silent  INSERT", "silent -", "closed INSERT a b",
        "Silent INSERT", "silent 'x", "silent ''", "silent '", "silent INSERT.", " silent"})
    EXPECT_EQ(parse_code(text), std::nullopt) << text;
}

struct Sentence {
  const char* sentence;
  const char* promise;
};

void PrintTo(const Sentence& row, std::ostream* out) { *out << row.sentence; }

class Promises : public testing::TestWithParam<Sentence> {};

TEST_P(Promises, HoldNothingThatVaries) {
  EXPECT_EQ(promise_of(GetParam().sentence), GetParam().promise);
}

INSTANTIATE_TEST_SUITE_P(
    Sentences, Promises,
    testing::Values(Sentence{"the counter is gone", "the counter is gone"},
                    Sentence{"3 of 8 INSERTs succeeded", "# of # INSERTs succeeded"},
                    Sentence{"came after 12.5 ms", "came after #"},
                    Sentence{"came after 2 s", "came after #"},
                    Sentence{"2 seconds apart", "# seconds apart"},
                    Sentence{"grew by -7, expected 1,200 to 5", "grew by #, expected # to #"},
                    Sentence{"refused at 127.0.0.1:40123", "refused at #:#"},
                    Sentence{"c17 received 4 where 5 came next", "# received # where # came next"},
                    Sentence{"sent 0a1bff, then ok", "sent #, then ok"},
                    Sentence{"a dead feed is bad", "a dead feed is bad"},
                    Sentence{"the target's reply to \"ab 1\" came", "the target's reply to … came"},
                    Sentence{"'a quota's name' is missing", "… is missing"},
                    Sentence{"read as {\"a\": {\"b\": 1}}; then", "read as …; then"},
                    Sentence{"cut {\"a\": \"b", "cut …"}, Sentence{"an open \"text", "an open …"},
                    Sentence{"throttr-7.1 at u16", "throttr-# at u#"}, Sentence{"", ""}));

TEST(Promises, AreCutAndShowable) {
  const std::string promise = promise_of(std::string(400, 'z'));
  EXPECT_LT(promise.size(), 170U);
  EXPECT_THAT(promise, testing::EndsWith("…"));
  EXPECT_EQ(promise_of("\x1b[2J"), "\\x#b[#J");
}

}  // namespace
}  // namespace hallmark::reports
