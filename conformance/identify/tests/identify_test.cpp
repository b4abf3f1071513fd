#include "conformance/identify/identify.hpp"

#include <gmock/gmock.h>

#include "conformance/identify/tests/fake_throttr.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {
namespace {

using protocol::Dialect;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const IdentifyOptions options{.nonce = "0123456789abcdef"};

/// A dialect, a width and some answers that are not as released.
struct Spoken {
  const Dialect* dialect;
  Width width;
  Profile profile = Profile::deployed;
  std::vector<std::pair<std::string_view, std::string_view>> answers = {};

  Readings readings() const {
    Readings all(*dialect, profile);
    for (const auto& [reading, answer] : answers) EXPECT_TRUE(all.set(reading, answer)) << reading;
    return all;
  }
};

std::string name_of(const Spoken& spoken) {
  std::string name = std::string(spoken.dialect->name) + "_" +
                     std::string(protocol::name_of(spoken.width)) + "_" +
                     std::string(protocol::name_of(spoken.profile));
  for (const auto& [reading, answer] : spoken.answers)
    name += "_" + std::string(reading) + "_" + std::string(answer);
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

/// Every dialect, width and profile, and each layout reading by itself.
std::vector<Spoken> everything() {
  std::vector<Spoken> all;
  for (const Dialect* const dialect : protocol::throttr_dialects) {
    for (const Width width : dialect->widths) {
      for (const Profile profile : {Profile::deployed, Profile::literal})
        all.push_back({dialect, width, profile});
    }
    for (const protocol::Reading& reading : dialect->readings) {
      for (const protocol::Answer& answer : reading.answers) {
        if (answer.served == protocol::Served::no || reading.answers.size() < 2) continue;
        all.push_back(
            {dialect, dialect->widths.back(), Profile::deployed, {{reading.id, answer.id}}});
      }
    }
  }
  all.push_back({&protocol::throttr_7_1,
                 Width::u32,
                 Profile::deployed,
                 {{"connection-id", "index"}, {"connection-index", "from-1"}}});
  all.push_back({&protocol::throttr_7_1,
                 Width::u8,
                 Profile::deployed,
                 {{"connection-id", "index"}, {"whoami", "index"}, {"status-prefix", "no"}}});
  all.push_back({&protocol::throttr_7_1, Width::u16, Profile::literal, {{"fragments", "from-0"}}});
  all.push_back({&protocol::throttr_6_0,
                 Width::u16,
                 Profile::literal,
                 {{"status-prefix", "yes"}, {"fragments", "from-0"}}});
  return all;
}

class Identify : public ::testing::TestWithParam<Spoken> {};

TEST_P(Identify, NamesDialectWidthAndEveryAnswerItTells) {
  const Spoken& spoken = GetParam();
  const Readings readings = spoken.readings();
  FakeThrottr server(spoken.width, readings);
  TestNetwork network(server);
  const Time started = network.now();
  const Identification made = identify(network, options);
  ASSERT_EQ(made.stranger, "");
  ASSERT_EQ(made.dialect, spoken.dialect);
  EXPECT_EQ(made.width, spoken.width);
  for (const Finding& finding : made.findings) {
    EXPECT_FALSE(finding.clues.empty()) << finding.subject;
    if (finding.answer.empty() || finding.subject == "dialect" || finding.subject == "width")
      continue;
    EXPECT_EQ(finding.answer, readings.answer_called(finding.subject)) << finding.subject;
    EXPECT_EQ(made.readings->answer_called(finding.subject), finding.answer) << finding.subject;
  }
  EXPECT_EQ(server.records(), 0U);
  EXPECT_LT(network.now() - started, 500'000'000U);
}

TEST_P(Identify, MayBeCutAnywhere) {
  FakeThrottr server(GetParam().width, GetParam().readings());
  TestNetwork network(server);
  network.deliver_at_most(1);
  const Identification made = identify_layouts(network, options);
  EXPECT_EQ(made.dialect, GetParam().dialect);
  EXPECT_EQ(made.width, GetParam().width);
}

INSTANTIATE_TEST_SUITE_P(Everything, Identify, ::testing::ValuesIn(everything()),
                         [](const auto& row) { return name_of(row.param); });

Identification layouts_of(const Spoken& spoken,
                          const std::function<void(FakeThrottr&)>& change = {}) {
  FakeThrottr server(spoken.width, spoken.readings());
  if (change) change(server);
  TestNetwork network(server);
  return identify_layouts(network, options);
}

std::string shown(const Identification& made, std::string_view subject) {
  const Finding* const finding = made.find(subject);
  return finding == nullptr ? "no finding" : finding->clues.back().shows;
}

TEST(Identify, TellsLayoutReadings) {
  const Identification made =
      layouts_of({&protocol::throttr_7_1, Width::u16, Profile::literal, {}});
  for (const char* const reading :
       {"status-prefix", "set-value-size", "channels-subscribers", "connection-id",
        "connection-index", "whoami", "publish-reply", "ip-field", "fragments", "purge-missing"}) {
    ASSERT_NE(made.find(reading), nullptr) << reading;
    EXPECT_NE(made.find(reading)->answer, "") << reading << ": " << shown(made, reading);
  }
}

TEST(Identify, IgnoresWhatInfoSaysOfTheVersion) {
  const Identification made = layouts_of({&protocol::throttr_7_3, Width::u16},
                                         [](FakeThrottr& server) { server.version = "7.1.1"; });
  EXPECT_EQ(made.dialect, &protocol::throttr_7_3);
}

TEST(Identify, SaysWhereAReadingDoesNotShow) {
  const Spoken u8{&protocol::throttr_7_1, Width::u8};
  EXPECT_EQ(shown(layouts_of(u8), "set-value-size"), "at u8, N is one byte");
  EXPECT_EQ(shown(layouts_of(u8), "connection-index"), "CONNECTION asks by id");
  const Identification local = layouts_of(u8, [](FakeThrottr& server) { server.local = true; });
  EXPECT_EQ(local.find("ip-field")->answer, "");
  EXPECT_EQ(shown(local, "ip-field"), "no message that came shows it");
}

TEST(Identify, ATargetThatLacksAnOperationIsNamedByTheOthers) {
  for (const char* const operation : {"WHOAMI", "CONNECTIONS", "INFO", "CHANNELS", "CONNECTION"}) {
    const Identification made =
        layouts_of({&protocol::throttr_7_1, Width::u32},
                   [&](FakeThrottr& server) { server.without.insert(operation); });
    EXPECT_EQ(made.dialect, &protocol::throttr_7_1) << operation;
  }
}

TEST(Identify, TheDialectHasTheMessagesThatTellItAsClues) {
  const Identification made = layouts_of({&protocol::throttr_7_1, Width::u16});
  const std::vector<Clue>& clues = made.find("dialect")->clues;
  ASSERT_GE(clues.size(), 3U);
  EXPECT_EQ(clues[1].shows, "a whole message of throttr-7.1 and throttr-7.3, not of throttr-6.0");
  EXPECT_THAT(clues[2].sent, HasSubstr("CONNECTIONS: 14"));
  EXPECT_EQ(clues[2].shows, "a whole message of throttr-7.1, not of throttr-7.3");
}

TEST(Identify, SixZeroIsWhatKnowsNoLaterOperation) {
  const Identification made = layouts_of({&protocol::throttr_6_0, Width::u64});
  EXPECT_THAT(made.find("dialect")->clues.back().shows, HasSubstr("throttr-6.0 has no such"));
  EXPECT_EQ(made.find("opcode-unknown")->answer, "closed");
  EXPECT_EQ(made.find("list-bytes-used")->answer, "yes");
}

TEST(Identify, LeavesNoSubscriptionBehind) {
  FakeThrottr server(Width::u16, Spoken{&protocol::throttr_7_1, Width::u16}.readings());
  TestNetwork network(server);
  identify(network, options);
  EXPECT_EQ(server.subscriptions(), 0U);
}

TEST(Identify, LeavesBehaviourThatNeedsMoreToCertify) {
  FakeThrottr server(Width::u16, Spoken{&protocol::throttr_7_1, Width::u16}.readings());
  TestNetwork network(server);
  const Identification made = identify(network, options);
  EXPECT_EQ(made.find("expired-when")->answer, "");
  EXPECT_THAT(shown(made, "opcode-unknown"), HasSubstr("certify asks for it"));
  EXPECT_EQ(made.find("insert-existing")->answer, "refused");
  EXPECT_THAT(made.find("insert-existing")->clues.front().sent, Not(::testing::IsEmpty()));
}

TEST(Identify, WaitsForNothingOnceTheRunIsOver) {
  Stranger silent([](base::ByteView) { return Stranger::Answer{}; });
  TestNetwork network(silent);
  const std::atomic<bool> stop = true;
  IdentifyOptions stopped = options;
  stopped.deadline = 30'000'000'000;
  stopped.stop = &stop;
  const Time started = network.now();
  const Identification made = identify_layouts(network, stopped);
  EXPECT_TRUE(made.interrupted);
  EXPECT_LT(network.now() - started, 500'000'000U);
}

TEST(Identify, IsNotInterruptedByAStopThatComesTooLate) {
  FakeThrottr server(Width::u16, Readings(protocol::throttr_7_3, Profile::deployed));
  TestNetwork network(server);
  const std::atomic<bool> stop = true;
  IdentifyOptions stopped = options;
  stopped.stop = &stop;
  const Identification made = identify_layouts(network, stopped);
  EXPECT_EQ(made.dialect, &protocol::throttr_7_3);
  EXPECT_FALSE(made.interrupted);
}

TEST(Identify, ATargetThatIsNotThere) {
  Stranger nobody([](base::ByteView) { return Stranger::Answer{}; });
  TestNetwork network(nobody);
  network.refuse();
  const Identification made = identify(network, options);
  EXPECT_EQ(made.unreachable, "cannot connect: refused");
  EXPECT_EQ(made.dialect, nullptr);
}

TEST(Identify, ATargetThatKeepsWhatIsPurgedIsToldAllTheSame) {
  FakeThrottr target(Width::u16, Readings(protocol::throttr_7_3, Profile::deployed));
  target.keeps_purged = true;
  TestNetwork network(target);
  const Identification made = identify_layouts(network, options);
  EXPECT_EQ(made.dialect, &protocol::throttr_7_3);
  EXPECT_EQ(made.width, Width::u16);
}

TEST(Identify, ATargetThatShowsAnotherQuotaIsToldAllTheSame) {
  for (const Width width : protocol::throttr_7_3.widths) {
    FakeThrottr target(width, Readings(protocol::throttr_7_3, Profile::deployed));
    target.shows_less = true;
    TestNetwork network(target);
    const Identification made = identify_layouts(network, options);
    EXPECT_EQ(made.dialect, &protocol::throttr_7_3);
    EXPECT_EQ(made.width, width);
    EXPECT_THAT(made.find("width")->clues.back().shows, HasSubstr("another quota came back"));
  }
}

/// Loses the last reply to what comes on a connection on which it has answered much already.
class Losing : public FakeThrottr {
 public:
  using FakeThrottr::FakeThrottr;

  void receive(Connection connection, base::ByteView segment, Time now) override {
    constexpr std::size_t much = 32;
    const std::size_t before = sent_[connection];
    const std::size_t waiting = outbox(connection).size();
    FakeThrottr::receive(connection, segment, now);
    base::Bytes& out = outbox(connection);
    sent_[connection] += out.size() - std::min(waiting, out.size());
    if (before >= much && out.size() > waiting) {
      out.pop_back();
      ++lost_;
    }
  }

  std::size_t lost() const { return lost_; }

 private:
  std::map<Connection, std::size_t> sent_;
  std::size_t lost_ = 0;
};

TEST(Identify, AsksAgainOnAnotherConnectionWhereAReplyIsLost) {
  for (const Dialect* const dialect : {&protocol::throttr_7_1, &protocol::throttr_7_3}) {
    Losing server(Width::u16, Readings(*dialect, Profile::deployed));
    TestNetwork network(server);
    const Time started = network.now();
    const Identification made = identify_layouts(network, options);
    EXPECT_GT(server.lost(), 0U);
    ASSERT_EQ(made.dialect, dialect) << made.why_unknown(true);
    EXPECT_EQ(made.width, Width::u16);
    EXPECT_EQ(server.records(), 0U);
    EXPECT_LE(network.now() - started, options.deadline);
  }
}

/// A server that is not a Throttr, and what identification says about it.
struct Impostor {
  std::string name;
  std::string says;
  Stranger::Manner manner;
  std::string greeting = {};
};

Stranger::Manner always(const std::string& bytes, bool closes = false) {
  return [=](base::ByteView) { return Stranger::Answer{base::to_bytes(bytes), closes}; };
}

std::string zeros(std::size_t count) { return std::string(count, '\0'); }

std::vector<Impostor> impostors() {
  return {
      {"http", "\"HTTP/1.1 400 Bad Request\", as HTTP servers do",
       always("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", true)},
      {"silent", "it said nothing to a QUERY", always("")},
      {"echo", "as echo servers do",
       [](base::ByteView segment) {
         return Stranger::Answer{{segment.begin(), segment.end()}, false};
       }},
      {"one", "with 01", always("\x01")},
      {"zero", "an INSERT, whole at every width, with 00", always(zeros(1))},
      {"closes", "it closed the connection without a byte", always("", true)},
      {"endless", "with 78 78 78", always(std::string(100'000, 'x'))},
      {"endless_zeros", "with 00 00 00", always(zeros(100'000))},
      {"tls", "as TLS servers do", always("\x15\x03\x03\x01\x01\x01\x01", true)},
      {"redis", "\"-ERR unknown command\", as Redis", always("-ERR unknown command\r\n")},
      {"smtp", "\"220 mail.example ESMTP\", as mail", always(""), "220 mail.example ESMTP\r\n"},
      {"request_id_only", "and then nothing", always(std::string("\x19", 1))},
      {"one_then_nothing", "with 01, and then nothing within the deadline",
       [first = true](base::ByteView) mutable {
         const bool was = std::exchange(first, false);
         return Stranger::Answer{{static_cast<std::uint8_t>(was ? 0 : 1)}, false};
       }},
  };
}

class ImpostorTest : public ::testing::TestWithParam<Impostor> {};

TEST_P(ImpostorTest, IsToldWithinTheDeadline) {
  Stranger target(GetParam().manner, GetParam().greeting);
  TestNetwork network(target);
  const Time started = network.now();
  const Identification made = identify(network, options);
  EXPECT_THAT(made.stranger, HasSubstr(GetParam().says));
  EXPECT_EQ(made.dialect, nullptr);
  EXPECT_EQ(made.stranger.find('\n'), std::string::npos);
  EXPECT_LE(network.now() - started, options.deadline);
}

INSTANTIATE_TEST_SUITE_P(Impostors, ImpostorTest, ::testing::ValuesIn(impostors()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace hallmark::conformance::testing
