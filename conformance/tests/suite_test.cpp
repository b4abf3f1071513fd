#include "conformance/engine/suite.hpp"

#include <gmock/gmock.h>

#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using ::testing::HasSubstr;

Suite sample_suite() {
  vectors::VectorFile file;
  file.vectors = {pipelinable_vector(), sample_vector()};
  Suite suite = suite_of_vectors({file}, format_u16()).suite;
  for (Unit& unit : suite_of_behaviours(behaviour_cases(format_u16()), "throttr-7.1/u16"))
    suite.push_back(std::move(unit));
  return suite;
}

struct Choosing {
  std::string name;
  Filter filter;
  std::size_t cases;
};

class Chosen : public ::testing::TestWithParam<Choosing> {};

TEST_P(Chosen, AreTheCasesThatMatch) {
  const auto suite = chosen(sample_suite(), GetParam().filter);
  ASSERT_TRUE(suite) << suite.error();
  EXPECT_EQ(cases_in(*suite), GetParam().cases);
}

INSTANTIATE_TEST_SUITE_P(
    Filters, Chosen,
    ::testing::Values(
        Choosing{"one_id",
                 {.ids = {"throttr-7.1/u16/query/sample"},
                  .operations = {},
                  .levels = {},
                  .clauses = {}},
                 1},
        Choosing{
            "glob", {.ids = {"*/query/sample*"}, .operations = {}, .levels = {}, .clauses = {}}, 7},
        Choosing{"two_globs",
                 {.ids = {"*sample#split", "*sample#bytewise"},
                  .operations = {},
                  .levels = {},
                  .clauses = {}},
                 2},
        Choosing{"and",
                 {.ids = {"*/query/sample*"},
                  .operations = {"query"},
                  .levels = {"must"},
                  .clauses = {"stream.framing"}},
                 4},
        Choosing{"without_some",
                 {.ids = {"*/query/sample*"},
                  .operations = {},
                  .levels = {},
                  .clauses = {},
                  .excluded = {"*#split", "*#bytewise"}},
                 3}),
    [](const auto& row) { return row.param.name; });

struct Refusing {
  std::string name;
  Filter filter;
  std::string message;
};

class RefusedFilter : public ::testing::TestWithParam<Refusing> {};

TEST_P(RefusedFilter, IsAFilterThatMatchesNothing) {
  const auto suite = chosen(sample_suite(), GetParam().filter);
  ASSERT_FALSE(suite);
  EXPECT_THAT(suite.error(), HasSubstr(GetParam().message));
  EXPECT_EQ(suite.error().find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Filters, RefusedFilter,
    ::testing::Values(
        Refusing{"id",
                 {.ids = {"nothing*"}, .operations = {}, .levels = {}, .clauses = {}},
                 "--filter nothing* matches no case; allowed: throttr-7.1/u16/behaviour/"},
        Refusing{"part_of_an_id",
                 {.ids = {"query/sample"}, .operations = {}, .levels = {}, .clauses = {}},
                 "--filter query/sample matches no case; --filter '*query/sample*' does"},
        Refusing{"second_id",
                 {.ids = {"*", "nothing"}, .operations = {}, .levels = {}, .clauses = {}},
                 "--filter nothing"},
        Refusing{"operation",
                 {.ids = {}, .operations = {"FLY"}, .levels = {}, .clauses = {}},
                 "--operation FLY matches no case; allowed: CHANNEL, "},
        Refusing{"level",
                 {.ids = {}, .operations = {}, .levels = {"perhaps"}, .clauses = {}},
                 "--level perhaps matches no case; allowed: MAY, MUST, SHOULD"},
        Refusing{"clause",
                 {.ids = {}, .operations = {}, .levels = {}, .clauses = {"x.*"}},
                 "--clause x.* matches no case; allowed: "},
        Refusing{"together",
                 {.ids = {"*/query/sample"}, .operations = {"INSERT"}, .levels = {}, .clauses = {}},
                 "no case is chosen by all of"},
        Refusing{"excluded",
                 {.ids = {}, .operations = {}, .levels = {}, .clauses = {}, .excluded = {"x/*"}},
                 "--exclude x/* matches no case; allowed: throttr-7.1/u16/behaviour/"},
        Refusing{"all_excluded",
                 {.ids = {"*/query/*"},
                  .operations = {},
                  .levels = {},
                  .clauses = {},
                  .excluded = {"*/query/*"}},
                 "left by --exclude"}),
    [](const auto& row) { return row.param.name; });

TEST(Suite, LeavesOutVectorsMadeForOtherReadings) {
  vectors::VectorFile file;
  file.vectors = {pipelinable_vector()};
  file.vectors.front().readings = {{"ttl-left", "as-set"}};
  const VectorSuite made = suite_of_vectors({file}, format_u16());
  EXPECT_TRUE(made.suite.empty());
  EXPECT_THAT(made.left_out, ::testing::ElementsAre(::testing::Pair("ttl-left=as-set", 1)));
}

TEST(Suite, NamesTheKeysAndChannelsOfAVector) {
  const Unit unit = unit_of_vector(sample_vector());
  EXPECT_THAT(unit.resources,
              ::testing::UnorderedElementsAre("key sample", "channel sample-channel"));
}

TEST(Suite, TakesNamesForOneThatSomeTargetsDoNotTellApart) {
  for (const std::string& end : {std::string("\0cd", 3), std::string("\xfe"), std::string("\n")}) {
    vectors::Vector vector = sample_vector();
    vector.keys = {protocol::Record{{"key", base::to_bytes("ab" + end)}}};
    EXPECT_THAT(unit_of_vector(vector).resources, ::testing::Contains("key ab"));
  }
}

struct Dangerous {
  std::string name;
  Danger danger;
  std::function<void(vectors::Vector&)> change;
};

class DangerOfVector : public ::testing::TestWithParam<Dangerous> {};

TEST_P(DangerOfVector, IsThatOfItsReadingsAndRequests) {
  vectors::Vector vector = pipelinable_vector();
  GetParam().change(vector);
  EXPECT_EQ(unit_of_vector(vector).danger(), GetParam().danger);
}

vectors::Send& first_send(vectors::Vector& vector) {
  return std::get<vectors::Send>(vector.steps.front().action);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, DangerOfVector,
    ::testing::Values(
        Dangerous{"as_it_is", Danger::documented, [](vectors::Vector&) {}},
        Dangerous{"documented_reading", Danger::documented,
                  [](auto& one) {
                    one.readings = {{"ttl-left", "left-rounded-down"}};
                  }},
        Dangerous{"open_reading", Danger::open,
                  [](auto& one) {
                    one.readings = {{"ttl-left", "left-rounded-down"}, {"ttl-zero", "expired"}};
                  }},
        Dangerous{"length_0", Danger::open,
                  [](auto& one) { first_send(one).fields.set("key", base::Bytes()); }},
        Dangerous{"unlisted_code", Danger::unlisted,
                  [](auto& one) {
                    one.readings = {{"change-unknown", "accepted"}};
                  }},
        Dangerous{"no_request", Danger::malformed,
                  [](auto& one) { first_send(one).operation.clear(); }}),
    [](const auto& row) { return row.param.name; });

TEST(Suite, NamesTheReadingsThatItRestsOn) {
  vectors::Vector vector = pipelinable_vector();
  vector.readings = {{"ttl-zero", "expired"}};
  EXPECT_THAT(readings_of({unit_of_vector(vector)}), ::testing::ElementsAre("ttl-zero"));
}

TEST(Suite, IsOrderedByDangerAndOtherwiseAsItWas) {
  Suite suite;
  for (const char* const id : {"b", "a", "c", "d"}) suite.push_back(unit_that(id, {}));
  suite[0].cases.front().danger = Danger::resources;
  suite[2].cases.front().danger = Danger::open;
  std::vector<std::string> ids;
  for (const Unit& unit : in_order_of_danger(suite)) ids.push_back(unit.cases.front().id);
  EXPECT_THAT(ids, ::testing::ElementsAre("a", "d", "c", "b"));
}

}  // namespace
}  // namespace hallmark::conformance::testing
