#include "vectors/generator/rehearsal.hpp"
#include "base/hex.hpp"

#include <gmock/gmock.h>

#include "protocol/dialects.hpp"
#include "vectors/generator/scenario.hpp"

namespace hallmark::vectors::generator {
namespace {

using protocol::Profile;
using protocol::Width;
using ::testing::HasSubstr;

const protocol::Readings deployed(protocol::throttr_7_1, Profile::deployed);
const protocol::Readings literal(protocol::throttr_7_1, Profile::literal);

Scenario scenario() {
  Scenario s(Width::u16, deployed, Profile::deployed, "QUERY", "test", "a test");
  s.cites({"query.found"});
  return s;
}

std::string complaint(Scenario& s) {
  const auto result = rehearse(s.vector(), Width::u16, deployed);
  return result.has_error() ? result.error().message : "";
}

TEST(Rehearsal, RefusesWhatTheModelDoesNotAnswer) {
  Scenario s = scenario();
  const Lifetime lifetime = s.insert(s.key(), 7, hours, 1);
  s.query(s.key(), 8, hours, lifetime);
  EXPECT_EQ(complaint(s),
            "throttr-7.1/u16/query/test: step 3: quota: expected 8, the model answers 7");
}

TEST(Rehearsal, RefusesRepliesThatNoStepExpects) {
  Scenario s = scenario();
  s.send("WHOAMI", {});
  EXPECT_THAT(complaint(s), HasSubstr("that no step expects"));
}

TEST(Rehearsal, RefusesRepliesThatDoNotCome) {
  Scenario s = scenario();
  s.whoami("own");
  s.vector().steps.push_back(s.vector().steps.back());
  EXPECT_THAT(complaint(s), HasSubstr("the model answers"));
}

TEST(Rehearsal, RefusesADeliveryThatDoesNotCome) {
  Scenario s = scenario();
  s.on("b").publish(s.key(), Bytes{1});
  s.on("a").receives(s.key(), Bytes{1});
  EXPECT_THAT(complaint(s), HasSubstr("the model answers"));
}

TEST(Rehearsal, FillsInExamplesAndPlaces) {
  Scenario s = scenario();
  const Lifetime lifetime = s.insert(s.key(), 7, hours, 2);
  s.query(s.key(), 7, hours, lifetime);
  EXPECT_EQ(complaint(s), "");
  const Expected& expected = std::get<Expect>(s.vector().steps.back().action).any_of.front();
  EXPECT_EQ(base::to_hex(expected.example), "010700060100");
  EXPECT_EQ(expected.fields.back().offset, 4U);
  EXPECT_EQ(expected.fields.back().length, 2U);
}

TEST(Rehearsal, HoldsOnlyUnderTheAnswersThatMatter) {
  Scenario s = scenario();
  s.insert(s.key(), 7, hours, 1);
  s.send("LIST", {});
  s.succeeds({holds("keys", {})});
  EXPECT_TRUE(holds_under(s.vector(), Width::u16, deployed, deployed, usual_pace));
  EXPECT_FALSE(holds_under(s.vector(), Width::u16, deployed, literal, usual_pace));
  protocol::Readings other = deployed;
  other.choose({"publish-reply", "status"});
  EXPECT_TRUE(holds_under(s.vector(), Width::u16, deployed, other, usual_pace));
}

TEST(Rehearsal, HasItsPace) {
  Scenario s = scenario();
  const Lifetime lifetime = s.insert(s.key(), 7, seconds, 200);
  s.query(s.key(), 7, seconds, lifetime);
  EXPECT_TRUE(holds_under(s.vector(), Width::u16, deployed, deployed, 99'000'000'000));
  EXPECT_FALSE(holds_under(s.vector(), Width::u16, deployed, deployed, 101'000'000'000));
}

}  // namespace
}  // namespace hallmark::vectors::generator
