#include "proxy/endpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::proxy {
namespace {

namespace asio = boost::asio;

TEST(Endpoint, names_and_addresses_are_read_and_written_alike) {
  const std::pair<const char*, Endpoint> rows[] = {{"udp://127.0.0.1:2000", {"127.0.0.1", 2000}},
                                                   {"udp://localhost:0", {"localhost", 0}},
                                                   {"udp://[::1]:65535", {"::1", 65535}},
                                                   {"udp://[fe80::1%lo]:1", {"fe80::1%lo", 1}}};
  for (const auto& [text, endpoint] : rows) {
    ASSERT_TRUE(parse_endpoint(text)) << text;
    EXPECT_EQ(*parse_endpoint(text), endpoint) << text;
    EXPECT_EQ(to_string(endpoint), text);
  }
}

TEST(Endpoint, anything_else_is_refused_with_what_came_and_what_is_expected) {
  for (const char* const text :
       {"", "udp", "udp:", "udp://", "udp://:2000", "udp://127.0.0.1",
        "udp://127.0.0.1:", "udp://127.0.0.1:65536", "udp://127.0.0.1:-1", "udp://127.0.0.1:2000/",
        "udp://::1:2000", "udp://[]:2000", "udp://[::1]", "tcp://127.0.0.1:2000", "127.0.0.1:2000",
        "UDP://127.0.0.1:2000"}) {
    const auto endpoint = parse_endpoint(text);
    ASSERT_FALSE(endpoint) << text;
    EXPECT_EQ(endpoint.error().message, "bad endpoint '" + std::string(text) +
                                            "': expected udp://host:port or udp://[ipv6]:port");
  }
}

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
