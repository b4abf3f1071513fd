#include "loadgen/judge/record_judge.hpp"

#include <gmock/gmock.h>

#include "loadgen/tests/replies.hpp"

namespace hallmark::loadgen {
namespace {

using ::testing::HasSubstr;

/// Requests of two parts on one key, and what is told of them.
struct Judged {
  explicit Judged(const std::string& mix, std::uint32_t workers = 1) : workload(workload_of(mix)) {
    workload.keys = 1;
    requests.emplace(Requests::make(workload).value());
    judge.emplace(*requests, watched, workers);
  }

  /// The next request of that part of the mix.
  Observation asked(const std::string& part, std::int64_t sent_ns, std::int64_t received_ns) {
    Observation one;
    while (requests->parts()[requests->part_of(next)].name != part) ++next;
    one.index = next++;
    one.part = requests->part_of(one.index);
    one.sent_ns = sent_ns;
    one.received_ns = received_ns;
    one.success = true;
    return one;
  }
  Observation told(Observation one, std::uint64_t what) const {
    one.told = what;
    const bool quota = requests->parts()[one.part].name == "query";
    one.reply = quota ? reply_to("query", workload, true, {{"quota", what}})
                      : reply_to(requests->parts()[one.part].name, workload);
    return one;
  }
  void take(std::vector<Observation> observed, std::int64_t complete_ns, std::uint32_t worker = 0) {
    judge->take(worker, observed, complete_ns);
  }
  reports::RecordChecks checks() {
    judge->finish();
    return judge->checks();
  }

  Workload workload;
  std::optional<Requests> requests;
  WatchedKeys watched{1, 1};
  std::optional<RecordJudge> judge;
  std::uint64_t next = 0;
};

TEST(RecordJudge, KnowsWhatTheSetupLeft) {
  Judged counters("query=1,update=1");
  counters.take({counters.told(counters.asked("query", 0, 5), 0xffff)}, 10);
  EXPECT_EQ(counters.checks().violated, 0U);
  EXPECT_EQ(counters.checks().requests, 1U);

  Judged moved("query=1,increase=1");
  moved.take({moved.told(moved.asked("query", 0, 5), 0x7fff)}, 10);
  EXPECT_EQ(moved.checks().violated, 0U) << "there is room on both sides";

  Judged buffers("get=1,set=1");
  buffers.take({buffers.told(buffers.asked("get", 0, 5), 0)}, 10);
  EXPECT_EQ(buffers.checks().violated, 0U);

  Judged inserted("insert=1,purge=1");
  Observation purge = inserted.asked("purge", 0, 5);
  inserted.take({purge}, 10);
  EXPECT_EQ(inserted.checks().violated, 1U) << "nothing is there to be removed";
}

TEST(RecordJudge, FindsAnUpdateThatIsLost) {
  Judged judged("query=1,increase=1");
  judged.take({judged.asked("increase", 0, 5), judged.asked("increase", 1, 6)}, 10);
  judged.take({judged.told(judged.asked("query", 20, 25), 0x8000)}, 30);
  const auto checks = judged.checks();
  EXPECT_EQ(checks.keys, 1U);
  EXPECT_EQ(checks.violated, 1U);
  ASSERT_EQ(checks.violations.size(), 1U);
  const auto& violation = checks.violations.front();
  EXPECT_EQ(violation.key, "load:c00");
  EXPECT_THAT(violation.reason,
              HasSubstr("QUERY → 32768 on c0, but the record is a counter of 32769"));
  // The violation has the bytes that prove it: of both updates, which changed the counter last, and
  // of the query.
  ASSERT_EQ(violation.exchanges.size(), 3U);
  EXPECT_THAT(violation.exchanges[0].request, testing::StartsWith("03 00 01 01 00"));
  EXPECT_THAT(violation.exchanges[2].request, testing::StartsWith("02 08"));
  EXPECT_THAT(violation.exchanges[2].reply, testing::StartsWith("01 00 80"));
}

TEST(RecordJudge, FindsAValueThatWasReplacedBefore) {
  Judged judged("get=1,set=1");
  Observation first = judged.asked("set", 0, 5);
  Observation second = judged.asked("set", 10, 15);
  Observation stale = judged.told(judged.asked("get", 20, 25), Requests::writer_of(first.index));
  judged.take({first, second, stale}, 30);
  EXPECT_EQ(judged.checks().violated, 1U);
}

TEST(RecordJudge, FindsTwoThatInsertedOneKey) {
  Judged judged("insert=1,purge=1");
  judged.take({judged.asked("insert", 0, 50), judged.asked("insert", 1, 40)}, 60);
  EXPECT_EQ(judged.checks().violated, 1U);
}

TEST(RecordJudge, FindsWhatIsThereAgainAfterItsTimeToLive) {
  constexpr std::int64_t second = 1'000'000'000;
  for (const auto& [after, violated] : {std::pair{second / 2, 0U}, std::pair{2 * second, 1U}}) {
    Judged judged("insert=1,purge=1");
    Observation again = judged.asked("insert", after, after + 10);
    again.success = false;
    judged.take({judged.asked("insert", 0, 10), again}, 3 * second);
    EXPECT_EQ(judged.checks().violated, violated) << after;
  }
}

/// Something that one worker has not told yet may explain what another was told.
TEST(RecordJudge, WaitsForTheSlowestWorker) {
  Judged judged("query=1,increase=1", 2);
  judged.take({judged.told(judged.asked("query", 10, 20), 0x8000)}, 1'000, 0);
  EXPECT_EQ(judged.judge->checks().violated, 0U);
  judged.take({judged.asked("increase", 0, 15)}, 1'000, 1);
  const auto checks = judged.checks();
  EXPECT_EQ(checks.violated, 0U);
  EXPECT_EQ(checks.requests, 2U);
}

TEST(RecordJudge, AllowsALostRequestToTakeEffectOrNot) {
  for (const std::uint64_t told : {0x7fffU, 0x8000U, 0x8001U}) {
    Judged judged("query=1,increase=1");
    Observation lost = judged.asked("increase", 0, oracle::never_ns);
    lost.client = 1;
    lost.success = false;
    judged.take({lost, judged.told(judged.asked("query", 10, 20), told)}, 1'000);
    EXPECT_EQ(judged.checks().violated, told == 0x8001U ? 1U : 0U) << told;
  }
}

TEST(RecordJudge, DrawsTwoInsertsThatWon) {
  Judged judged("insert=1,purge=1");
  Observation first = judged.asked("insert", 100, 300);
  Observation second = judged.asked("insert", 200, 250);
  second.client = 1;
  judged.judge->take_inserts({5, 1, {{first, second}}});
  const auto checks = judged.checks();
  EXPECT_EQ(checks.inserts, 5U);
  EXPECT_EQ(checks.inserts_twice, 1U);
  EXPECT_TRUE(proven_wrong(checks));
  ASSERT_EQ(checks.violations.size(), 1U);
  const auto& violation = checks.violations[0];
  EXPECT_THAT(violation.key, testing::StartsWith("load:i"));
  EXPECT_THAT(violation.reason, HasSubstr("INSERT"));
  EXPECT_THAT(violation.drawing, testing::Contains(HasSubstr("c1")));
  ASSERT_EQ(violation.exchanges.size(), 2U);
  EXPECT_EQ(violation.exchanges[0].request_index, first.index);
  EXPECT_EQ(violation.exchanges[1].request_index, second.index);
}

TEST(RecordJudge, ReadsBackWhatCountersCameTo) {
  Judged judged("query=1,increase=1,decrease=1");
  CounterLedger ledger(3);
  ledger.moved(0, 3);
  ledger.moved(1, 3);
  judged.judge->read_back(ledger, 0, 0x7fff + 3);
  judged.judge->read_back(ledger, 1, 0x7fff + 2);
  judged.judge->read_back(ledger, 2, std::nullopt);
  const auto checks = judged.checks();
  EXPECT_EQ(checks.counters, 3U);
  EXPECT_EQ(checks.counters_wrong, 2U);
  ASSERT_EQ(checks.violations.size(), 2U);
  EXPECT_EQ(checks.violations[0].reason,
            "the counter is 32769; by what was added and taken away, 32770");
  EXPECT_THAT(checks.violations[1].reason, HasSubstr("the counter is gone"));
  EXPECT_TRUE(proven_wrong(checks));
}

TEST(RecordJudge, LeavesOutCountersThatMayHaveWrapped) {
  for (const char* const answer : {"refused", "wrapped"}) {
    Workload workload = workload_of("increase=1", protocol::Width::u8);
    ASSERT_TRUE(workload.readings.set("increase-overflow", answer));
    const Requests requests = Requests::make(workload).value();
    WatchedKeys watched(1, 0);
    RecordJudge judge(requests, watched, 1);
    CounterLedger ledger(2);
    for (int i = 0; i < 200; ++i) ledger.moved(0, 1);
    judge.read_back(ledger, 0, 127 + 200 - 256);
    judge.read_back(ledger, 1, 127);
    judge.finish();
    const bool refused = std::string_view(answer) == "refused";
    EXPECT_EQ(judge.checks().counters, refused ? 2U : 1U);
    EXPECT_EQ(judge.checks().counters_wrong, refused ? 1U : 0U);
  }
}

}  // namespace
}  // namespace hallmark::loadgen
