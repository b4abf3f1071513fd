#include <gmock/gmock.h>

#include <csignal>

#include "reference/faults/decorators.hpp"
#include "reference/faults/processes/endings.hpp"
#include "reference/server/tests/session_harness.hpp"

namespace hallmark::faults {
namespace {

using server::testing::SimulatedServer;
using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;

server::testing::SimulatedOptions with(const std::string& bug) {
  return {.decorator = stream_decorator(*choose({bug}))};
}

constexpr std::string_view query_of_nobody = "02 01 61";

TEST(Endings, EndTheProcessAsTheySay) {
  EXPECT_EXIT(die_of(SIGSEGV), KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(die_of(SIGFPE), KilledBySignal(SIGFPE), "");
  EXPECT_EXIT(exit_at_once(), ExitedWithCode(1), "");
}

TEST(Deaths, ComeWithTheRequestThatTheyAreAbout) {
  SimulatedServer server(with("death.of-empty-key"));
  auto& client = server.connect();
  EXPECT_EQ(server.exchange(client, query_of_nobody), "00");
  EXPECT_EXIT(server.exchange(client, "02 00"), KilledBySignal(SIGFPE), "");
}

TEST(Deaths, OfRacesNeedTwoThreads) {
  SimulatedServer server(with("race.threads-crash"));
  auto& one = server.connect();
  auto& same_thread = server.connect();
  auto& other_thread = server.connect();
  other_thread.connection->owner = 1;
  server.exchange(one, "01 0a00 06 0100 01 61");
  constexpr std::string_view increase = "03 00 01 0100 01 61";
  EXPECT_EQ(server.exchange(one, increase), "01");
  EXPECT_EQ(server.exchange(same_thread, increase), "01");
  EXPECT_EXIT(server.exchange(other_thread, increase), KilledBySignal(SIGABRT), "");
}

TEST(Mutes, AreTheirConnectionAlone) {
  SimulatedServer server(with("mute.after-failures"));
  auto& mute = server.connect();
  auto& other = server.connect();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(server.exchange(mute, query_of_nobody), "00");
  EXPECT_EQ(server.exchange(mute, query_of_nobody), "");
  EXPECT_EQ(server.exchange(other, query_of_nobody), "00");
}

TEST(Losses, AreEveryNthReply) {
  SimulatedServer server(with("loss.every-20th-reply"));
  auto& client = server.connect();
  int lost = 0;
  for (int i = 0; i < 100; ++i) lost += server.exchange(client, query_of_nobody).empty() ? 1 : 0;
  EXPECT_EQ(lost, 5);
}

TEST(Losses, AreEveryNthReplyOfAllConnections) {
  SimulatedServer server(with("loss.every-50th-of-all"));
  auto& one = server.connect();
  auto& other = server.connect();
  for (int i = 0; i < 49; ++i) EXPECT_EQ(server.exchange(one, query_of_nobody), "00");
  EXPECT_EQ(server.exchange(other, query_of_nobody), "");
  EXPECT_EQ(server.exchange(other, query_of_nobody), "00");
}

}  // namespace
}  // namespace hallmark::faults
