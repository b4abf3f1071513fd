#include "reference/session/datagram_session.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <optional>
#include <random>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/ratelimit_udp.hpp"

namespace hallmark::server {
namespace {

using model::Time;
using protocol::Profile;
using protocol::Readings;
using protocol::ratelimit::Rules;
using protocol::tables::ratelimit_udp;
using ::testing::StartsWith;

constexpr Time second = 1'000'000'000;
constexpr Time start = 6'000'000 * 300 * second;

Readings released() { return {ratelimit_udp, Profile::deployed}; }

Readings with(protocol::ReadingName reading, protocol::AnswerName answer) {
  Readings readings = released();
  EXPECT_TRUE(readings.set(reading, answer)) << reading << "=" << answer;
  return readings;
}

/// A session with simulated time.
class Simulated {
 public:
  explicit Simulated(const Readings& readings = released(),
                     std::string_view rules = protocol::ratelimit::example_rules_text())
      : readings_(readings),
        rules_(Rules::parse(rules).value()),
        limiter_(rules_, model::rate_behaviour_of(readings_), 10'000),
        session_(limiter_, readings_) {}

  /// Nothing: silence.
  std::optional<std::string> ask(std::string_view datagram) {
    // A copy of exactly its size: a sanitizer then sees reads beyond it.
    const std::vector<char> bytes(datagram.begin(), datagram.end());
    protocol::ByteBuffer out;
    const std::string_view request(bytes.data(), bytes.size());
    const std::size_t size = session_.answer(base::as_bytes(request), now, out);
    EXPECT_EQ(size, out.size());
    if (size == 0) return std::nullopt;
    return std::string(base::as_text(out.view()));
  }

  DatagramSession& session() { return session_; }

  Time now = start;

 private:
  Readings readings_;
  Rules rules_;
  model::RateLimiter limiter_;
  DatagramSession session_;
};

TEST(DatagramSession, AnswersAllThatTheReleasedServerWasAskedAlike) {
  std::ifstream in(places::source("vectors/captured/ratelimit-udp-958538c.jsonl"));
  Simulated server;
  std::size_t played = 0;
  for (std::string text; std::getline(in, text); ++played) {
    const auto line = base::test::parsed(text);
    const std::string request = line["request"].string();
    std::optional<std::string> response;
    if (!line["response"].is_null()) response = line["response"].string();
    EXPECT_EQ(server.ask(request), response) << "to '" << request << "'";
    server.now += 100'000;  // a tenth of a millisecond, as on loopback
  }
  EXPECT_EQ(played, 54U);
}

TEST(DatagramSession, GivesTheRepliesOfTheDocumentsExamples) {
  Simulated server;
  for (int n = 0; n < 4'201; ++n, server.now += 4 * second / 1'000) {
    server.ask("over_limit ws global");
  }
  EXPECT_EQ(server.ask("1173 over_limit ws global"), "1173 ok N 2034.3 2500.0 10");
  for (int n = 0; n < 2; ++n) server.ask("over_limit ws ip=74.11.99.155");
  server.now += 10 * second;
  EXPECT_EQ(server.ask("472 over_limit ws ip=74.11.99.155"), "472 ok N 1.4 22.0 20");
  for (int n = 0; n < 30; ++n) server.ask("over_limit ws ip=4.14.989.98");
  server.now += 13 * second / 10;
  EXPECT_EQ(server.ask("1332 over_limit ws ip=4.14.989.98"), "1332 ok Y 28.1 22.0 20");
  // The document's last_max_rate=1 needs uses in the five minutes before.
  for (int n = 0; n < 2; ++n) server.ask("over_limit some-key");
  EXPECT_EQ(server.ask("78229 get_stats some-key"),
            "78229 n_req=2 n_over=1 last_max_rate=0 key=some-key");
}

TEST(DatagramSession, TheHighestRateIsToldTruncated) {
  Simulated server;
  for (int n = 0; n < 4; ++n, server.now += second) server.ask("over_limit some-key");
  server.now += 300 * second;
  EXPECT_EQ(server.ask("get_stats some-key"), "n_req=4 n_over=3 last_max_rate=2 key=some-key");
  server.now += 300 * second;
  EXPECT_EQ(server.ask("get_stats some-key"), "n_req=4 n_over=3 last_max_rate=0 key=some-key");
}

TEST(DatagramSession, SizeIsTheNumberOfKeysAsWell) {
  Simulated server;
  for (const char* const key : {"ws ip=1", "ws ip=2", "ws ip=1", "no rule"}) {
    server.ask("over_limit " + std::string(key));
  }
  EXPECT_EQ(server.ask("9 get_size"), "9 size=2 keys=2");
}

TEST(DatagramSession, IsSilentToWhatIsNoRequest) {
  Simulated server;
  const std::string_view datagrams[] = {
      "",
      " ",
      "Ping",
      "ping\n",
      "ping\r\n",
      "pong",
      "5ping",
      "5\tping",
      "+5 ping",
      "5 5 ping",
      "0x5 ping",
      "get_size ",
      "get_size x",
      "get_stats",
      "OVER_LIMIT a",
      "over_limit",
      "over_limit\ta",
      "over_limita",
      "over-limit a",
      "get_stats\n",
      "over_limit a\n",
      "over_limit \n",
      "get_stats a\nb",
      "1 ok N 0.0 22.0 20",
  };
  for (const std::string_view datagram : datagrams) {
    EXPECT_EQ(server.ask(datagram), std::nullopt) << "'" << datagram << "'";
  }
  EXPECT_EQ(server.ask(std::string("ping") + '\0'), std::nullopt);
  EXPECT_EQ(server.ask("get_size"), "size=0 keys=0");
}

TEST(DatagramSession, KeysAreAnyBytesButNewline) {
  Simulated server;
  for (int code = 0; code < 256; ++code) {
    if (code == '\n') continue;
    const std::string key{'a', static_cast<char>(code), ' ', 'b', ' '};
    EXPECT_EQ(server.ask("1 get_stats " + key), "1 n_req=0 n_over=0 last_max_rate=0 key=" + key);
    EXPECT_EQ(server.ask("over_limit " + key), "ok N 0.0 1.0 1");
  }
}

TEST(DatagramSession, IdsComeBackDigitForDigit) {
  Simulated server;
  for (const std::string& id :
       std::vector<std::string>{"0", "000867465", "394769760968709384567", std::string(990, '7')}) {
    EXPECT_EQ(server.ask(id + " ping"), id + " pong");
  }
}

TEST(DatagramSession, ReadsRequestsOfUpTo1000Bytes) {
  Simulated server;
  const std::string longest = "get_stats " + std::string(990, 'k');
  EXPECT_EQ(server.session().most_bytes(), 1001U);
  EXPECT_EQ(server.ask(longest), "n_req=0 n_over=0 last_max_rate=0 key=" + std::string(990, 'k'));
  EXPECT_EQ(server.ask(longest + "k"), std::nullopt);
  EXPECT_EQ(server.ask(longest + std::string(60'000, 'k')), std::nullopt);
}

TEST(DatagramSession, LongRequestsAreCutOrReadWhereTheReadingSaysSo) {
  Simulated cut(with("long-request", "cut"));
  EXPECT_EQ(cut.session().most_bytes(), 1000U);
  const std::string request = "get_stats " + std::string(5'000, 'k');
  EXPECT_EQ(cut.ask(request), "n_req=0 n_over=0 last_max_rate=0 key=" + std::string(990, 'k'));
  Simulated read(with("long-request", "read"));
  EXPECT_EQ(read.session().most_bytes(), 65'535U);
  EXPECT_EQ(read.ask(request), "n_req=0 n_over=0 last_max_rate=0 key=" + std::string(5'000, 'k'));
}

TEST(DatagramSession, KeysEndWhereTheReadingsSaySo) {
  Simulated word(with("udp-key", "word"));
  EXPECT_EQ(word.ask("get_stats a b"), "n_req=0 n_over=0 last_max_rate=0 key=a");
  EXPECT_EQ(word.ask("get_stats  b"), "n_req=0 n_over=0 last_max_rate=0 key=");
  Simulated part(with("key-newline", "part"));
  EXPECT_EQ(part.ask("get_stats a\nb\n"), "n_req=0 n_over=0 last_max_rate=0 key=a\nb\n");
  EXPECT_EQ(part.ask("get_stats \n"), "n_req=0 n_over=0 last_max_rate=0 key=\n");
  EXPECT_EQ(part.ask("ping\n"), std::nullopt);
  Simulated silence(with("empty-key", "silence"));
  EXPECT_EQ(silence.ask("get_stats "), std::nullopt);
  EXPECT_EQ(silence.ask("over_limit "), std::nullopt);
  EXPECT_EQ(silence.ask("over_limit  "), "ok N 0.0 1.0 1");
}

TEST(DatagramSession, IdsAreNumbersWhereTheReadingSaysSo) {
  Simulated server(with("udp-id", "number"));
  EXPECT_EQ(server.ask("000867465 ping"), "867465 pong");
  EXPECT_EQ(server.ask("0 ping"), "0 pong");
  EXPECT_EQ(server.ask("ping"), "pong");
  EXPECT_EQ(server.ask("18446744073709551616 ping"), "0 pong");  // 2^64
}

TEST(DatagramSession, TheSecondFieldOfStatisticsIsNamedAsTheReadingSays) {
  Simulated server(with("stats-field", "over"));
  EXPECT_EQ(server.ask("get_stats a"), "n_req=0 over=0 last_max_rate=0 key=a");
}

TEST(DatagramSession, KeysWithoutARuleAreSilentWhereTheReadingSaysSo) {
  Simulated server(with("default-key", "silence"));
  EXPECT_EQ(server.ask("over_limit a"), std::nullopt);
  EXPECT_THAT(*server.ask("over_limit ws global"), StartsWith("ok N"));
}

TEST(DatagramSession, AboveTheLimitIsMoreThanIt) {
  constexpr std::string_view nothing_allowed = "0/20 strict \"a\"";
  Simulated at(released(), nothing_allowed);
  EXPECT_EQ(at.ask("over_limit a"), "ok Y 0.0 0.0 20");
  Simulated above(with("over-when", "above"), nothing_allowed);
  EXPECT_EQ(above.ask("over_limit a"), "ok N 0.0 0.0 20");
}

/// A request cut to pieces, put together wrongly and soiled.
class Soiler {
 public:
  std::string next() {
    std::string datagram;
    for (std::size_t pieces = random_() % 5; pieces > 0; --pieces) {
      datagram += parts[random_() % std::size(parts)];
    }
    for (std::size_t flips = random_() % 3; flips > 0 && !datagram.empty(); --flips) {
      datagram[random_() % datagram.size()] = static_cast<char>(random_());
    }
    if (random_() % 8 == 0) datagram.resize(random_() % 1'100, 'x');
    return datagram;
  }

 private:
  static constexpr std::string_view parts[] = {"over_limit ", "get_stats ", "get_size", "ping",
                                               "17 ",         "0",          "ws ip=1",  " ",
                                               "\n",          "",           "\xff",     "key"};
  std::mt19937_64 random_{1};
};

/// Returns true if the bytes are a request of the dialect, according to the generic codec's twin.
template <std::size_t... operation>
bool is_request(std::string_view datagram, std::index_sequence<operation...>) {
  const Readings readings = released();
  const auto is = [&]<std::size_t i>() {
    using Request = protocol::fast_text::Request<ratelimit_udp, i>;
    typename Request::View view;
    return protocol::fast_text::decode<Request>(base::as_bytes(datagram), readings, view);
  };
  return datagram.size() <= 1000 && (is.template operator()<operation>() || ...);
}

TEST(DatagramSession, AnswersRequestsAndNothingElseHoweverDatagramsAreSoiled) {
  Simulated server;
  Soiler soiler;
  std::size_t answered = 0;
  for (int i = 0; i < 200'000; ++i, server.now += 1'000) {
    const std::string datagram = soiler.next();
    const bool expected = is_request(datagram, std::make_index_sequence<4>{});
    ASSERT_EQ(server.ask(datagram).has_value(), expected) << "'" << datagram << "'";
    answered += expected ? 1U : 0U;
  }
  EXPECT_GT(answered, 10'000U);
  EXPECT_LT(answered, 190'000U);
}

}  // namespace
}  // namespace hallmark::server
