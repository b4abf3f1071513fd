#include "base/endpoint.hpp"

#include <gmock/gmock.h>

#include "base/missing_scheme.hpp"

namespace hallmark::base {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Socket = std::variant<TcpEndpoint, UdpEndpoint, UnixEndpoint>;

template <class Wanted>
std::string message(std::string_view text, Ports ports = Ports::to_connect) {
  const auto read = parse_endpoint<Wanted>(text, ports);
  return read ? "" : read.error().message;
}

TEST(Endpoint, IsReadAndWrittenBack) {
  const std::pair<const char*, Endpoint> rows[] = {
      {"tcp://127.0.0.1:9000", TcpEndpoint{"127.0.0.1", 9000}},
      {"tcp://localhost:0", TcpEndpoint{"localhost", 0}},
      {"tcp://under_score.example:1", TcpEndpoint{"under_score.example", 1}},
      {"tcp://[::1]:65535", TcpEndpoint{"::1", 65535}},
      {"udp://127.0.0.1:2000", UdpEndpoint{"127.0.0.1", 2000}},
      {"udp://[::]:0", UdpEndpoint{"::", 0}},
      {"udp://[fe80::1%lo]:1", UdpEndpoint{"fe80::1%lo", 1}},
      {"unix:///tmp/a:b", UnixEndpoint{"/tmp/a:b"}},
      {"unix:///tmp/a b%20?#", UnixEndpoint{"/tmp/a b%20?#"}},
      {"exec:./server --port {port}", ExecEndpoint{"./server --port {port}", {}}},
      {"pipe:adapter -u | tee log", PipeEndpoint{"adapter -u | tee log"}},
  };
  for (const auto& [text, endpoint] : rows) {
    const auto read = parse_endpoint<Endpoint>(text, Ports::to_listen);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, endpoint) << text;
    EXPECT_EQ(to_string(*read), text);
  }
}

struct RefusedText {
  const char* name;
  std::string text;
  const char* reason;
};

class Refused : public testing::TestWithParam<RefusedText> {};

TEST_P(Refused, SaysWhatCameAndWhatIsWrong) {
  const auto said = message<Endpoint>(GetParam().text);
  EXPECT_THAT(said,
              AllOf(testing::StartsWith("'" + GetParam().text + "' is not an endpoint: "),
                    HasSubstr(GetParam().reason), HasSubstr("; expected "), Not(HasSubstr("\n"))));
}

INSTANTIATE_TEST_SUITE_P(
    Table, Refused,
    testing::Values(
        RefusedText{"empty", "",
                    "expected tcp://HOST:PORT, udp://HOST:PORT, unix:///PATH, exec:COMMAND"},
        RefusedText{"other_scheme", "http://127.0.0.1:9000", "expected tcp://HOST:PORT"},
        RefusedText{"capitals", "UDP://127.0.0.1:9000", "expected tcp://HOST:PORT"},
        RefusedText{"nothing", "tcp://", "no host; expected tcp://HOST:PORT"},
        RefusedText{"no_port", "tcp://localhost", "no port; expected tcp://HOST:PORT"},
        RefusedText{"no_udp_port", "udp://[::1]", "no port; expected udp://HOST:PORT"},
        RefusedText{"empty_port", "tcp://localhost:", "the port is not a number up to 65535"},
        RefusedText{"large_port", "tcp://localhost:65536", "the port is not a number up to 65535"},
        RefusedText{"port_to_connect", "tcp://localhost:0", "the port is not 1 to 65535"},
        RefusedText{"negative_port", "tcp://localhost:-1", "the port is not a number up to 65535"},
        RefusedText{"text_after_port", "tcp://localhost:90x",
                    "the port is not a number up to 65535"},
        RefusedText{"path", "udp://127.0.0.1:2000/", "the port is not a number up to 65535"},
        RefusedText{"empty_host", "tcp://:9000", "no host"},
        RefusedText{"byte_zero_in_host", "tcp://localhost%00x:9000",
                    "the host has characters that no host has"},
        RefusedText{"blank_in_host", "tcp://local%20host:9000",
                    "the host has characters that no host has"},
        RefusedText{"empty_ipv6", "tcp://[]:9000", "not HOST or HOST:PORT"},
        RefusedText{"no_ipv6", "tcp://[localhost]:9000", "not HOST or HOST:PORT"},
        RefusedText{"ipv6_without_brackets", "tcp://::1:9000", "an IPv6 address in brackets"},
        RefusedText{"user", "tcp://me@h:9000", "it takes no user"},
        RefusedText{"relative_path", "unix://socket", "no absolute path"},
        RefusedText{"long_path", "unix:///" + std::string(107, 'x'), "at most 107 bytes"},
        RefusedText{"no_place_for_the_port", "exec:./server", "does not name its {port}"},
        RefusedText{"no_command", "pipe:  ", "no command"},
        RefusedText{"no_path", "file:", "no path"},
        RefusedText{"no_redis_host", "redis://", "no host"},
        RefusedText{"redis_port", "redis://h:0", "the port is not 1 to 65535"},
        RefusedText{"redis_text_port", "redis://h:x", "the port is not a number up to 65535"},
        RefusedText{"open_bracket", "redis://[::1", "an IPv6 address in brackets"},
        RefusedText{"redis_database", "redis://h/x", "the database is not a number"},
        RefusedText{"bad_percent", "redis://a%zz@h", "a % without two hexadecimal digits"},
        RefusedText{"bad_percent_in_path", "redis+unix:///%", "a % without two hexadecimal digits"},
        RefusedText{"no_socket", "redis+unix://r", "no absolute path"},
        RefusedText{"parameter", "redis+unix:///r?index=1", "the database is not db=N"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Endpoint, IsOfAKindThatIsWanted) {
  EXPECT_EQ(*parse_endpoint<Socket>("udp://h:1"), Socket(UdpEndpoint{"h", 1}));
  EXPECT_EQ(*parse_endpoint<UdpEndpoint>("udp://h:1"), (UdpEndpoint{"h", 1}));
  EXPECT_EQ(
      message<Socket>("pipe:x"),
      "'pipe:x' is not an endpoint: not of a kind that is taken here; expected tcp://HOST:PORT, "
      "udp://HOST:PORT or unix:///PATH");
  EXPECT_EQ(message<UdpEndpoint>("localhost"),
            "'localhost' is not an endpoint: no known scheme; expected udp://HOST:PORT");
}

TEST(Endpoint, OfPortZeroIsForListening) {
  EXPECT_EQ(message<Socket>("tcp://h:0", Ports::to_listen), "");
  EXPECT_NE(message<Socket>("tcp://h:0", Ports::to_connect), "");
}

struct RedisRow {
  const char* text;
  RedisEndpoint endpoint;
  const char* shown;
};

TEST(RedisEndpoint, IsReadAndShownWithoutPassword) {
  const RedisRow rows[] = {
      {"redis://localhost", {.host = "localhost"}, "redis://localhost:6379"},
      {"redis://h:1/", {.host = "h", .port = 1}, "redis://h:1"},
      {"redis://h/7", {.host = "h", .database = 7}, "redis://h:6379/7"},
      {"redis://[::1]:7000/1",
       {.host = "::1", .port = 7000, .database = 1},
       "redis://[::1]:7000/1"},
      {"redis://u:p%40ss@h",
       {.host = "h", .user = "u", .password = "p@ss"},
       "redis://u:***@h:6379"},
      {"redis://:a@b^c:\"d\"@h", {.host = "h", .password = "a@b^c:\"d\""}, "redis://:***@h:6379"},
      {"redis://:secret@h", {.host = "h", .password = "secret"}, "redis://:***@h:6379"},
      {"redis://me@h", {.host = "h", .user = "me"}, "redis://me@h:6379"},
      {"redis+unix:///run/r.sock", {.socket = "/run/r.sock"}, "redis+unix:///run/r.sock"},
      {"redis+unix:///a%20b?db=3", {.socket = "/a b", .database = 3}, "redis+unix:///a b?db=3"},
      {"redis+unix://:s@/r", {.socket = "/r", .password = "s"}, "redis+unix://:***@/r"},
  };
  for (const auto& row : rows) {
    const auto read = parse_endpoint<RedisEndpoint>(row.text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, row.endpoint) << row.text;
    EXPECT_EQ(to_string(*read), row.shown) << row.text;
  }
}

TEST(PostgresEndpoint, IsLeftToItsLibraryAndShownWithoutPassword) {
  const std::string url = "postgres://me:secret@host:5432/db?sslmode=disable&password=other&a=b";
  EXPECT_EQ(*parse_endpoint<Endpoint>(url), Endpoint(PostgresEndpoint{url}));
  EXPECT_EQ(to_string(PostgresEndpoint{url}),
            "postgres://me:***@host:5432/db?sslmode=disable&password=***&a=b");
  const std::string other = "postgresql://a,b/d";
  EXPECT_EQ(parse_endpoint<PostgresEndpoint>(other)->url, other);
}

TEST(FileEndpoint, IsAPathWithOrWithoutAScheme) {
  EXPECT_EQ(*parse_endpoint<Endpoint>("states.txt"), Endpoint(FileEndpoint{"states.txt"}));
  EXPECT_EQ(parse_endpoint<FileEndpoint>("file:redis://x")->path, "redis://x");
  EXPECT_EQ(to_string(FileEndpoint{"a/b"}), "a/b");
  for (const char* const text : {"file:redis://x", "file:a://b", "file:exec:a", "file:file:a"})
    EXPECT_EQ(to_string(*parse_endpoint<FileEndpoint>(text)), text);
  EXPECT_EQ(message<FileEndpoint>("mysql://h"),
            "'mysql://h' is not an endpoint: no known scheme; expected the path of a file");
}

TEST(Endpoint, NoErrorTellsAPassword) {
  EXPECT_THAT(message<Endpoint>("redis://me:secret@h:x"),
              AllOf(HasSubstr("me:***@h:x"), Not(HasSubstr("secret"))));
}

TEST(MissingScheme, IsSuggested) {
  using Store = std::variant<RedisEndpoint, PostgresEndpoint, FileEndpoint>;
  EXPECT_EQ(with_missing_scheme<Store>("127.0.0.1:6390"), "redis://127.0.0.1:6390");
  EXPECT_EQ(with_missing_scheme<Store>("[::1]:6390/7"), "redis://[::1]:6390/7");
  EXPECT_EQ(with_missing_scheme<Store>("127.0.0.1/7"), "redis://127.0.0.1/7");
  EXPECT_EQ(with_missing_scheme<Store>("[::1]"), "redis://[::1]");
  EXPECT_EQ(with_missing_scheme<Store>("localhost"), "redis://localhost");
  EXPECT_EQ(with_missing_scheme<Store>("me:secret@cache:6379"), "redis://me:***@cache:6379");
  EXPECT_EQ(with_missing_scheme<Store>("localhost:5432/limits"),
            "postgres://localhost:5432/limits");
  EXPECT_EQ(with_missing_scheme<Endpoint>("localhost:9000"), "tcp://localhost:9000");
  EXPECT_EQ(with_missing_scheme<Endpoint>("localhost:6379"), "redis://localhost:6379");
  EXPECT_EQ(with_missing_scheme<Endpoint>("localhost:0"), "tcp://localhost:0");
  EXPECT_EQ(with_missing_scheme<UdpEndpoint>("localhost:0"), "udp://localhost:0");
  for (const char* const text : {"", ":1", "cache", "states.tsv", "a/b:1", "h:65536", "h:x", "::1"})
    EXPECT_EQ(with_missing_scheme<Store>(text), std::nullopt) << text;
  EXPECT_EQ(with_missing_scheme<PipeEndpoint>("h:1"), std::nullopt);
}

TEST(MissingScheme, IsSuggestedByTheErrorThatLacksIt) {
  EXPECT_EQ(message<Socket>("127.0.0.1:9000"),
            "'127.0.0.1:9000' is not an endpoint: no known scheme; expected tcp://HOST:PORT, "
            "udp://HOST:PORT or unix:///PATH; did you mean tcp://127.0.0.1:9000?");
}

TEST(WithoutPassword, HidesItWithAndWithoutAScheme) {
  EXPECT_EQ(without_password("redis://me:a/b@c@h:1"), "redis://me:***@h:1");
  EXPECT_EQ(without_password("me:secret@h:1"), "me:***@h:1");
  EXPECT_EQ(without_password("me:secret@tcp://h:1"), "me:***@tcp://h:1");
  EXPECT_EQ(without_password("me:secret@h/1@h"), "me:***@h");
  for (const char* const text : {"h:1", "me@h:1", "exec:./server me@h", "a/b:c@d", "tcp://h:1"})
    EXPECT_EQ(without_password(text), text);
}

TEST(Scheme, IsOfAKind) {
  EXPECT_TRUE(has_scheme_of<ExecEndpoint>("exec:"));
  EXPECT_TRUE((has_scheme_of<UdpEndpoint, PipeEndpoint>("pipe:x")));
  EXPECT_FALSE(has_scheme_of<TcpEndpoint>("udp://h:1"));
}

TEST(NamesStore, KnowsTheirSchemes) {
  for (const char* const text : {"redis://h", "redis+unix:///r", "postgres://h", "postgresql://h"})
    EXPECT_TRUE(names_store(text)) << text;
  for (const char* const text : {"", "redis", "tcp://h:1", "file:redis://x"})
    EXPECT_FALSE(names_store(text)) << text;
}

}  // namespace
}  // namespace hallmark::base
