#include "conformance/drivers/datagram/correspondence.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "conformance/drivers/datagram/datagram_case.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using base::to_bytes;

/// Keeps what is sent. What comes is what the test says, in its order.
struct Script {
  std::vector<std::string> sent;
  std::deque<std::string> coming;
  std::string endless;  ///< comes again and again behind that; empty: nothing does
  std::size_t flooded = 0;
  Time now = 1'000;
};

class ScriptedLink : public DatagramLink {
 public:
  explicit ScriptedLink(Script& script) : script_(script) {}
  Dispatch send(base::ByteView datagram) override {
    script_.sent.emplace_back(base::as_text(datagram));
    return Dispatch::sent;
  }
  DatagramArrival receive(Bytes& into, Time until) override {
    if (script_.coming.empty() && !script_.endless.empty()) {
      ++script_.flooded;
      script_.now += 1;
      into = to_bytes(script_.endless);
      return DatagramArrival::datagram;
    }
    if (script_.coming.empty()) {
      script_.now = std::max(script_.now, until);
      return DatagramArrival::timed_out;
    }
    into = to_bytes(script_.coming.front());
    script_.coming.pop_front();
    return DatagramArrival::datagram;
  }

 private:
  Script& script_;
};

class ScriptedNetwork : public DatagramNetwork {
 public:
  Script script;
  DatagramLinkResult open() override {
    return std::unique_ptr<DatagramLink>(std::make_unique<ScriptedLink>(script));
  }
  Time now() const override { return script.now; }
  void wait_until(Time until) override { script.now = std::max(script.now, until); }
};

class Mail : public ::testing::Test {
 protected:
  Mail() { evidence_.start(0); }

  Letter letter(const std::string& text, const std::string& id) {
    return {to_bytes(text), id, std::nullopt, std::nullopt};
  }
  std::string reply(Correspondence::Ticket ticket, Time until = 2'000) {
    const Received* const received = mail_.wait_for_reply(ticket, until);
    return received == nullptr ? "none" : std::string(base::as_text(received->bytes));
  }

  ScriptedNetwork network_;
  WireFormat format_{protocol::Width::none,
                     protocol::Readings(protocol::ratelimit_udp, protocol::Profile::deployed)};
  Patience patience_{5'000'000'000};
  DatagramContext context_{.network = network_, .format = &format_, .patience = patience_};
  Evidence evidence_;
  Correspondence mail_{context_, evidence_, "c1", *network_.open()};
};

// client.id
TEST_F(Mail, EveryRequestOfACaseHasAnIdOfItsOwn) {
  network_.script.coming = {};
  for (unsigned number : {0U, 1U}) {
    Attempt attempt(context_, "case", number, false);
    EXPECT_THROW(attempt.ask("ping"), Unanswered);
  }
  std::set<std::string> ids;
  for (const std::string& sent : network_.script.sent) {
    const auto space = sent.find(' ');
    ASSERT_NE(space, std::string::npos) << sent;
    EXPECT_TRUE(ids.insert(sent.substr(0, space)).second) << sent;
    EXPECT_EQ(sent.substr(space), " ping");
  }
  EXPECT_GE(ids.size(), 4U);
}

// client.unmatched
TEST_F(Mail, WhatMatchesNoRequestIsNoReply) {
  const auto ticket = mail_.send(letter("7 ping", "7"));
  network_.script.coming = {"8 pong", "pong", "07 pong", "7 pong"};
  EXPECT_EQ(reply(ticket), "7 pong");
  ASSERT_NE(mail_.stray(), nullptr);
  EXPECT_EQ(base::as_text(*mail_.stray()), "8 pong");
}

// client.unmatched
TEST_F(Mail, AReplyToARequestThatHasItsReplyIsIgnored) {
  const auto ticket = mail_.send(letter("7 over_limit k", "7"));
  network_.script.coming = {"7 ok N 0.0 1.0 1", "7 ok N 1.0 1.0 1"};
  EXPECT_EQ(reply(ticket), "7 ok N 0.0 1.0 1");
  mail_.take_arrived();
  EXPECT_EQ(reply(ticket), "7 ok N 0.0 1.0 1");
  EXPECT_EQ(mail_.repeated(), 1U);
  EXPECT_EQ(mail_.stray(), nullptr);
  EXPECT_TRUE(mail_.disturbed());
}

// client.timeout: a permission. A use without its reply counts as neither N nor Y here.
TEST_F(Mail, AfterATimeoutNothingIsMadeUp) {
  Attempt attempt(context_, "case", 0, false);
  EXPECT_THROW(attempt.try_once("over_limit", {{"key", to_bytes("k")}}), Unanswered);
  const auto ticket = mail_.send(letter("9 over_limit k", "9"));
  EXPECT_EQ(reply(ticket), "none");
  mail_.give_up(ticket);
  EXPECT_TRUE(mail_.disturbed());
  network_.script.coming = {"9 ok Y 9.0 1.0 1"};
  mail_.take_arrived();
  EXPECT_EQ(context_.path.late, 1U);
  EXPECT_EQ(mail_.stray(), nullptr);
}

TEST_F(Mail, WithoutIdsOnlyTheSameReplyIsTheSame) {
  const auto ticket = mail_.send(letter("ping", ""));
  network_.script.coming = {"pong", "pong"};
  EXPECT_EQ(reply(ticket), "pong");
  mail_.take_arrived();
  EXPECT_EQ(mail_.stray(), nullptr);
  network_.script.coming = {"ping"};
  mail_.take_arrived();
  EXPECT_NE(mail_.stray(), nullptr);
}

TEST_F(Mail, WhatMustNotBeAnsweredHasNoReply) {
  Letter silent = letter("27 no_such_command", "27");
  silent.answerable = false;
  const auto ticket = mail_.send(std::move(silent));
  network_.script.coming = {"27 error"};
  EXPECT_EQ(reply(ticket), "none");
  EXPECT_NE(mail_.stray(), nullptr);
}

TEST_F(Mail, ATargetThatSendsWithoutEndIsReadForAWhileAndNoLonger) {
  network_.script.coming = {"1 pong"};
  network_.script.endless = "1 pong";
  mail_.send(letter("1 ping", "1"));
  const auto unanswered = mail_.send(letter("2 ping", "2"));
  EXPECT_EQ(reply(unanswered), "none");
  const std::size_t waiting = std::exchange(network_.script.flooded, 0);
  EXPECT_GT(waiting, 10'000U) << "what had come by then is read";
  mail_.take_arrived();
  EXPECT_GT(network_.script.flooded, 10'000U);
  EXPECT_LT(waiting + network_.script.flooded, 40'000U);
  EXPECT_EQ(mail_.repeated(), waiting + network_.script.flooded);
}

}  // namespace
}  // namespace hallmark::conformance
