#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/drivers/stream/player.hpp"
#include "conformance/identify/tests/fake_throttr.hpp"
#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/readings/probe.hpp"
#include "conformance/tests/rounds_tried.hpp"
#include "protocol/dialects.hpp"

/// A case is played before the readings are known that it does not rest on: held to any of their
/// answers, it has to come out the same.
namespace hallmark::conformance::testing {
namespace {

using protocol::Dialect;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;

/// Values of some length, and not of millions of bytes.
Width width_of(const Dialect& dialect) {
  const bool has_u16 = std::ranges::find(dialect.widths, Width::u16) != dialect.widths.end();
  return has_u16 ? Width::u16 : dialect.widths.front();
}

std::string outcome(const Unit& unit, const WireFormat& held) {
  FakeThrottr target(held.width(), Readings(held.dialect(), Profile::deployed));
  TestNetwork network(target);
  Patience patience(1'000'000'000);
  RunContext context{.network = network, .format = held, .patience = patience};
  Housekeeper housekeeper(context);
  const auto result = std::move(play_unit(context, housekeeper, unit).front());
  return fmt::format("{} {}", name_of(result.verdict), result.reason);
}

class RestsOn : public ::testing::TestWithParam<const Dialect*> {};

TEST_P(RestsOn, EveryReadingThatDecidesHowACaseComesOut) {
  const Dialect& dialect = *GetParam();
  const Readings deployed(dialect, Profile::deployed);
  const Width width = width_of(dialect);
  const WireFormat held(width, deployed);
  std::size_t round = 0;
  for (const Unit& unit : suite_of_behaviours(behaviour_cases(held), "x")) {
    if (unit.danger() >= Danger::malformed || unit.needs.slow) continue;
    const std::string expected = outcome(unit, held);
    for (const ReadingProbe& probe : behaviour_probes(dialect)) {
      if (unit.rests_on.contains(std::string(probe.reading))) continue;
      const protocol::Reading& reading =
          dialect.readings[Readings::index_of(dialect, probe.reading)];
      for (const protocol::Answer& answer : reading.answers) {
        if (answer.id == deployed.answer(reading) || !is_tried(round++)) continue;
        Readings other = deployed;
        ASSERT_TRUE(other.set(probe.reading, answer.id));
        EXPECT_EQ(outcome(unit, WireFormat(width, other)), expected)
            << unit.name << " held to " << probe.reading << "=" << answer.id;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, RestsOn, ::testing::ValuesIn(protocol::throttr_dialects),
                         [](const auto& row) {
                           std::string name(row.param->name);
                           std::ranges::replace_if(
                               name, [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace hallmark::conformance::testing
