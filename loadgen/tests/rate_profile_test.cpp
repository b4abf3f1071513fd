#include "loadgen/arrivals/rate_profile.hpp"

#include <gmock/gmock.h>

#include "base/nanoseconds.hpp"

namespace hallmark::loadgen {
namespace {

using base::ns_per_second;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

RateProfile profile(std::string_view text, std::chrono::nanoseconds run = seconds(10)) {
  return RateProfile::parse(text, run).value();
}

TEST(RateProfile, of_one_rate_is_even) {
  const RateProfile even = profile("2k");
  EXPECT_TRUE(even.constant());
  EXPECT_EQ(even.time_of(0), 0);
  EXPECT_EQ(even.time_of(2'000), ns_per_second);
  EXPECT_EQ(even.time_of(5'000'000), 2'500 * ns_per_second);
  EXPECT_EQ(even.requests_by(ns_per_second / 2), 1'000);
  EXPECT_EQ(even.highest(), 2'000);
  EXPECT_EQ(even.text(), "2k");
}

TEST(RateProfile, a_ramp_goes_over_the_whole_run) {
  const RateProfile ramp = profile("0..1k", seconds(10));
  EXPECT_FALSE(ramp.constant());
  EXPECT_DOUBLE_EQ(ramp.requests_by(10 * ns_per_second), 5'000);
  EXPECT_DOUBLE_EQ(ramp.requests_by(5 * ns_per_second), 1'250);
  EXPECT_EQ(ramp.time_of(0), 0);
  EXPECT_NEAR(ramp.time_of(1'250), 5 * ns_per_second, 1);
  EXPECT_EQ(ramp.text(), "0..1k@10s");
}

TEST(RateProfile, a_ramp_may_go_down) {
  const RateProfile ramp = profile("1k..0", seconds(4));
  EXPECT_DOUBLE_EQ(ramp.requests_by(4 * ns_per_second), 2'000);
  EXPECT_NEAR(ramp.time_of(1'500), 2 * ns_per_second, 1);
  EXPECT_EQ(ramp.highest(), 1'000);
}

TEST(RateProfile, steps_begin_again_after_the_last) {
  const RateProfile steps = profile("1k@1s,3k@2s");
  EXPECT_DOUBLE_EQ(steps.requests_by(1 * ns_per_second), 1'000);
  EXPECT_DOUBLE_EQ(steps.requests_by(3 * ns_per_second), 7'000);
  EXPECT_DOUBLE_EQ(steps.requests_by(4 * ns_per_second), 8'000);
  EXPECT_DOUBLE_EQ(steps.time_of(1'000), 1 * ns_per_second);
  EXPECT_DOUBLE_EQ(steps.time_of(4'000), 2 * ns_per_second);
  EXPECT_DOUBLE_EQ(steps.time_of(7'500), 3.5 * ns_per_second);
  EXPECT_DOUBLE_EQ(steps.time_of(70'000), 30 * ns_per_second);
}

TEST(RateProfile, between_bursts_nothing_is_due) {
  const RateProfile bursts = profile("10k@100ms,0@900ms");
  EXPECT_DOUBLE_EQ(bursts.time_of(999), 0.0999 * ns_per_second);
  EXPECT_DOUBLE_EQ(bursts.time_of(1'000), 1 * ns_per_second);
  EXPECT_DOUBLE_EQ(bursts.requests_by(0.5 * ns_per_second), 1'000);
  EXPECT_DOUBLE_EQ(bursts.requests_by(1.05 * ns_per_second), 1'500);
}

TEST(RateProfile, what_has_no_length_takes_the_rest_of_the_run) {
  const RateProfile rest = profile("1k@2s,1k..5k,5k@3s", seconds(10));
  EXPECT_EQ(rest.text(), "1k@2s,1k..5k@5s,5k@3s");
}

TEST(RateProfile, time_and_requests_are_inverse) {
  for (const char* const text : {"7", "1k..50k", "50k..1k@3s", "0..2k@1s,0@1s,2k..0@500ms"}) {
    const RateProfile one = profile(text).after(milliseconds(700));
    double before = -1;
    for (double requests = 0; requests < 30'000; requests += 61.7) {
      const double time = one.time_of(requests);
      ASSERT_GE(time, before) << text << " at " << requests;
      ASSERT_NEAR(one.requests_by(time), requests, 1e-3) << text;
      before = time;
    }
  }
}

TEST(RateProfile, a_lead_has_the_rate_with_which_it_begins) {
  const RateProfile led = profile("100..300@2s").after(seconds(3));
  EXPECT_DOUBLE_EQ(led.requests_by(3 * ns_per_second), 300);
  EXPECT_DOUBLE_EQ(led.requests_by(5 * ns_per_second), 700);
  EXPECT_DOUBLE_EQ(led.time_of(150), 1.5 * ns_per_second);
}

TEST(RateProfile, what_it_prints_it_reads) {
  for (const char* const text : {"1.5M", "2500", "0.5", "1k@5s,10k@250ms", "12..34@1500us"}) {
    EXPECT_EQ(profile(profile(text).text()).text(), profile(text).text());
  }
}

struct RefusedRate {
  std::string text;
  std::string why;
};

class RefusedProfile : public testing::TestWithParam<RefusedRate> {};

TEST_P(RefusedProfile, says_why) {
  const auto refused = RateProfile::parse(GetParam().text, seconds(10));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("--rate " + GetParam().text + ": "));
  EXPECT_THAT(refused.error().message, HasSubstr(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(
    , RefusedProfile,
    testing::Values(RefusedRate{"", "'' is no rate"}, RefusedRate{"x", "'x' is no rate"},
                    RefusedRate{"-5", "'-5' is no rate"}, RefusedRate{"5kk", "is no rate"},
                    RefusedRate{"nan", "is no rate"}, RefusedRate{"1e9", "is no rate"},
                    RefusedRate{"1k..", "'1k..' is no rate"}, RefusedRate{"0", "nothing"},
                    RefusedRate{"0@1s,0@2s", "nothing"}, RefusedRate{"1k@", "@"},
                    RefusedRate{"1k@0s", "no length"}, RefusedRate{"1k,2k", "only one piece"},
                    RefusedRate{"1k@10s,2k", "nothing of the run is left"},
                    RefusedRate{"1k@5s,", "'' is no rate"}));

}  // namespace
}  // namespace hallmark::loadgen
