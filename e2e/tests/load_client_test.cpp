// A shortage on the client's own machine is never the target's failure.

#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"
#include "stores/tests/support/redis_server.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

class LoadOfAPoorClient : public EndToEnd {
 protected:
  Json result() { return parsed(read("run.json")); }

  /// `hallmark load` by a process that may have so many descriptors.
  Outcome with_descriptors(int most, const Arguments& load) {
    Arguments all{"prlimit", "--nofile=" + std::to_string(most)};
    const Arguments own = command(load);
    all.insert(all.end(), own.begin(), own.end());
    return run(all, directory_.string());
  }

  /// Ends before a request was sent, and says why: it is this machine.
  void expect_own_fault(const Outcome& outcome, const std::string& target) {
    EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("ERROR  " + target + ": cannot connect: "));
    EXPECT_THAT(outcome.out, HasSubstr("Too many open files"));
    EXPECT_THAT(outcome.out, HasSubstr("raise `ulimit -n`"));
    EXPECT_EQ(violations("load.schema.json", "run.json"), "");
    EXPECT_EQ(result()["counts"]["failed"], 0);
  }
};

TEST_F(LoadOfAPoorClient, WithoutDescriptorsForItsStreams) {
  const Server server("u16", directory_.string());
  expect_own_fault(with_descriptors(40, {"load", server.target(), "--width", "u16", "--keys", "10",
                                         "--connections", "64", "--json", "run.json"}),
                   server.target());
  const Outcome certified = hallmark({"certify", server.target(), "--dialect", "throttr-7.1",
                                      "--width", "u16", "--filter", "*/list/empty", "--verbose"});
  EXPECT_THAT(certified.out, HasSubstr("CERTIFIED"));
  EXPECT_THAT(certified.out, Not(HasSubstr("needs an empty target")));
}

TEST_F(LoadOfAPoorClient, WithoutDescriptorsForItsSockets) {
  const Server server("", directory_.string(), {"udp://127.0.0.1:0"},
                      {"--dialect", "ratelimit-udp"});
  expect_own_fault(with_descriptors(40, {"load", server.target(), "--dialect", "ratelimit-udp",
                                         "--connections", "64", "--json", "run.json"}),
                   server.target());
}

TEST_F(LoadOfAPoorClient, WithoutDescriptorsForItsStore) {
  const stores::test::RedisServer server;
  expect_own_fault(
      with_descriptors(40, {"load", server.url(), "--strategy", "token-bucket:burst=10,rate=50",
                            "--rate", "100", "--connections", "64", "--json", "run.json"}),
      server.url());
}

TEST_F(LoadOfAPoorClient, WithAnAddressThatIsNotItsOwn) {
  const Server server("u16", directory_.string());
  const auto outcome = hallmark({"load", server.target(), "--width", "u16", "--keys", "10",
                                 "--from", "192.0.2.1", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Cannot assign requested address"));
  EXPECT_THAT(outcome.out, HasSubstr("--from"));
}

}  // namespace
}  // namespace hallmark::e2e
