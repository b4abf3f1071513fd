#include "cli/proxy/proxy_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::cli {
namespace {

using namespace std::chrono_literals;

ProxyArguments given() {
  ProxyArguments arguments;
  arguments.target = "udp://127.0.0.1:2000";
  return arguments;
}

std::string refusal(const ProxyArguments& arguments) {
  const auto options = read_proxy_options(arguments);
  return options ? "" : options.error().message;
}

TEST(ProxyOptions, without_faults_there_are_none) {
  const auto options = read_proxy_options(given());
  ASSERT_TRUE(options);
  EXPECT_EQ(options->target, (proxy::Endpoint{"127.0.0.1", 2000}));
  EXPECT_EQ(options->listen, (proxy::Endpoint{"127.0.0.1", 0}));
  for (const auto* const plan : {&options->requests, &options->replies}) {
    EXPECT_EQ(plan->drop, 0);
    EXPECT_EQ(plan->delay, proxy::Delay{});
    EXPECT_EQ(plan->overtaken_by_at_most, 3U);
    EXPECT_EQ(plan->held_back_at_most, 100ms);
  }
}

TEST(ProxyOptions, a_fault_is_for_both_directions) {
  auto arguments = given();
  arguments.drop.both = "2%";
  arguments.duplicate.both = "0.01";
  arguments.reorder.both = "3%";
  arguments.corrupt.both = "4%";
  arguments.truncate.both = "5%";
  arguments.delay.both = "1ms..5ms";
  const auto options = read_proxy_options(arguments);
  ASSERT_TRUE(options);
  for (const auto* const plan : {&options->requests, &options->replies}) {
    EXPECT_DOUBLE_EQ(plan->drop, 0.02);
    EXPECT_DOUBLE_EQ(plan->duplicate, 0.01);
    EXPECT_DOUBLE_EQ(plan->reorder, 0.03);
    EXPECT_DOUBLE_EQ(plan->corrupt, 0.04);
    EXPECT_DOUBLE_EQ(plan->truncate, 0.05);
    EXPECT_EQ(plan->delay, (proxy::Delay{1ms, 5ms}));
  }
}

TEST(ProxyOptions, what_is_said_of_one_direction_goes_before) {
  auto arguments = given();
  arguments.drop.both = "2%";
  arguments.drop.replies = "0%";
  arguments.delay.requests = "5ms";
  const auto options = read_proxy_options(arguments);
  ASSERT_TRUE(options);
  EXPECT_DOUBLE_EQ(options->requests.drop, 0.02);
  EXPECT_EQ(options->replies.drop, 0);
  EXPECT_EQ(options->requests.delay, (proxy::Delay{5ms, 5ms}));
  EXPECT_EQ(options->replies.delay, proxy::Delay{});
}

TEST(ProxyOptions, a_bad_value_is_named_with_its_option_and_what_is_allowed) {
  auto arguments = given();
  arguments.drop.both = "2";
  EXPECT_EQ(refusal(arguments), "--drop '2'; allowed: 0% to 100%, or a share from 0 to 1");
  arguments = given();
  arguments.reorder.requests = "";
  EXPECT_EQ(refusal(arguments),
            "--reorder-requests ''; allowed: 0% to 100%, or a share from 0 to 1");
  arguments = given();
  arguments.delay.replies = "5ms..1ms";
  EXPECT_EQ(refusal(arguments),
            "--delay-replies '5ms..1ms'; allowed: a time such as 5ms, or a range such as 1ms..5ms, "
            "the shorter one first");
  arguments = given();
  arguments.reorder_hold = "soon";
  EXPECT_THAT(refusal(arguments),
              testing::StartsWith("--reorder-hold: duration 'soon'; allowed: "));
  arguments = given();
  arguments.listen = "tcp://127.0.0.1:9000";
  EXPECT_THAT(refusal(arguments),
              testing::StartsWith("--listen: 'tcp://127.0.0.1:9000' is not an endpoint: "));
  arguments = given();
  arguments.target = "localhost";
  EXPECT_THAT(refusal(arguments),
              testing::StartsWith("--target: 'localhost' is not an endpoint: "));
}

TEST(ProxyOptions, a_delay_is_a_time_or_a_range) {
  EXPECT_EQ(*parse_delay("5ms"), (proxy::Delay{5ms, 5ms}));
  EXPECT_EQ(*parse_delay("0s..1.5ms"), (proxy::Delay{0ms, 1500us}));
  for (const char* const text : {"", "..", "5", "1ms..", "..5ms", "1ms-5ms", "1ms...5ms", "-1ms"}) {
    EXPECT_FALSE(parse_delay(text)) << text;
  }
}

}  // namespace
}  // namespace hallmark::cli
