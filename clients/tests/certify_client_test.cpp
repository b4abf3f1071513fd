#include "clients/run/certify_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "clients/tests/client_fixture.hpp"

namespace hallmark::clients::testing {
namespace {

using protocol::Width;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A client that is right, at some dialect and width.
class RightClient : public ::testing::TestWithParam<Format> {};

TEST_P(RightClient, BearsWhatIsLegalAndNoticesWhatIsNot) {
  const Format& format = GetParam();
  // The perturbations for which the client waits until its deadline are tested below, at one
  // format.
  const auto result =
      certify_client(options_for(format, client_command(format),
                                 {"cut/one-by-one", "delivery/before-replies", "listing/reversed",
                                  "stranger-first", "doubled", "choice/*"}));
  ASSERT_TRUE(result.baseline.passed) << in_words(result);
  EXPECT_EQ(counts_of(result).fails, 0U) << in_words(result);
  EXPECT_GT(counts_of(result).passed, 1U) << in_words(result);
  EXPECT_EQ(broken_musts(result), 0U) << in_words(result);
}

INSTANTIATE_TEST_SUITE_P(Formats, RightClient,
                         ::testing::Values(format_of(protocol::throttr_2_0, Width::u64),
                                           format_of(protocol::throttr_6_0, Width::u8),
                                           format_of(protocol::throttr_7_1, Width::u64),
                                           format_of(protocol::throttr_7_3, Width::u16),
                                           format_of(protocol::throttr_7_3, Width::u32),
                                           format_of(protocol::ratelimit_udp, Width::none)),
                         [](const auto& row) {
                           std::string name = std::string(row.param.dialect().name) + "_" +
                                              std::string(protocol::name_of(row.param.width));
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST(CertifyClient, ARightClientBearsEndingsReadingsAndSilence) {
  const Format format = usual_format();
  const auto result = certify_client(
      options_for(format, client_command(format, {}, "1.5"),
                  {"connection/re*", "reading/publish-self*", "silent/SET", "stalled/GET",
                   "repeated/UPDATE", "endless/LIST", "endless/WHOAMI", "foreign/QUERY",
                   "truncated/LIST/status", "huge/GET/*", "ttl/milliseconds"}));
  ASSERT_TRUE(result.baseline.passed) << in_words(result);
  EXPECT_EQ(counts_of(result).fails, 0U) << in_words(result);
  EXPECT_EQ(exit_code_of(result), reports::ExitCode::as_expected) << in_words(result);
}

TEST(CertifyClient, WhatIsNeverMetIsNotPassed) {
  const Format format = usual_format();
  const auto result = certify_client(
      options_for(format, client_command(format), {"status/STATS", "truncated/CHANNELS/status"}));
  ASSERT_EQ(result.perturbations.size(), 2U);
  for (const auto& one : result.perturbations) {
    EXPECT_EQ(one.verdict, Verdict::not_met);
    EXPECT_THAT(one.reason, HasSubstr("never met"));
  }
  EXPECT_EQ(exit_code_of(result), reports::ExitCode::indeterminate);
}

TEST(CertifyClient, TheSameSeedMakesTheSameChanges) {
  const Format format = usual_format();
  const auto changed = [&](std::uint64_t seed) {
    RunOptions options = options_for(format, client_command(format), {"status/INSERT"});
    options.seed = seed;
    const auto result = certify_client(options);
    EXPECT_TRUE(result.perturbations.front().differed.has_value()) << in_words(result);
    return result.perturbations.front().differed.value_or(Difference{}).sent;
  };
  EXPECT_EQ(changed(7), changed(7));
}

TEST(CertifyClient, SaysWhichMessageDifferedFirst) {
  const Format format = usual_format();
  const auto result =
      certify_client(options_for(format, client_command(format), {"choice/QUERY/ttl_type"}));
  ASSERT_EQ(result.perturbations.size(), 1U);
  const auto& one = result.perturbations.front();
  ASSERT_TRUE(one.differed.has_value()) << in_words(result);
  EXPECT_EQ(one.differed->message, "QUERY");
  EXPECT_EQ(one.differed->connection, 1U);
  EXPECT_EQ(one.differed->number, 3U);
  EXPECT_TRUE(one.differed->reached);
  EXPECT_EQ(one.differed->expected.size(), one.differed->sent.size());
}

TEST(CertifyClient, AStoppedRunKeepsWhatItHas) {
  std::atomic<bool> stop{false};
  const Format format = usual_format();
  RunOptions options = options_for(format, client_command(format), {"cut/*"});
  options.jobs = 1;
  options.stop = &stop;
  options.judged = [&](const PerturbationResult&, std::size_t done, std::size_t) {
    if (done == 2) stop = true;
  };
  const auto result = certify_client(options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(counts_of(result).passed, 2U) << in_words(result);
  EXPECT_GT(counts_of(result).not_played, 0U);
  EXPECT_EQ(exit_code_of(result), reports::ExitCode::indeterminate);
}

/// Commands of which nothing can be learnt.
struct NoBaseline {
  const char* name;
  std::vector<std::string> command;
  const char* says;
};

class WithoutBaseline : public ::testing::TestWithParam<NoBaseline> {};

TEST_P(WithoutBaseline, IsNamedAndNothingIsPlayed) {
  RunOptions options = options_for(usual_format(), GetParam().command, {"late/constant"});
  options.timeout = std::chrono::seconds(2);
  const auto result = certify_client(options);
  EXPECT_FALSE(result.baseline.passed);
  EXPECT_THAT(result.baseline.reason, HasSubstr(GetParam().says));
  EXPECT_EQ(counts_of(result).not_played, 1U);
  EXPECT_EQ(exit_code_of(result), reports::ExitCode::unreachable_or_harness_error);
}

INSTANTIATE_TEST_SUITE_P(
    Commands, WithoutBaseline,
    ::testing::Values(
        NoBaseline{"NotThere", {"/no/such/program"}, "cannot start '/no/such/program'"},
        NoBaseline{"NeverConnects",
                   {"true"},
                   "never connected; expected it to connect to the port "
                   "in HALLMARK_PORT"},
        NoBaseline{"IgnoresThePort", {"sh", "-c", "exit 0 # {port}"}, "that {port} stands for"},
        NoBaseline{"Hangs", {"sleep", "600"}, "did not end within 2s"},
        NoBaseline{"PrintsEndlessly", {"yes"}, "printed more than 16.8 MB"}),
    [](const auto& row) { return row.param.name; });

TEST(CertifyClient, AFailingBaselineShowsItsOutput) {
  const Format format = usual_format();
  const std::string program =
      "import socket,sys; socket.create_connection(('{host}',{port})).close(); "
      "print('no luck'); sys.exit(3)";
  const auto result = certify_client(
      options_for(format, {"/usr/bin/python3", "-S", "-E", "-c", program}, {"late/constant"}));
  EXPECT_THAT(result.baseline.reason, HasSubstr("exited with code 3"));
  EXPECT_THAT(result.baseline.output, ::testing::ElementsAre("no luck"));
}

}  // namespace
}  // namespace hallmark::clients::testing
