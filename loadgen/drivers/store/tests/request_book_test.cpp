#include "loadgen/drivers/store/request_book.hpp"

#include <gtest/gtest.h>

#include "loadgen/tests/exact_ledger.hpp"

namespace hallmark::loadgen::store {
namespace {

using End = Decided::End;

/// A book under simulated time.
class StoreBook : public LedgerHeldToAnExactOne {
 protected:
  void send(std::int64_t planned_ns, std::int64_t sent_ns) {
    ASSERT_TRUE(book_.begin({0, planned_ns}, sent_ns, tally_));
    book_.sending(sent_ns, tally_);
  }
  void end(End how, std::int64_t now_ns) { book_.ended({.end = how}, now_ns, tally_); }

  RequestBook book_{{.timeout_ns = timeout_ns, .lag_bound_ns = 50}};
};

TEST_F(StoreBook, ADecisionIsMeasuredFromItsPlanAndFromItsSend) {
  send(100, 120);
  end(End::denied, 400);
  EXPECT_EQ(tally_.parts[0].counts(), (reports::LoadCounts{1, 1, 0, 0, 0}));
  EXPECT_EQ(tally_.parts[0].corrected().max().value, 300U);
  EXPECT_EQ(tally_.parts[0].uncorrected().max().value, 280U);
  EXPECT_EQ(book_.counts().denied, 1U);
}

TEST_F(StoreBook, ARequestThatWaitsForTheStoreIsNotTheClientsDelay) {
  send(0, 10);
  end(End::allowed, 700);
  send(100, 705);
  end(End::allowed, 800);
  EXPECT_EQ(tally_.client_late, 0U);
  EXPECT_EQ(tally_.send_lag.max(), 605U);
  EXPECT_FALSE(tally_.parts[0].corrected().max().by_client);
  send(900, 990);
  end(End::allowed, 1'000);
  EXPECT_EQ(tally_.client_late, 1U);
}

TEST_F(StoreBook, WhatIsPastItsTimeoutIsTheStoresWhereItHeldItUp) {
  EXPECT_FALSE(book_.begin({0, 0}, timeout_ns, tally_));
  EXPECT_EQ(tally_.parts[0].counts().shed, 1U) << "the client came too late";
  send(1'000, 1'000);
  end(End::allowed, 3'000);
  EXPECT_FALSE(book_.begin({0, 1'500}, 3'000, tally_));
  EXPECT_EQ(tally_.parts[0].counts(), (reports::LoadCounts{3, 0, 1, 1, 1}));
}

/// A store that answers late, refuses, contends, and is gone now and then.
TEST_F(StoreBook, TheLedgerAgreesWithAnExactOneWhateverTheStoreDoes) {
  using Count = reports::LoadCounts;
  plan_until(2'000'000);
  std::int64_t now = 2'000;
  std::int64_t free_since = INT64_MIN;
  for (int i = 0; i < 20'000; ++i) {
    now += below(50) == 0 ? 5'000 : below(200);  // idle now and then
    const std::int64_t planned = now - below(1'200);
    const std::int64_t deadline = planned + timeout_ns;
    ++exact_.counts.planned;
    const bool begun = book_.begin({0, planned}, now, tally_);
    ASSERT_EQ(begun, now < deadline);
    if (!begun) {
      exact_.lose(free_since > planned ? &Count::failed : &Count::shed, planned, std::nullopt,
                  deadline);
    } else if (below(10) == 0) {
      book_.unconnected(Failure::no_connection, "refused", now, tally_);
      exact_.lose(&Count::failed, planned, std::nullopt, deadline);
      free_since = now;
    } else {
      const std::int64_t sent = now;
      book_.sending(sent, tally_);
      now += below(10) == 0 ? below(3'000) : below(100);
      const End how = below(5) == 0 ? End::failed : End::allowed;
      end(how, now);
      free_since = now;
      if (how == End::failed) {
        exact_.lose(&Count::failed, planned, sent, deadline);
      } else if (now >= deadline) {
        exact_.lose(&Count::timed_out, planned, sent, deadline);
      } else {
        exact_.complete(planned, sent, now);
      }
    }
  }
  expect_agreement();
}

}  // namespace
}  // namespace hallmark::loadgen::store
