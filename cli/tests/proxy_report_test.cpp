#include "cli/proxy/proxy_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/tests/parsed.hpp"

namespace hallmark::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

ProxyRun a_run() {
  ProxyRun run{.listen = "udp://127.0.0.1:2001", .target = "udp://127.0.0.1:2000"};
  run.options.seed = 7;
  run.duration = 1500ms;
  run.summary = {.requests = {.received = 10'000,
                              .duplicated = 99,
                              .forwarded = 9'888,
                              .dropped = 211,
                              .reordered = 97},
                 .replies = {.received = 9'888, .forwarded = 9'888},
                 .flows_opened = 1};
  return run;
}

TEST(ProxyReport, the_table_has_a_column_for_each_direction) {
  EXPECT_EQ(render_proxy_terminal(a_run(), {}),
            "udp://127.0.0.1:2001 -> udp://127.0.0.1:2000, seed 7, 1 client, 1.50 s\n"
            "\n"
            "datagrams        requests  replies\n"
            "received           10,000    9,888\n"
            "duplicated             99        ·\n"
            "forwarded           9,888    9,888\n"
            "dropped               211        ·\n"
            "discarded               ·        ·\n"
            "held at the end         ·        ·\n"
            "delayed                 ·        ·\n"
            "held back               ·        ·\n"
            "reordered              97        ·\n"
            "corrupted               ·        ·\n"
            "truncated               ·        ·\n"
            "refused                 ·        ·\n"
            "missed                  ·        ·\n");
}

TEST(ProxyReport, what_the_proxy_lost_of_its_own_is_said_in_words) {
  auto run = a_run();
  EXPECT_THAT(render_proxy_terminal(run, {}), Not(HasSubstr("lost by the proxy")));
  run.summary.requests.discarded = {.held_limit = 2, .flow_closed = 1, .not_sent = 3};
  run.summary.replies.discarded.held_limit = 1;
  run.summary.replies.missed = 4;
  EXPECT_THAT(
      render_proxy_terminal(run, {}),
      testing::EndsWith(
          "lost by the proxy itself, not by a fault: 3 datagrams beyond --max-held or "
          "--max-held-bytes\n"
          "lost by the proxy itself, not by a fault: 1 datagram beyond --max-flows, or no socket "
          "for their client\n"
          "lost by the proxy itself, not by a fault: 3 datagrams not taken by the system\n"
          "lost by the proxy itself, not by a fault: 4 datagrams thrown away before they were "
          "read\n"));
}

TEST(ProxyReport, json_holds_faults_and_counts_of_each_direction) {
  auto run = a_run();
  run.options.requests.drop = 0.02;
  run.options.replies.delay = {1ms, 5ms};
  const auto json = base::test::parsed(render_proxy_json(run));
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["faults"]["requests"]["drop"], 0.02);
  EXPECT_EQ(json["faults"]["replies"]["delay_ns"], base::Json::array({1'000'000, 5'000'000}));
  EXPECT_EQ(json["counts"]["requests"]["dropped"], 211);
  EXPECT_EQ(json["counts"]["requests"]["discarded"]["held_limit"], 0);
  EXPECT_EQ(json["counts"]["replies"]["forwarded"], 9'888);
}

TEST(ProxyReport, a_seed_that_readers_would_round_is_text) {
  auto run = a_run();
  run.options.seed = UINT64_MAX;
  EXPECT_EQ(base::test::parsed(render_proxy_json(run))["seed"], "18446744073709551615");
}

TEST(ProxyReport, a_decision_is_one_line) {
  proxy::Fate fate;
  const proxy::DatagramId id{proxy::Direction::replies, 2, 5};
  EXPECT_EQ(render_decision({id, 30, fate}),
            R"({"direction":"reply","flow":2,"number":5,"size":30,"copies":[]})"
            "\n");
  fate.push_back({.delay = 5ns});
  fate.push_back({.overtaken_by = 3, .cut_to = 9, .flip = proxy::Copy::Flip{8, 255}});
  EXPECT_EQ(render_decision({id, 30, fate}),
            R"({"direction":"reply","flow":2,"number":5,"size":30,"copies":[{"delay_ns":5},)"
            R"({"delay_ns":0,"overtaken_by":3,"cut_to":9,"flip":{"position":8,"mask":255}}]})"
            "\n");
}

}  // namespace
}  // namespace hallmark::cli
