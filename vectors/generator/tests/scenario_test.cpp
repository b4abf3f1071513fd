#include "vectors/generator/scenario.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "base/hex.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::vectors::generator {
namespace {

using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Readings of_2_0(protocol::throttr_2_0, Profile::deployed);
const Readings of_7_1(protocol::throttr_7_1, Profile::deployed);
const Readings literal_7_1(protocol::throttr_7_1, Profile::literal);
const Readings of_7_3(protocol::throttr_7_3, Profile::deployed);

Scenario scenario(const Readings& readings, Profile profile = Profile::deployed) {
  const Width width = &readings.dialect() == &protocol::throttr_2_0 ? Width::u64 : Width::u16;
  return {width, readings, profile, "QUERY", "test", "a test"};
}

std::string complaint(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

std::string sent(const Scenario& s, std::size_t step) {
  return base::to_hex(std::get<Send>(s.vector().steps.at(step).action).bytes);
}

const Expected& expected(const Scenario& s, std::size_t step) {
  return std::get<Expect>(s.vector().steps.at(step).action).any_of.front();
}

TEST(Scenario, IdsNameTheLiteralProfile) {
  EXPECT_EQ(scenario(of_7_1).vector().id, "throttr-7.1/u16/query/test");
  EXPECT_EQ(scenario(literal_7_1, Profile::literal).vector().id,
            "throttr-7.1/literal/u16/query/test");
}

TEST(Scenario, KeysAreTheSameInBothProfiles) {
  EXPECT_EQ(scenario(of_7_1).key("part"), scenario(literal_7_1, Profile::literal).key("part"));
}

TEST(Scenario, OneScriptSpeaksEveryDialect) {
  const auto write = [](Scenario s) {
    const Lifetime lifetime = s.insert(base::to_bytes("abcd"), 7, hours, 2);
    s.query(base::to_bytes("abcd"), 7, hours, lifetime);
    return s;
  };
  const Scenario keyed = write(scenario(of_7_1));
  EXPECT_EQ(sent(keyed, 0),
            "010700060200"
            "0461626364");
  EXPECT_EQ(expected(keyed, 3).fields.back().lifetime, (Lifetime{2, 3'600'000'000'000, 0}));
  EXPECT_THAT(keyed.vector().keys, ElementsAre(Record{{"key", base::to_bytes("abcd")}}));

  const Scenario paired = write(scenario(of_2_0));
  EXPECT_EQ(sent(paired, 0),
            "0101000000"
            "0700000000000000"
            "02"
            "201c000000000000"
            "0202"
            "61626364");
  EXPECT_EQ(expected(paired, 3).fields.back().lifetime, (Lifetime{7200, 1'000'000'000, 0}));
  EXPECT_THAT(paired.vector().keys, ElementsAre(Record{{"consumer_id", base::to_bytes("ab")},
                                                       {"resource_id", base::to_bytes("cd")}}));
}

TEST(Scenario, RequestIdsAreFreshAndExpectedBack) {
  Scenario s = scenario(of_2_0);
  s.fails("QUERY", s.key());
  s.fails("QUERY", s.key());
  s.send("QUERY", Name(s.key()).with({{"request_id", 77UL}}));
  s.status(false);
  EXPECT_EQ(expected(s, 1).fields.front(), is("request_id", 1));
  EXPECT_EQ(expected(s, 3).fields.front(), is("request_id", 2));
  EXPECT_EQ(expected(s, 5).fields.front(), is("request_id", 77));
}

TEST(Scenario, RepliesAreThoseOfTheOldestRequest) {
  Scenario s = scenario(of_7_1);
  s.send("WHOAMI", {});
  s.send("QUERY", Name(s.key()).with({}));
  s.succeeds({any("id")});
  s.status(false);
  EXPECT_EQ(expected(s, 2).message, "WHOAMI");
  EXPECT_EQ(expected(s, 3).message, "QUERY");
}

TEST(Scenario, StatusStandsWhereTheReadingsPutIt) {
  const auto listed = [](Scenario s) {
    s.send("LIST", {});
    s.succeeds({holds("keys", {})});
    return expected(s, 1).fields.size();
  };
  EXPECT_EQ(listed(scenario(of_7_1)), 2U);
  EXPECT_EQ(listed(scenario(literal_7_1, Profile::literal)), 1U);
}

TEST(Scenario, PublicationsAreAnsweredWhereTheReadingsSaySo) {
  const auto steps = [](Scenario s) { return s.publish(s.key(), Bytes{1}).vector().steps.size(); };
  EXPECT_EQ(steps(scenario(of_7_1)), 1U);
  EXPECT_EQ(steps(scenario(literal_7_1, Profile::literal)), 2U);
}

TEST(Scenario, WhatASubscriberReceivesIsTheDialectsPush) {
  Scenario old = scenario(of_7_1);
  old.receives(old.key(), Bytes{1});
  EXPECT_EQ(expected(old, 0).message, "DELIVERY");
  EXPECT_EQ(expected(old, 0).fields.size(), 1U);
  Scenario later = scenario(of_7_3);
  later.receives(later.key(), Bytes{1});
  EXPECT_EQ(expected(later, 0).message, "EVENT");
  EXPECT_EQ(expected(later, 0).fields.front(), is("channel", later.key()));
}

TEST(Scenario, ClausesOfOtherDialectsAreLeftOut) {
  Scenario s = scenario(of_2_0);
  s.cites({"query.found", "list.code"});
  EXPECT_THAT(s.vector().clauses, ElementsAre("query.found"));
}

TEST(Scenario, RefusesWhatTheAuthorGotWrong) {
  Scenario s = scenario(of_2_0);
  EXPECT_EQ(complaint([&] { s.cites({"query.fund"}); }),
            "throttr-2.0/u64/query/test: cites query.fund, which is no clause");
  EXPECT_EQ(complaint([&] { s.send("LIST", {}); }),
            "throttr-2.0/u64/query/test: throttr-2.0 has no operation LIST");
  EXPECT_EQ(complaint([&] { s.status(true); }),
            "throttr-2.0/u64/query/test: expects a reply that nobody asked for");
  EXPECT_THAT(complaint([&] { s.send("QUERY", {}); }), HasSubstr("consumer_id"));
}

}  // namespace
}  // namespace hallmark::vectors::generator
