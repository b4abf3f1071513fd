#include "conformance/target.hpp"

#include <gmock/gmock.h>

namespace hallmark::conformance {
namespace {

TEST(Target, ReadsTcp) {
  const auto target = parse_target("tcp://127.0.0.1:9000");
  ASSERT_TRUE(target);
  EXPECT_EQ(std::get<TcpTarget>(*target).host, "127.0.0.1");
  EXPECT_EQ(std::get<TcpTarget>(*target).port, 9000);
}

TEST(Target, ReadsBracketedIpv6) {
  const auto target = parse_target("tcp://[::1]:9000");
  ASSERT_TRUE(target);
  EXPECT_EQ(std::get<TcpTarget>(*target).host, "::1");
}

TEST(Target, ReadsPipe) {
  EXPECT_EQ(std::get<PipeTarget>(*parse_target("pipe:adapter -u | tee log")).command,
            "adapter -u | tee log");
}

TEST(Target, ReadsUnixAndExec) {
  EXPECT_EQ(std::get<UnixTarget>(*parse_target("unix:///run/t.sock")).path, "/run/t.sock");
  EXPECT_EQ(std::get<ExecTarget>(*parse_target("exec:./server --port {port}")).command,
            "./server --port {port}");
}

class RefusedTarget : public ::testing::TestWithParam<const char*> {};

TEST_P(RefusedTarget, SaysInOneLineWhatIsAllowed) {
  const auto target = parse_target(GetParam());
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().find('\n'), std::string::npos);
  EXPECT_FALSE(target.error().empty());
}

INSTANTIATE_TEST_SUITE_P(Texts, RefusedTarget,
                         ::testing::Values("", "9000", "http://localhost:1", "tcp://", "tcp://host",
                                           "tcp://host:", "tcp://:1", "tcp://host:0",
                                           "tcp://host:65536", "tcp://host:1x", "tcp://::1:9000",
                                           "unix://relative", "exec:./server", "pipe:", "pipe:  "));

TEST(Target, RefusesAPathThatDoesNotFit) {
  EXPECT_FALSE(parse_target("unix:///" + std::string(200, 'a')));
}

}  // namespace
}  // namespace hallmark::conformance
