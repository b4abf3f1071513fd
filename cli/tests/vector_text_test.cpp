#include "cli/vectors/vector_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/places/places.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::cli {
namespace {

using base::to_bytes;
using testing::HasSubstr;
using testing::Not;
using vectors::Match;

/// QUERY of the key abc that was inserted with quota 5 and 60 seconds to live in the first step.
class VectorText : public testing::Test {
 protected:
  VectorText() {
    file_.dialect = "throttr-7.1";
    file_.width = protocol::Width::u16;
    file_.operation = "QUERY";
    file_.flags["silent"] = "the document is silent";
    vector_.id = "throttr-7.1/u16/query/typical";
    vector_.title = "a counter";
    vector_.operation = "QUERY";
    vector_.keys = {{{"key", to_bytes("abc")}}};
    vectors::Send send;
    send.operation = "QUERY";
    send.bytes = {0x02, 3, 'a', 'b', 'c'};
    vector_.steps.push_back({"c1", send});
    vectors::Expected reply;
    reply.message = "QUERY";
    reply.example = {1, 5, 0, 4, 60, 0};
    reply.fields = {field("status", Match::equals, 0), field("quota", Match::equals, 1),
                    field("ttl_type", Match::equals, 3)};
    vectors::FieldPattern ttl = field("ttl", Match::remaining, 4);
    ttl.lifetime = {.full = 60, .unit_ns = 1'000'000'000, .since = 0};
    reply.fields.push_back(ttl);
    vector_.steps.push_back({"c1", vectors::Expect{{reply}}});
  }

  static vectors::FieldPattern field(const char* name, Match match, std::size_t offset) {
    vectors::FieldPattern pattern;
    pattern.field = name;
    pattern.match = match;
    pattern.offset = offset;
    return pattern;
  }

  vectors::Expected& reply() {
    return std::get<vectors::Expect>(vector_.steps[1].action).any_of.front();
  }

  std::string text() const { return describe(vector_, file_, protocol::throttr_7_1, {}); }

  vectors::VectorFile file_;
  vectors::Vector vector_;
};

TEST_F(VectorText, StepsWithTheirBytesAndFields) {
  const auto shown = text();
  EXPECT_THAT(shown, HasSubstr("throttr-7.1/u16/query/typical\n  a counter\n  QUERY, MUST\n"));
  EXPECT_THAT(shown, HasSubstr("purged before and after: \"abc\""));
  EXPECT_THAT(shown, HasSubstr("1. c1 sends QUERY, 5 bytes\n"));
  EXPECT_THAT(shown, HasSubstr("2. c1 receives\n"));
  EXPECT_THAT(shown, HasSubstr("616263"));
  EXPECT_THAT(shown, HasSubstr("seconds"));
}

TEST_F(VectorText, OnlyFieldsThatAServerMayChooseAreExplained) {
  const auto shown = text();
  EXPECT_THAT(shown, HasSubstr("ttl (offset 4): what is left of 60 times 1.00 s, set in step 1"));
  EXPECT_THAT(shown, Not(HasSubstr("quota (offset")));
}

TEST_F(VectorText, EachKindOfChoice) {
  auto& fields = reply().fields;
  fields[1].match = Match::range;
  fields[1].max = 7;
  fields[2].match = Match::one_of;
  fields[2].choices = {4, 5};
  fields[3].match = Match::capture;
  fields[3].capture = "left";
  fields.push_back(field("id", Match::captured_hex, 6));
  fields.back().capture = "own";
  const auto shown = text();
  EXPECT_THAT(shown, HasSubstr("quota (offset 1): 0 to 7\n"));
  EXPECT_THAT(shown, HasSubstr("ttl_type (offset 3): one of 4, 5\n"));
  EXPECT_THAT(shown, HasSubstr("ttl (offset 4): any value, remembered as left\n"));
  EXPECT_THAT(shown,
              HasSubstr("id (offset 6): the value remembered as own, in hexadecimal digits\n"));
}

TEST_F(VectorText, SetsShowTheirRecords) {
  vectors::FieldPattern keys = field("keys", Match::set_of, 9);
  keys.exactly = true;
  auto key = field("key", Match::equals, 0);
  key.value = to_bytes("abc");
  keys.entries = {{{key, field("ttl", Match::any, 0)}}};
  reply().fields.push_back(keys);
  EXPECT_THAT(text(), HasSubstr("keys (offset 9): in any order, and no others:\n"
                                "       key = \"abc\"\n"));
}

TEST_F(VectorText, WhatTheVectorNeedsAndItsFlags) {
  vector_.flags = {"silent"};
  vector_.preconditions = {vectors::Precondition::empty, vectors::Precondition::exclusive};
  const auto shown = text();
  EXPECT_THAT(shown, HasSubstr("silent: the document is silent\n"));
  EXPECT_THAT(shown, HasSubstr("needs a server without keys and subscriptions\n"));
  EXPECT_THAT(shown, HasSubstr("needs a server that nobody else uses meanwhile\n"));
}

TEST_F(VectorText, TheAnswersItDependsOn) {
  EXPECT_THAT(text(), HasSubstr("\n  right for every server\n"));
  vector_.readings = {{"publish-reply", "none"}, {"status-prefix", "yes"}};
  EXPECT_THAT(
      text(),
      HasSubstr("right for every server that gives publish-reply=none, status-prefix=yes\n"));
}

TEST_F(VectorText, PairsAreNamedByBothParts) {
  vector_.keys = {{{"consumer_id", to_bytes("abc")}, {"resource_id", to_bytes("/r")}}};
  EXPECT_THAT(text(), HasSubstr("purged before and after: \"abc\" and \"/r\"\n"));
}

TEST_F(VectorText, ManyKeysAreCounted) {
  for (const char* key : {"b", "c", "d", "e", "f"})
    vector_.keys.push_back({{"key", to_bytes(key)}});
  EXPECT_THAT(text(), HasSubstr("\"abc\", \"b\", \"c\", \"d\" and 2 more\n"));
}

TEST_F(VectorText, SubstitutionsAndCloses) {
  auto& send = std::get<vectors::Send>(vector_.steps[0].action);
  send.substitutions = {{.field = "key", .offset = 2, .length = 3, .capture = "id"}};
  vector_.steps.push_back({"c2", vectors::Close{}});
  const auto shown = text();
  EXPECT_THAT(shown, HasSubstr("key (offset 2): the value remembered as id\n"));
  EXPECT_THAT(shown, HasSubstr("3. c2 is closed by the client\n"));
}

class VectorTextOfAll : public testing::TestWithParam<const protocol::Dialect*> {};

TEST_P(VectorTextOfAll, EveryCommittedMessageIsKnownFieldByField) {
  for (const auto width : GetParam()->widths) {
    const auto files = vectors::load_directory(places::source("vectors"), GetParam()->name, width);
    ASSERT_TRUE(files) << files.error().message;
    for (const auto& file : *files) {
      for (const auto& vector : file.vectors) {
        const auto shown = describe(vector, file, *GetParam(), {});
        EXPECT_THAT(shown, HasSubstr("opcode")) << vector.id;
        EXPECT_THAT(shown, Not(HasSubstr("ends here"))) << vector.id;
        EXPECT_THAT(shown, Not(HasSubstr(": unknown"))) << vector.id;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, VectorTextOfAll, testing::ValuesIn(protocol::throttr_dialects),
                         [](const auto& row) {
                           std::string name(row.param->name);
                           for (char& c : name) c = c == '-' || c == '.' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace hallmark::cli
