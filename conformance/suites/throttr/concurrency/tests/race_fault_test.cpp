#include <gtest/gtest.h>

#include "conformance/tests/fault_prediction.hpp"

namespace hallmark::conformance::testing {
namespace {

class RaceWithFault : public ::testing::TestWithParam<FaultKind> {};

TEST_P(RaceWithFault, GivesItsVerdict) {
  expect_predicted(unit_of_behaviour("concurrency/up-and-down"),
                   {format_u16(), {"c1", "c2", "c3", "c4", "c5", "c6"}}, GetParam());
  expect_predicted(unit_of_behaviour("concurrency/subscribes-meanwhile"),
                   {format_u16(), {"stayer", "publisher", "late"}}, GetParam());
}

/// Its connections are opened again in an order of chance, so only what names none is predicted.
TEST_P(RaceWithFault, GivesItsVerdictWhereConnectionsAreGivenUp) {
  if (GetParam() == FaultKind::stall || GetParam() == FaultKind::garbage) return;
  expect_predicted(unit_of_behaviour("concurrency/cut-off"), {format_u16(), {"any"}}, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Kinds, RaceWithFault, ::testing::ValuesIn(all_faults),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace hallmark::conformance::testing
