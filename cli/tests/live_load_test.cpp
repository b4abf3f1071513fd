#include "cli/live/live_load.hpp"

#include <gtest/gtest.h>

#include "base/endpoint.hpp"
#include "base/json.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::cli {
namespace {

loadgen::LoadOptions options_of_a_run() {
  loadgen::LoadOptions options{
      .target = base::parse_endpoint<loadgen::Target>("tcp://127.0.0.1:9000").value(),
      .workload = {.readings = {protocol::throttr_7_1, protocol::Profile::deployed},
                   .mix = "query=1"}};
  options.duration = std::chrono::seconds(60);
  return options;
}

class LiveLoadNews : public testing::Test {
 protected:
  base::Json news() {
    const auto event = live_.news(seen_);
    return event ? base::parse_json(*event).value() : base::Json();
  }

  void second(std::uint64_t number) {
    live_.add({.second = number, .sent = 10, .completed = 10});
    loadgen::Tally tally(1);
    tally.sent = 10;
    live_.add(std::vector<std::string>{"query"}, tally);
  }

  LiveLoad live_;
  LivePosition seen_;
};

TEST_F(LiveLoadNews, AreNoneBeforeTheRunBegins) { EXPECT_TRUE(news().is_null()); }

TEST_F(LiveLoadNews, AreAResultWithTheSecondsThatAreNew) {
  live_.begin(options_of_a_run());
  second(0);
  second(1);
  const base::Json first = news();
  EXPECT_EQ(first["about"]["results"][0]["verdict"].string(), "RUNNING  2 s of 60.0 s");
  EXPECT_EQ(first["results"][0]["format"].string(), "hallmark-load");
  EXPECT_EQ(first["results"][0]["series"].size(), 2U);
  EXPECT_TRUE(news().is_null());
  second(2);
  const base::Json next = news();
  EXPECT_EQ(next["about"]["from"].natural(), 2U);
  ASSERT_EQ(next["results"][0]["series"].size(), 1U);
  EXPECT_EQ(next["results"][0]["series"][0]["second"].natural(), 2U);
}

TEST_F(LiveLoadNews, BeginAnewWithTheNextRun) {
  live_.begin(options_of_a_run());
  second(0);
  second(1);
  news();
  live_.begin(options_of_a_run());
  second(0);
  const base::Json next = news();
  EXPECT_EQ(next["about"]["from"].natural(), 0U);
  EXPECT_EQ(next["results"][0]["series"].size(), 1U);
  EXPECT_EQ(next["about"]["results"][0]["verdict"].string(), "RUNNING  run 2: 1 s of 60.0 s");
}

TEST_F(LiveLoadNews, TellAllSecondsAnewOnceTwoAndTwoBecomeOne) {
  live_.begin(options_of_a_run());
  for (std::uint64_t i = 0; i < loadgen::SampleSeries::most_samples; ++i) second(i);
  EXPECT_EQ(news()["results"][0]["series"].size(), loadgen::SampleSeries::most_samples);
  second(loadgen::SampleSeries::most_samples);
  const base::Json next = news();
  EXPECT_EQ(next["about"]["from"].natural(), 0U);
  EXPECT_EQ(next["results"][0]["series"].size(), loadgen::SampleSeries::most_samples / 2 + 1);
  second(loadgen::SampleSeries::most_samples + 1);
  EXPECT_EQ(news()["about"]["from"].natural(), loadgen::SampleSeries::most_samples / 2);
}

}  // namespace
}  // namespace hallmark::cli
