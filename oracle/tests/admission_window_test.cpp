#include "oracle/admission_window.hpp"

#include <gtest/gtest.h>

#include "base/nanoseconds.hpp"
#include "oracle/tests/simulation.hpp"

namespace hallmark::oracle {
namespace {

using base::second_ns;

/// Asks for a use again and again. Returns the times of the uses that the limit lets through.
std::vector<std::int64_t> greedy(const Limit& limit, std::int64_t every_ns, std::int64_t until_ns) {
  Estimator estimator{limit};
  std::vector<std::int64_t> admitted;
  for (std::int64_t at = 0; at < until_ns; at += every_ns) {
    if (!estimator.use(at).reply.over) admitted.push_back(at);
  }
  return admitted;
}

TEST(MostAdmitted, bounds_every_window_of_the_greediest_client) {
  for (const Limit& limit : {Limit{22, 20, Discipline::leaky}, Limit{0.5, 10, Discipline::leaky},
                             Limit{100, 1, Discipline::leaky}, Limit{22, 20, Discipline::strict}}) {
    const auto admitted = greedy(limit, second_ns / 50, 100 * second_ns);
    for (std::size_t from = 0; from < admitted.size(); ++from) {
      for (std::size_t to = from; to < admitted.size(); ++to) {
        const auto count = static_cast<double>(to - from + 1);
        ASSERT_LE(count, most_admitted(limit, admitted[to] - admitted[from]))
            << limit.uses << "/" << limit.period_seconds;
      }
    }
  }
}

TEST(MostAdmitted, is_near_what_the_greediest_client_gets) {
  const Limit limit{22, 20, Discipline::leaky};
  const auto admitted = greedy(limit, second_ns / 1000, 200 * second_ns);
  EXPECT_GT(static_cast<double>(admitted.size()), 0.95 * most_admitted(limit, 200 * second_ns));
}

TEST(AdmissionWindow, a_burst_beyond_the_limit_is_found_with_its_window) {
  AdmissionWindow window{{22, 20, Discipline::strict}, 0};
  for (int i = 0; i < 23; ++i) EXPECT_FALSE(window.admitted(1'000 + i, 1'010 + i));
  const auto found = window.admitted(1'030, 1'040);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->from_ns, 1'000);
  EXPECT_EQ(found->to_ns, 1'040);
  EXPECT_EQ(found->admitted, 24U);
  EXPECT_EQ(found->allowed, 23U);
}

TEST(AdmissionWindow, a_rate_beyond_the_limit_is_found_after_a_quiet_time) {
  AdmissionWindow window{{10, 10, Discipline::strict}, 0};
  for (std::int64_t i = 0; i < 100; ++i)
    EXPECT_FALSE(window.admitted(i * second_ns, i * second_ns));
  std::optional<TooMany> found;
  // Two a second, where a little more than one is allowed.
  for (std::int64_t i = 0; i < 100 && !found; ++i) {
    const std::int64_t at = 100 * second_ns + i * second_ns / 2;
    found = window.admitted(at, at);
  }
  ASSERT_TRUE(found);
  EXPECT_GE(found->from_ns, 98 * second_ns);
  EXPECT_GT(found->admitted, found->allowed);
}

TEST(AdmissionWindow, what_was_sent_before_the_window_is_not_counted) {
  AdmissionWindow window{{1, 10, Discipline::strict}, 0};
  EXPECT_FALSE(window.admitted(100, 110));
  EXPECT_FALSE(window.admitted(101, 112));
  EXPECT_FALSE(window.admitted(50, 113));
  EXPECT_TRUE(window.admitted(103, 114));
}

}  // namespace
}  // namespace hallmark::oracle
