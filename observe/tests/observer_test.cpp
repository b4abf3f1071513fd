#include "observe/observer.hpp"

#include <gmock/gmock.h>

#include "base/hex.hpp"
#include "base/tests/temporary_directory.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::observe {
namespace {

using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string insert_abc = "010500041e0003616263";
const std::string query_abc = "0203616263";
const std::string found_abc = "010500041d00";

/// Records by hand, as a relay tells them.
class Observed {
 public:
  explicit Observed(const protocol::Dialect& dialect = protocol::throttr_7_3,
                    Width width = Width::u16, ObserverOptions options = {})
      : format_(width, Readings(dialect, Profile::deployed)), observer_(format_, options) {}

  Observed& open(std::uint64_t connection = 1, bool whole = true) {
    const Ends ends{pcapng::loopback(40'000), pcapng::loopback(9000)};
    Record record{Record::Kind::opened, Side::client, connection, next(), whole ? 0U : 1U, {}};
    record.bytes = {reinterpret_cast<const std::uint8_t*>(&ends), sizeof ends};
    observer_.take(record);
    return *this;
  }
  Observed& client(const std::string& hex) { return bytes(Side::client, *base::from_hex(hex)); }
  Observed& server(const std::string& hex) { return bytes(Side::server, *base::from_hex(hex)); }
  Observed& says(Side side, std::string_view text) { return bytes(side, base::to_bytes(text)); }
  Observed& tell(Record::Kind kind, Side side = Side::client, std::uint64_t number = 0) {
    if (kind == Record::Kind::missed) passed_[index_of(side)] += number;
    observer_.take({kind, side, 1, next(), number, {}});
    return *this;
  }
  void idle(Time now) { observer_.idle(now); }
  Observation end() {
    observer_.finish();
    Observation seen;
    observer_.describe(seen);
    return seen;
  }

 private:
  Observed& bytes(Side side, const base::Bytes& bytes) {
    const std::size_t own = index_of(side);
    observer_.take({Record::Kind::bytes, side, 1, next(), passed_[1 - own], bytes});
    passed_[own] += bytes.size();
    return *this;
  }
  Time next() { return now_ += std::chrono::milliseconds(1); }

  captures::Format format_;
  Observer observer_;
  std::array<std::uint64_t, 2> passed_{};
  Time now_{0};
};

std::vector<std::string> titles(const Observation& seen) {
  std::vector<std::string> all;
  for (const FindingGroup& group : seen.violations) all.push_back(title_of(group));
  return all;
}

TEST(Observer, RequestsAndRepliesAreCountedByOperation) {
  const auto seen = Observed()
                        .open()
                        .client(insert_abc)
                        .server("01")
                        .client(query_abc)
                        .server(found_abc)
                        .tell(Record::Kind::finished)
                        .tell(Record::Kind::closed)
                        .end();
  EXPECT_EQ(seen.requests, 2U);
  EXPECT_EQ(seen.replies, 2U);
  EXPECT_THAT(titles(seen), IsEmpty());
  ASSERT_EQ(seen.operations.size(), 2U);
  EXPECT_EQ(seen.operations[1].name, "QUERY");
  EXPECT_EQ(seen.operations[1].replies, 1U);
}

TEST(Observer, AMalformedReplyIsTheServersViolation) {
  const auto seen = Observed().open().client(query_abc).server("07").end();
  EXPECT_THAT(titles(seen), ElementsAre("server: malformed QUERY"));
}

TEST(Observer, BytesThatNobodyAskedForAreTheServersViolation) {
  const auto seen = Observed().open().client(insert_abc).server("0101").end();
  EXPECT_THAT(titles(seen), ElementsAre("server: unasked"));
}

TEST(Observer, AnUnknownOpcodeIsTheClientsViolation) {
  const auto seen = Observed().open().client("ee").end();
  EXPECT_THAT(titles(seen), ElementsAre("client: malformed"));
}

TEST(Observer, AServerThatClosesOwesItsReplies) {
  const auto seen = Observed()
                        .open()
                        .client(query_abc)
                        .tell(Record::Kind::finished, Side::server)
                        .tell(Record::Kind::closed)
                        .end();
  EXPECT_THAT(titles(seen), ElementsAre("server: unanswered"));
}

TEST(Observer, AClientThatDoesNotWaitIsNoViolation) {
  const auto seen = Observed()
                        .open()
                        .client(query_abc)
                        .tell(Record::Kind::finished, Side::client)
                        .tell(Record::Kind::closed)
                        .end();
  EXPECT_THAT(titles(seen), IsEmpty());
  EXPECT_EQ(seen.consequences, 1U);
}

TEST(Observer, TheEndOfTheObservationIsNoViolation) {
  EXPECT_THAT(titles(Observed().open().client(query_abc).end()), IsEmpty());
  EXPECT_THAT(titles(Observed().open().client("0203").end()), IsEmpty());
}

TEST(Observer, AfterAGapNothingIsClaimed) {
  const auto seen = Observed()
                        .open()
                        .client(query_abc)
                        .server(found_abc)
                        .tell(Record::Kind::missed, Side::client, 500)
                        .server("070707")
                        .client("ee")
                        .server("01")
                        .client("ee")
                        .tell(Record::Kind::finished, Side::server)
                        .tell(Record::Kind::closed)
                        .end();
  EXPECT_THAT(titles(seen), IsEmpty());
  EXPECT_EQ(seen.requests, 1U);
}

TEST(Observer, AConnectionOfWhichTheBeginningWasMissedClaimsNothing) {
  const auto seen = Observed().open(1, false).server("07").client("ee").end();
  EXPECT_THAT(titles(seen), IsEmpty());
}

TEST(Observer, AnswersOfDatagramsArePairedByTheirIds) {
  const auto seen = Observed(protocol::ratelimit_udp, Width::none)
                        .open()
                        .says(Side::client, "1 ping")
                        .says(Side::client, "2 ping")
                        .says(Side::server, "2 pong")
                        .says(Side::server, "1 pong")
                        .end();
  EXPECT_EQ(seen.replies, 2U);
  EXPECT_THAT(titles(seen), IsEmpty());
}

TEST(Observer, ADatagramWithoutAReplyIsGivenUpInTime) {
  Observed observed(protocol::ratelimit_udp, Width::none);
  observed.open().says(Side::client, "1 ping");
  observed.idle(std::chrono::seconds(5));
  observed.idle(std::chrono::seconds(20));
  EXPECT_THAT(titles(observed.end()), ElementsAre("server: unanswered"));
}

TEST(Observer, TheFirstOfAKindIsToldAtOnce) {
  std::vector<std::string> told;
  ObserverOptions options;
  options.on_first = [&](const FindingGroup& group) { told.push_back(group.reason); };
  Observed observed(protocol::throttr_7_3, Width::u16, options);
  observed.open().client(query_abc).server("07");
  EXPECT_THAT(told, ElementsAre(HasSubstr("07 is neither 00 nor 01")));
}

TEST(Observer, PacketsCarryViolationsAsComments) {
  base::test::TemporaryDirectory directory;
  auto packets = pcapng::Writer::create(directory.path() / "seen.pcapng", "test");
  ASSERT_TRUE(packets);
  ObserverOptions options;
  options.packets = &*packets;
  Observed(protocol::throttr_7_3, Width::u16, options).open().client(query_abc).server("07").end();
  ASSERT_TRUE(packets->commit());
  EXPECT_THAT(directory.read("seen.pcapng"),
              HasSubstr("hallmark violation: server malformed QUERY"));
}

}  // namespace
}  // namespace hallmark::observe
