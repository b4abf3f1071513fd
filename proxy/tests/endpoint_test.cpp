#include "proxy/endpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::proxy {
namespace {

namespace asio = boost::asio;

TEST(Endpoint, addresses_are_resolved_whatever_family_is_preferred) {
  asio::io_context context;
  for (const auto& preferred : {Udp::v4(), Udp::v6()}) {
    EXPECT_EQ(resolve(context, {"127.0.0.1", 7}, preferred)->address(),
              asio::ip::make_address("127.0.0.1"));
    EXPECT_EQ(resolve(context, {"::1", 7}, preferred)->address(), asio::ip::make_address("::1"));
  }
}

TEST(Endpoint, a_name_is_resolved_to_the_preferred_family) {
  asio::io_context context;
  EXPECT_EQ(resolve(context, {"localhost", 7}, Udp::v4())->address(),
            asio::ip::make_address("127.0.0.1"));
}

TEST(Endpoint, what_cannot_be_resolved_is_named) {
  asio::io_context context;
  const auto found = resolve(context, {"no such host", 7}, Udp::v4());
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, testing::StartsWith("cannot resolve udp://no such host:7: "));
}

}  // namespace
}  // namespace hallmark::proxy
