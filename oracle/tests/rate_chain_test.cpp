#include "oracle/rate_chain.hpp"

#include <gtest/gtest.h>

#include "base/nanoseconds.hpp"
#include "oracle/tests/simulation.hpp"

namespace hallmark::oracle {
namespace {

using base::second_ns;

TEST(RateChain, encloses_the_estimator) {
  for (const std::uint32_t period : {1U, 20U, 86'400U}) {
    RateChain low{RateChain::Side::low, static_cast<double>(period)};
    RateChain high{RateChain::Side::high, static_cast<double>(period)};
    Estimator estimator{{1e9, period, Discipline::strict}};
    std::mt19937_64 random{period};
    std::int64_t at = 0;
    for (int i = 0; i < 10'000; ++i) {
      // Bursts at one time, and gaps up to two seconds.
      if (random() % 4 == 0) at += static_cast<std::int64_t>(random() % (2 * second_ns));
      const double rate = estimator.use(at).rate;
      ASSERT_LE(low.rate_at(at), rate) << period << " s, use " << i;
      ASSERT_GE(high.rate_at(at), rate) << period << " s, use " << i;
      low.add(at);
      high.add(at);
    }
  }
}

TEST(RateChain, a_later_use_and_one_more_raise_the_rate_and_time_lowers_it) {
  RateChain chain{RateChain::Side::high, 10};
  chain.add(0);
  chain.add(second_ns);
  RateChain later{RateChain::Side::high, 10};
  later.add(0);
  later.add(2 * second_ns);
  RateChain more{RateChain::Side::high, 10};
  more.add(0);
  more.add(second_ns / 2);
  more.add(second_ns);
  EXPECT_GT(later.rate_at(3 * second_ns), chain.rate_at(3 * second_ns));
  EXPECT_GT(more.rate_at(3 * second_ns), chain.rate_at(3 * second_ns));
  EXPECT_LT(chain.rate_at(4 * second_ns), chain.rate_at(3 * second_ns));
}

TEST(RateChain, an_unknown_history_has_no_upper_bound) {
  RateChain chain{RateChain::Side::high, 10};
  chain.forget_history();
  chain.add(second_ns);
  EXPECT_TRUE(std::isinf(chain.rate_at(1'000 * second_ns)));
}

}  // namespace
}  // namespace hallmark::oracle
