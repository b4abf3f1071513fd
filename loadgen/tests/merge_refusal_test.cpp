#include "loadgen/results/merge_refusal.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace hallmark::loadgen {
namespace {

using reports::LoadResult;
using std::chrono::seconds;

constexpr std::uint64_t shares = 3;

LoadResult share(std::uint64_t rank) {
  LoadResult result;
  result.header.dialect = "throttr-7.1";
  result.header.target = "tcp://127.0.0.1:1";
  result.header.duration = seconds(10);
  result.header.options = {{"mix", "query=1"}, {"threads", "1"}};
  result.run = reports::RunIdentity{.run = "night", .options = "00aa", .rank = rank, .of = shares};
  return result;
}

/// Says what is wrong with two shares, the second of which is changed.
std::string refusal_of(const std::function<void(LoadResult&)>& change) {
  std::vector results{share(0), share(1)};
  change(results[1]);
  const std::vector<std::string> names{"a.json", "b.json"};
  const auto refusal = merge_refusal(results, names);
  return refusal ? refusal->message : "";
}

TEST(MergeRefusal, SharesOfOneRunBelongTogether) {
  EXPECT_EQ(refusal_of([](LoadResult&) {}), "");
  EXPECT_EQ(refusal_of([](LoadResult& one) { one.header.options[1].value = "8"; }), "");
  EXPECT_EQ(refusal_of([](LoadResult& one) { one.run->begin += seconds(9); }), "");
}

TEST(MergeRefusal, NamesBothAndWhatIsDifferent) {
  EXPECT_EQ(refusal_of([](LoadResult& one) { one.run->rank = 0; }),
            "a.json and b.json are the same share, 1/3");
  EXPECT_EQ(refusal_of([](LoadResult& one) { one.header.target = "tcp://127.0.0.1:2"; }),
            "a.json and b.json are of two targets: tcp://127.0.0.1:1 and tcp://127.0.0.1:2");
  EXPECT_EQ(refusal_of([](LoadResult& one) {
              one.run->options = "00bb";
              one.header.options[0].value = "update=1";
            }),
            "a.json and b.json have other options: mix is query=1 and update=1");
  EXPECT_EQ(refusal_of([](LoadResult& one) { one.run->options = "00bb"; }),
            "a.json and b.json have other options: their hashes are 00aa and 00bb");
  EXPECT_EQ(refusal_of([](LoadResult& one) { one.run->begin += seconds(10); }),
            "a.json and b.json do not overlap in time (1970-01-01T00:00:00.000Z to "
            "1970-01-01T00:00:10.000Z and 1970-01-01T00:00:10.000Z to 1970-01-01T00:00:20.000Z); "
            "shares of one run do");
  EXPECT_EQ(refusal_of([](LoadResult& one) { one.run->run = "day"; }),
            "a.json and b.json are shares of two runs: night and day");
  EXPECT_EQ(refusal_of([](LoadResult& one) { one.run->of = 4; }),
            "a.json and b.json are shares of 3 and of 4");
  EXPECT_EQ(refusal_of([](LoadResult& one) { one.run->of = 1; }),
            "a.json and b.json are a share and a whole run");
  EXPECT_EQ(refusal_of([](LoadResult& one) {
              one.objectives.push_back(
                  {.objective = "p99<1ms", .metric = "p99", .measured = {}, .shown = {}});
            }),
            "a.json and b.json have other objectives: none and p99<1ms");
  EXPECT_EQ(refusal_of([](LoadResult& one) { one.header.dialect = "throttr-2.0"; }),
            "a.json and b.json are of different kinds: throttr-7.1  open loop, depth 0 and "
            "throttr-2.0  open loop, depth 0");
}

TEST(MergeRefusal, WholeRunsMayFollowEachOtherAndEachCountsOnce) {
  const std::vector<std::string> names{"a.json", "b.json"};
  std::vector runs{share(0), share(0)};
  for (LoadResult& run : runs) run.run->of = 1;
  EXPECT_EQ(merge_refusal(runs, names)->message, "a.json and b.json are the same run, night");
  runs[1].run->run = "day";
  runs[1].run->begin += seconds(100);
  EXPECT_FALSE(merge_refusal(runs, names));
}

}  // namespace
}  // namespace hallmark::loadgen
