// Tests of what load runs find wrong with what a target tells about its records.

#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::AnyOf;
using testing::HasSubstr;

constexpr const char* all_records =
    "query=30,increase=20,decrease=20,insert=10,purge=8,get=6,set=6";

class LoadRecords : public EndToEnd {
 protected:
  /// A run against a reference with that bug, or none.
  Outcome run(const std::string& mutant, const Arguments& more = {},
              const std::string& mix = all_records, const std::string& duration = "800ms") {
    Arguments options{"--threads", "2"};
    if (!mutant.empty()) options.insert(options.end(), {"--mutant", mutant});
    server_.emplace("u16", directory_.string(), Arguments{"tcp://127.0.0.1:0"}, options);
    Arguments words{"load",       server_->target(), "--width",   "u16",    "--mix",
                    mix,          "--closed",        "--depth",   "4",      "--connections",
                    "8",          "--threads",       "2",         "--keys", "100",
                    "--duration", duration,          "--timeout", "10s",    "--json",
                    "load.json"};
    words.insert(words.end(), more.begin(), more.end());
    return hallmark(words);
  }
  Json records() { return parsed(read("load.json"))["records"]; }

 private:
  std::optional<Server> server_;
};

TEST_F(LoadRecords, OfARightTargetAreAllExplained) {
  const auto outcome = run("", {"--churn", "50", "--warmup", "100ms"});
  EXPECT_THAT(outcome.exit_code, AnyOf(0, 4)) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "load.json"), "");
  const Json found = records();
  EXPECT_EQ(found["violated"], 0) << outcome.out;
  EXPECT_GT(found["inserts"], 0);
  EXPECT_EQ(found["inserts_twice"], 0) << outcome.out;
  EXPECT_EQ(found["counters"], 100);
  EXPECT_EQ(found["counters_wrong"], 0) << outcome.out;
  EXPECT_GT(found["requests"], 1'000);
  EXPECT_THAT(outcome.out, HasSubstr("counters: 100 of 100 are what was added and taken away"));
}

struct Broken {
  const char* mutant;
  const char* key;        ///< beginning of one that shows it
  bool counters = false;  ///< the counters lack what was added
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.mutant; }

class LoadRecordsOf : public LoadRecords, public testing::WithParamInterface<Broken> {};

TEST_P(LoadRecordsOf, AreShownToBeWrong) {
  const auto outcome = run(GetParam().mutant);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "load.json"), "");
  const Json found = records();
  EXPECT_GT(found["violated"], 0);
  EXPECT_EQ(found["counters_wrong"] > 0, GetParam().counters);
  bool shown = false;
  for (const Json& one : found["violations"].items()) {
    if (!one["key"].string().starts_with(GetParam().key)) continue;
    shown = true;
    if (!one.contains("exchanges")) continue;
    EXPECT_FALSE(one["exchanges"].items().back()["request"].string().empty());
    EXPECT_FALSE(one["drawing"].empty());
  }
  EXPECT_TRUE(shown) << found.dump(1);
}

INSTANTIATE_TEST_SUITE_P(
    Bugs, LoadRecordsOf,
    testing::Values(Broken{"race.update-lost", "load:c", true},
                    Broken{"race.update-twice", "load:c", true},
                    Broken{"race.insert-twice", "load:i"}, Broken{"race.purge-twice", "load:i"},
                    Broken{"race.get-torn", "load:b"}, Broken{"race.query-cached", "load:c"},
                    Broken{"purge.keeps", "load:i"}, Broken{"set.first-value-stays", "load:b"}));

TEST_F(LoadRecords, ThatAreThereAfterTheirTimeToLiveAreFound) {
  const auto outcome = run("expiry.never", {}, "insert=1,query=1", "1500ms");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_GT(records()["violated"], 0);
  EXPECT_THAT(outcome.out, HasSubstr("without an order that explains the replies"));
}

TEST_F(LoadRecords, AreNotLookedAtWhereNobodyAsks) {
  const auto outcome = run("race.purge-twice", {"--watch", "0"});
  EXPECT_THAT(outcome.exit_code, AnyOf(0, 4)) << outcome.out << outcome.err;
  EXPECT_EQ(records()["keys"], 0);
}

TEST_F(LoadRecords, OfEveryKeyOneInsertWinsWatchedOrNot) {
  const auto outcome = run("race.insert-twice", {"--watch", "0"}, "insert=1");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "load.json"), "");
  const Json found = records();
  EXPECT_GT(found["inserts_twice"], 0);
  EXPECT_EQ(found["violations"][0]["exchanges"].size(), 2U);
  EXPECT_THAT(outcome.out, HasSubstr("that won where another had"));
}

}  // namespace
}  // namespace hallmark::e2e
