#include "loadgen/drivers/datagram/book.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <map>

#include "loadgen/drivers/datagram/tests/responder.hpp"
#include "loadgen/tests/exact_ledger.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::loadgen::datagram {
namespace {

const Requests& requests() {
  static const Requests made =
      Requests::make({protocol::ratelimit_udp, protocol::Profile::deployed}, "over_limit=1", 1,
                     Keys::make({.keys = 100, .nonce = "5"}).value())
          .value();
  return made;
}

/// A book with one worker and one socket, under simulated time.
class Books : public LedgerHeldToAnExactOne {
 protected:
  Books() : book_({.requests = &requests(), .timeout_ns = timeout_ns, .places = 64}) {}

  std::uint64_t send(std::int64_t planned_ns, std::int64_t sent_ns) {
    const auto planned = book_.plan({index_++, planned_ns}, sent_ns, 0, true, out_, tally_);
    if (planned.request == nullptr) return 0;
    book_.sending(*planned.request, sent_ns, tally_);
    book_.sent(*planned.request);
    return planned.request->id;
  }
  bool reply(std::uint64_t id, std::int64_t at_ns, std::uint32_t socket = 0) {
    return receive(good_reply({.id = std::to_string(id), .operation = "over_limit"}), at_ns,
                   socket);
  }
  bool receive(const std::string& text, std::int64_t at_ns, std::uint32_t socket = 0,
               bool cut = false) {
    return book_.receive(socket, {base::as_bytes(text), cut}, at_ns, tally_);
  }
  void expire(std::int64_t now_ns) {
    book_.expire(now_ns, tally_, [](std::uint32_t) {});
  }
  const reports::DatagramCounts& closed() {
    expire(INT64_MAX);
    book_.close();
    return book_.counts();
  }

  Book book_;
  protocol::ByteBuffer out_;
  std::uint64_t index_ = 0;
};

TEST_F(Books, a_reply_in_time_is_received_and_measured) {
  EXPECT_TRUE(reply(send(10, 25), 100));
  EXPECT_EQ(closed(),
            (reports::DatagramCounts{.planned = 1, .sent = 1, .received = 1, .datagrams = 1}));
  EXPECT_EQ(tally_.parts[0].counts(), (reports::LoadCounts{1, 1, 0, 0, 0}));
  EXPECT_EQ(tally_.parts[0].corrected().known().max(), 90U);
  EXPECT_EQ(tally_.parts[0].uncorrected().known().max(), 75U);
  EXPECT_EQ(tally_.send_lag.max(), 15U);
}

TEST_F(Books, what_the_client_delayed_is_marked) {
  const auto id = std::to_string(send(10, 25));
  const auto text = good_reply({.id = id, .operation = "over_limit"});
  book_.receive(0, {base::as_bytes(text), false, 95}, 100, tally_);
  EXPECT_TRUE(tally_.parts[0].corrected().max().by_client) << "15 of lag, 5 of reading, of 90";
  EXPECT_FALSE(tally_.parts[0].uncorrected().max().by_client) << "5 of 75";
}

TEST_F(Books, a_request_that_is_due_on_a_clogged_socket_fails) {
  book_.clogged({0, 10}, 20, true, tally_);
  EXPECT_EQ(closed(), (reports::DatagramCounts{.planned = 1, .shed = 1}));
  EXPECT_EQ(tally_.parts[0].counts().failed, 1U);
}

TEST_F(Books, no_reply_is_lost_and_a_censored_sample) {
  send(10, 25);
  expire(timeout_ns + 10);
  EXPECT_EQ(book_.waiting(), 0U);
  EXPECT_EQ(book_.missing(), 1U);
  EXPECT_EQ(closed(), (reports::DatagramCounts{.planned = 1, .sent = 1, .lost = 1}));
  EXPECT_EQ(tally_.parts[0].counts(), (reports::LoadCounts{1, 0, 1, 0, 0}));
  EXPECT_EQ(tally_.parts[0].corrected().waits().min(), 1'000U);
  EXPECT_EQ(tally_.parts[0].uncorrected().waits().min(), 985U);
}

TEST_F(Books, a_reply_at_its_timeout_is_late_though_nothing_has_looked_yet) {
  EXPECT_TRUE(reply(send(0, 0), timeout_ns));
  EXPECT_EQ(closed(),
            (reports::DatagramCounts{.planned = 1, .sent = 1, .late = 1, .datagrams = 1}));
  EXPECT_EQ(tally_.parts[0].counts().timed_out, 1U);
  EXPECT_TRUE(tally_.parts[0].corrected().known().empty());
}

TEST_F(Books, a_late_reply_that_comes_twice_is_late_once) {
  const auto id = send(0, 0);
  expire(5'000);
  EXPECT_FALSE(reply(id, 5'001));
  EXPECT_FALSE(reply(id, 5'002));
  EXPECT_EQ(closed(), (reports::DatagramCounts{
                          .planned = 1, .sent = 1, .late = 1, .datagrams = 2, .duplicate = 1}));
}

TEST_F(Books, a_late_reply_is_known_after_its_place_was_taken_again) {
  const auto id = send(0, 0);
  expire(5'000);
  for (int i = 0; i < 200; ++i) reply(send(6'000, 6'000), 6'001);
  reply(id, 7'000);
  reply(id, 7'001);
  EXPECT_EQ(closed(), (reports::DatagramCounts{.planned = 201,
                                               .sent = 201,
                                               .received = 200,
                                               .late = 1,
                                               .datagrams = 202,
                                               .duplicate = 1}));
}

TEST_F(Books, replies_nobody_asked_for_are_told_apart) {
  const auto id = send(0, 0);
  reply(id + 1, 1);
  reply(id, 2, 1);  // at a socket that did not ask
  receive("pong", 3);
  receive("", 4);
  receive("17 pong", 5);
  EXPECT_EQ(
      closed(),
      (reports::DatagramCounts{
          .planned = 1, .sent = 1, .lost = 1, .datagrams = 5, .unmatched = 2, .unreadable = 3}));
}

TEST_F(Books, a_reply_that_is_not_one_is_malformed) {
  const auto a = std::to_string(send(0, 0));
  const auto b = std::to_string(send(0, 0));
  EXPECT_TRUE(receive(a + " ok M 0.0 1.0 1", 1));
  EXPECT_TRUE(receive(good_reply({.id = b, .operation = "over_limit"}), 1, 0, true));
  EXPECT_EQ(closed().malformed, 2U);
  EXPECT_EQ(tally_.parts[0].counts().failed, 2U);
  EXPECT_EQ(tally_.examples[static_cast<std::size_t>(Failure::malformed)], a + " ok M 0.0 1.0 1");
}

TEST_F(Books, what_is_past_its_timeout_is_shed) {
  EXPECT_EQ(send(0, timeout_ns), 0U);
  EXPECT_EQ(closed(), (reports::DatagramCounts{.planned = 1, .shed = 1}));
  EXPECT_EQ(tally_.parts[0].counts().shed, 1U);
}

TEST_F(Books, when_all_ids_wait_requests_are_shed) {
  for (int i = 0; i < 65; ++i) send(0, 0);
  EXPECT_EQ(closed().shed, 1U);
  EXPECT_EQ(book_.counts().lost, 64U);
}

TEST_F(Books, what_the_system_refuses_was_not_sent) {
  const auto planned = book_.plan({}, 0, 0, true, out_, tally_);
  book_.sending(*planned.request, 0, tally_);
  book_.not_sent(*planned.request, Failure::not_sent, "no buffers", 5, tally_);
  EXPECT_FALSE(reply(planned.request->id, 5));
  EXPECT_EQ(closed(),
            (reports::DatagramCounts{.planned = 1, .not_sent = 1, .datagrams = 1, .unmatched = 1}));
  EXPECT_EQ(tally_.parts[0].counts().shed, 1U) << "the target has no part in it";
}

/// Datagrams that are delayed, lost, refused by the system, or answered with something else.
TEST_F(Books, the_ledger_agrees_with_an_exact_one_whatever_the_network_does) {
  using Count = reports::LoadCounts;
  struct Sent {
    std::int64_t planned_ns;
    std::int64_t sent_ns;
  };
  std::map<std::uint64_t, Sent> waiting;
  const auto time_out = [&](const Sent& one) {
    exact_.lose(&Count::timed_out, one.planned_ns, one.sent_ns, one.planned_ns + timeout_ns);
  };
  const auto is_over = [](const Sent& one, std::int64_t now) {
    return one.planned_ns + timeout_ns <= now;
  };
  std::int64_t now = 2'000;
  plan_until(400'000);
  for (int i = 0; i < 20'000; ++i) {
    now += below(50);
    const auto planned_ns = now - below(1'100);
    switch (below(8)) {
      case 0:
        expire(now);
        std::erase_if(waiting, [&](const auto& one) {
          if (is_over(one.second, now)) time_out(one.second);
          return is_over(one.second, now);
        });
        break;
      case 1:
      case 2: {
        if (waiting.empty()) break;
        auto one = waiting.begin();
        std::advance(one, random_() % waiting.size());
        const bool good = below(10) != 0;
        const auto text = std::to_string(one->first);
        receive(good ? good_reply({.id = text, .operation = "over_limit"}) : text + " what", now);
        const auto [planned, sent] = one->second;
        if (is_over(one->second, now)) {
          time_out(one->second);
        } else if (good) {
          exact_.complete(planned, sent, now);
        } else {
          exact_.lose(&Count::failed, planned, sent, planned + timeout_ns);
        }
        waiting.erase(one);
        break;
      }
      case 3: {
        const auto planned = book_.plan({index_++, now}, now, 0, true, out_, tally_);
        ++exact_.counts.planned;
        if (planned.request == nullptr) {
          exact_.lose(&Count::failed, now, std::nullopt, now + timeout_ns);
          break;
        }
        book_.sending(*planned.request, now, tally_);
        book_.not_sent(*planned.request, Failure::not_sent, "no buffers", now + 5, tally_);
        exact_.lose(&Count::shed, now, std::nullopt, now + 5);
        break;
      }
      default: {
        const auto id = send(planned_ns, now);
        ++exact_.counts.planned;
        const bool late = is_over({planned_ns, now}, now);
        if (id != 0)
          waiting[id] = {planned_ns, now};
        else
          exact_.lose(late ? &Count::shed : &Count::failed, planned_ns, std::nullopt,
                      planned_ns + timeout_ns);
      }
    }
  }
  expire(INT64_MAX);
  for (const auto& one : waiting) time_out(one.second);
  expect_agreement();
}

TEST_F(Books, every_id_is_accounted_for_whatever_the_network_does) {
  std::vector<std::uint64_t> ids;
  std::int64_t now = 0;
  for (int i = 0; i < 20'000; ++i) {
    now += below(200);
    expire(now);
    switch (below(5)) {
      case 0:
      case 1: ids.push_back(send(now - below(1'100), now)); break;
      case 2:
        if (!ids.empty())
          reply(ids[ids.size() - 1 - random_() % std::min<std::size_t>(ids.size(), 90)], now);
        break;
      case 3: reply(999'999'000'000 + random_() % 1'000'000, now); break;
      default: reply(random_() % 1'000'000, now); break;
    }
  }
  const auto& counts = closed();
  EXPECT_EQ(reports::imbalance(counts), "");
  EXPECT_TRUE(tally_.total().balanced());
  EXPECT_EQ(counts.received, tally_.total().completed);
  EXPECT_EQ(counts.late + counts.lost, tally_.total().timed_out);
  for (const auto count : {counts.received, counts.late, counts.lost, counts.duplicate,
                           counts.unmatched, counts.unreadable, counts.shed}) {
    EXPECT_GT(count, 0U);
  }
}

}  // namespace
}  // namespace hallmark::loadgen::datagram
