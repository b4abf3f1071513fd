#include <csignal>

#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

class Serve : public EndToEnd {};

TEST_F(Serve, EveryListenerIsAnnouncedAndServes) {
  Server server("u16", directory_.string(),
                {"tcp://127.0.0.1:0", "tcp://127.0.0.1:0", "unix://" + path("s")});
  ASSERT_EQ(server.targets().size(), 3U);
  EXPECT_NE(server.targets()[0], server.targets()[1]);
  EXPECT_EQ(server.targets()[2], "unix://" + path("s"));
  for (const auto& target : server.targets()) {
    EXPECT_THAT(target, testing::Not(testing::EndsWith(":0")));
    const auto outcome =
        hallmark({"certify", target, "--width", "u16", "--filter", "*/insert/typical"});
    EXPECT_EQ(outcome.exit_code, 0) << target << outcome.out << outcome.err;
  }
}

TEST_F(Serve, StopsCleanlyOnSignals) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Server server("u64", directory_.string(), {"tcp://127.0.0.1:0", "unix://" + path("s")});
    EXPECT_TRUE(exists("s"));
    const auto outcome = server.stop(signal);
    EXPECT_EQ(outcome.exit_code, 0) << signal;
    EXPECT_EQ(outcome.signal, 0) << signal;
    EXPECT_EQ(outcome.err, "") << signal;
    EXPECT_FALSE(exists("s")) << signal;
  }
}

TEST_F(Serve, ThreadsServeTheSameKeys) {
  Program program(
      command({"serve", "--width", "u16", "--threads", "3", "--listen", "unix://" + path("s")}),
      directory_.string());
  ASSERT_TRUE(program.wait_for_out_lines(1));
  const auto outcome = hallmark({"certify", "unix://" + path("s"), "--width", "u16", "--jobs", "8",
                                 "--operation", "UPDATE", "--operation", "PUBLISH"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

TEST_F(Serve, PortInUseIsOneLine) {
  Server server("u16", directory_.string());
  const auto outcome = hallmark({"serve", "--width", "u16", "--listen", server.target()});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "hallmark serve: cannot listen on " + server.target() + ": Address already in use\n");
}

}  // namespace
}  // namespace hallmark::e2e
