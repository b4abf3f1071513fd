#include "reference/server/endpoint.hpp"

#include <gtest/gtest.h>

namespace hallmark::server {
namespace {

struct GoodEndpoint {
  const char* name;
  const char* text;
  Endpoint endpoint;
};

class ParsesEndpoint : public testing::TestWithParam<GoodEndpoint> {};

TEST_P(ParsesEndpoint, AndWritesItBack) {
  const auto parsed = parse_endpoint(GetParam().text);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(*parsed, GetParam().endpoint);
  EXPECT_EQ(to_string(*parsed), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ParsesEndpoint,
    testing::Values(
        GoodEndpoint{"ipv4", "tcp://127.0.0.1:9000", {Endpoint::Kind::tcp, "127.0.0.1", 9'000, ""}},
        GoodEndpoint{"name", "tcp://localhost:0", {Endpoint::Kind::tcp, "localhost", 0, ""}},
        GoodEndpoint{"ipv6", "tcp://[::1]:65535", {Endpoint::Kind::tcp, "::1", 65'535, ""}},
        GoodEndpoint{
            "udp_ipv4", "udp://127.0.0.1:2000", {Endpoint::Kind::udp, "127.0.0.1", 2'000, ""}},
        GoodEndpoint{"udp_ipv6", "udp://[::]:0", {Endpoint::Kind::udp, "::", 0, ""}},
        GoodEndpoint{"unix", "unix:///tmp/a:b", {Endpoint::Kind::unix_socket, "", 0, "/tmp/a:b"}}),
    [](const auto& row) { return std::string(row.param.name); });

struct BadEndpoint {
  const char* name;
  std::string text;
};

class RefusesEndpoint : public testing::TestWithParam<BadEndpoint> {};

TEST_P(RefusesEndpoint, AndSaysWhatCameAndWhatIsExpected) {
  const auto parsed = parse_endpoint(GetParam().text);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_NE(parsed.error().message.find("'" + GetParam().text + "'"), std::string::npos);
  EXPECT_NE(parsed.error().message.find("expected "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Table, RefusesEndpoint,
    testing::Values(BadEndpoint{"empty", ""}, BadEndpoint{"no_scheme", "127.0.0.1:9000"},
                    BadEndpoint{"other_scheme", "http://127.0.0.1:9000"},
                    BadEndpoint{"udp_without_port", "udp://127.0.0.1"},
                    BadEndpoint{"no_port", "tcp://localhost"},
                    BadEndpoint{"empty_port", "tcp://localhost:"},
                    BadEndpoint{"large_port", "tcp://localhost:65536"},
                    BadEndpoint{"negative_port", "tcp://localhost:-1"},
                    BadEndpoint{"text_after_port", "tcp://localhost:90x"},
                    BadEndpoint{"empty_host", "tcp://:9000"},
                    BadEndpoint{"empty_ipv6", "tcp://[]:9000"},
                    BadEndpoint{"ipv6_without_brackets", "tcp://::1:9000"},
                    BadEndpoint{"relative_path", "unix://socket"},
                    BadEndpoint{"long_path", "unix:///" + std::string(107, 'x')}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hallmark::server
