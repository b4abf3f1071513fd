#include "conformance/drivers/stream/vector_player.hpp"

#include <gmock/gmock.h>

#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::Verdict;

class EveryDelivery : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryDelivery, PassesAgainstACorrectServerWhateverTheSegments) {
  for (const auto& vector : {pipelinable_vector(), sample_vector()}) {
    Simulation simulation;
    simulation.network.deliver_at_most(GetParam());
    for (const auto& result : simulation.play(unit_of_vector(vector))) {
      EXPECT_EQ(result.verdict, Verdict::pass) << result.id << ": " << result.reason;
      EXPECT_TRUE(result.evidence.empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BytesAtATime, EveryDelivery, ::testing::Values(0, 1, 2, 3, 7));

TEST(VectorPlayer, DeliversAVectorOfOneConnectionInFourWays) {
  const Unit unit = unit_of_vector(pipelinable_vector());
  std::vector<std::string> ids;
  for (const auto& entry : unit.cases) ids.push_back(entry.id);
  const std::string id = pipelinable_vector().id;
  EXPECT_THAT(ids, ::testing::ElementsAre(id, id + "#bytewise", id + "#split", id + "#pipelined"));
}

TEST(VectorPlayer, DoesNotPipelineSeveralConnections) {
  EXPECT_FALSE(can_deliver(format_u16(), sample_vector(), Delivery::pipelined));
  EXPECT_TRUE(can_deliver(format_u16(), sample_vector(), Delivery::split));
}

TEST(VectorPlayer, PlaysExclusiveVectorsWithoutABystanderInBetween) {
  auto vector = pipelinable_vector();
  vector.preconditions = {vectors::Precondition::exclusive};
  EXPECT_FALSE(can_deliver(format_u16(), vector, Delivery::split));
  EXPECT_FALSE(can_deliver(format_u16(), vector, Delivery::bytewise));
  EXPECT_TRUE(can_deliver(format_u16(), vector, Delivery::whole));
}

struct Caught {
  std::string name;
  Bug bug;
  std::string reason;
  std::string cause;
};

class BrokenServer : public ::testing::TestWithParam<Caught> {};

TEST_P(BrokenServer, IsCaughtByAVectorAndSaysWhy) {
  Simulation simulation(GetParam().bug);
  const auto results = simulation.play(unit_of_vector(sample_vector()));
  ASSERT_EQ(results.front().verdict, Verdict::fail) << results.front().reason;
  EXPECT_THAT(results.front().reason, ::testing::HasSubstr(GetParam().reason));
  EXPECT_THAT(results.front().likely_cause, ::testing::HasSubstr(GetParam().cause));
  EXPECT_FALSE(results.front().evidence.empty());
  EXPECT_FALSE(results.front().reproduction.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Bugs, BrokenServer,
    ::testing::Values(
        Caught{"failure", Bug::query_replies_failure, "QUERY: status is 0, expected 1", ""},
        Caught{"big_endian", Bug::query_big_endian, "quota is 1792, expected 7", "byte order"},
        Caught{"short", Bug::query_short,
               "silent after 5 bytes of it where the reply to QUERY was due", ""},
        Caught{"unit", Bug::query_ttl_in_ms, "ttl is 59999, expected", "wrong unit"},
        Caught{"no_status", Bug::query_without_status,
               "the reply to QUERY is malformed: status at byte 0", ""},
        Caught{"two_replies", Bug::insert_replies_twice, "QUERY", ""},
        Caught{"answers_publish", Bug::answers_publish, "WHOAMI", ""},
        Caught{"delivers_twice", Bug::delivers_twice,
               "a delivery that nobody was to receive came on b", ""},
        Caught{"changing_id", Bug::changing_id, "WHOAMI: id is", ""},
        Caught{"closes", Bug::closes_on_whoami,
               "closed the connection where the reply to WHOAMI was due", ""}),
    [](const auto& row) { return row.param.name; });

TEST(VectorPlayer, ShowsTheFieldThatIsWrongAndWhatItShouldHaveBeen) {
  Simulation simulation(Bug::query_big_endian);
  const auto result = simulation.play(unit_of_vector(pipelinable_vector())).front();
  const auto& exchange = result.evidence.back();
  const auto quota = std::ranges::find(exchange.fields, "quota", &reports::AnnotatedField::path);
  ASSERT_NE(quota, exchange.fields.end());
  EXPECT_TRUE(quota->wrong);
  EXPECT_EQ(quota->expected, "7");
  ASSERT_TRUE(exchange.expected);
  EXPECT_EQ((*exchange.expected)[1], 7);
}

TEST(VectorPlayer, DoesNotSplitWhatFailsAsAWhole) {
  Simulation simulation(Bug::query_big_endian);
  const auto results = simulation.play(unit_of_vector(pipelinable_vector()));
  for (std::size_t i = 1; i < results.size(); ++i) EXPECT_EQ(results[i].verdict, Verdict::skipped);
}

TEST(VectorPlayer, CatchesAServerThatDependsOnSegments) {
  Simulation simulation(Bug::forgets_split);
  const auto results = simulation.play(unit_of_vector(pipelinable_vector()));
  ASSERT_EQ(results.size(), 4U);
  EXPECT_EQ(results[0].verdict, Verdict::pass);
  EXPECT_EQ(results[1].verdict, Verdict::fail) << results[1].id;
  EXPECT_EQ(results[2].verdict, Verdict::fail) << results[2].id;
  EXPECT_EQ(results[3].verdict, Verdict::pass);
}

/// The keys were to be removed in the middle of a request: such a server removes them behind it.
TEST(VectorPlayer, DoesNotBlameAVectorForAServerThatLetsOthersWait) {
  for (const auto& vector : {pipelinable_vector(), sample_vector()}) {
    Simulation simulation(Bug::waits_for_rest);
    for (const auto& result : simulation.play(unit_of_vector(vector)))
      EXPECT_EQ(result.verdict, Verdict::pass) << result.id << ": " << result.reason;
    EXPECT_TRUE(simulation.context.waits_for_half_requests);
    const Time known = simulation.network.now();
    for (const auto& result : simulation.play(unit_of_vector(vector)))
      EXPECT_EQ(result.verdict, Verdict::pass) << result.id << ": " << result.reason;
    EXPECT_LT(simulation.network.now() - known, test_deadline) << "waits in vain again";
  }
}

TEST(VectorPlayer, TakesNoServerForPatientThatHangs) {
  Simulation sound;
  sound.play(unit_of_vector(pipelinable_vector()));
  const std::size_t all = sound.network.operations();
  for (std::size_t at = 0; at < all; ++at) {
    Simulation simulation;
    simulation.network.inject({FaultKind::stall, at});
    simulation.play(unit_of_vector(pipelinable_vector()));
    EXPECT_FALSE(simulation.context.waits_for_half_requests) << at;
  }
}

TEST(VectorPlayer, LeavesNoKeysBehind) {
  Simulation simulation;
  simulation.play(unit_of_vector(pipelinable_vector()));
  Housekeeper housekeeper(simulation.context);
  Stage stage(simulation.context, housekeeper, "after");
  EXPECT_FALSE(stage.connection().ask(query("sample")).succeeded());
}

}  // namespace
}  // namespace hallmark::conformance::testing
