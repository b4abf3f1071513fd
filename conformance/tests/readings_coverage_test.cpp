#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/tests/fixture.hpp"
#include "protocol/dialects.hpp"

/// The fake server gives the answers of released servers. Held to any other, some case that cites
/// the reading's clause fails. Here, in simulated time, for 2.0, all of which it knows, and for
/// layouts of 7.1; e2e/tests/readings_test.cpp does the same for all, with the reference server.
namespace hallmark::conformance::testing {
namespace {

using reports::Verdict;

struct Other {
  const WireFormat& (*served)();
  const protocol::Reading* reading;
  const protocol::Answer* answer;
};

/// The readings of 7.1 that the fake server knows about.
constexpr protocol::ReadingName known_layouts[] = {"status-prefix", "set-value-size", "whoami",
                                                   "publish-reply"};

bool is_known(const protocol::Dialect& dialect, std::string_view reading) {
  return &dialect == &protocol::throttr_2_0 ||
         std::ranges::find(known_layouts, reading) != std::ranges::end(known_layouts);
}

/// All but the one that allows what the server does.
std::vector<Other> other_answers() {
  std::vector<Other> all;
  for (const auto served : {format_2_0, format_u16}) {
    for (const protocol::Reading& reading : served().dialect().readings) {
      if (!is_known(served().dialect(), reading.id)) continue;
      for (const protocol::Answer& answer : reading.answers) {
        if (answer.id != served().readings().answer(reading) && answer.id != "any-order")
          all.push_back({served, &reading, &answer});
      }
    }
  }
  return all;
}

class OtherAnswer : public ::testing::TestWithParam<Other> {};

TEST_P(OtherAnswer, IsSeenByACaseThatCitesItsClause) {
  const auto& [served, reading, answer] = GetParam();
  protocol::Readings readings = served().readings();
  ASSERT_TRUE(readings.set(reading->id, answer->id));
  const WireFormat format(served().width(), readings);
  const auto cases = chosen(
      suite_of_behaviours(behaviour_cases(format), "prefix"),
      {.ids = {}, .operations = {}, .levels = {}, .clauses = {std::string(reading->clause)}});
  ASSERT_TRUE(cases) << cases.error();
  Simulation simulation(Bug::none, served(), format);
  std::size_t failed = 0;
  for (const Unit& unit : *cases) {
    for (const auto& result : simulation.play(unit)) failed += result.verdict == Verdict::fail;
  }
  EXPECT_GT(failed, 0U);
}

INSTANTIATE_TEST_SUITE_P(Readings, OtherAnswer, ::testing::ValuesIn(other_answers()),
                         [](const auto& row) {
                           std::string name =
                               fmt::format("{}_{}", row.param.reading->id, row.param.answer->id);
                           for (char& c : name) c = c == '-' || c == '.' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace hallmark::conformance::testing
