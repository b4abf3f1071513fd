#include "loadgen/target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::loadgen {
namespace {

TEST(Target, tcp) {
  const auto target = parse_target("tcp://127.0.0.1:9000");
  ASSERT_TRUE(target);
  EXPECT_EQ(std::get<TcpTarget>(*target).host, "127.0.0.1");
  EXPECT_EQ(std::get<TcpTarget>(*target).port, 9000);
}

TEST(Target, ipv6_in_brackets) {
  const auto target = parse_target("tcp://[::1]:9000");
  ASSERT_TRUE(target);
  EXPECT_EQ(std::get<TcpTarget>(*target).host, "::1");
}

TEST(Target, udp) {
  const auto target = parse_target("udp://[::1]:2000");
  ASSERT_TRUE(target);
  EXPECT_TRUE(of_datagrams(*target));
  EXPECT_EQ(std::get<UdpTarget>(*target).host, "::1");
  EXPECT_EQ(std::get<UdpTarget>(*target).port, 2000);
}

TEST(Target, unix_path) {
  const auto target = parse_target("unix:///run/throttr.sock");
  ASSERT_TRUE(target);
  EXPECT_EQ(std::get<UnixTarget>(*target).path, "/run/throttr.sock");
}

class BadTarget : public testing::TestWithParam<std::string> {};

TEST_P(BadTarget, is_refused_with_what_is_allowed) {
  const auto target = parse_target(GetParam());
  ASSERT_FALSE(target);
  EXPECT_THAT(target.error().message, testing::HasSubstr(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Rows, BadTarget,
                         testing::Values("", "127.0.0.1:9000", "http://a:1", "tcp://", "tcp://a",
                                         "tcp://a:", "tcp://:9", "tcp://a:0", "tcp://a:65536",
                                         "tcp://a:9x", "udp://a", "udp://a:0", "tcp://::1:9000",
                                         "unix://relative", "unix:///" + std::string(200, 'p')));

}  // namespace
}  // namespace hallmark::loadgen
