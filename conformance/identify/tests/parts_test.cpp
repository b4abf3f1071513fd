#include <gmock/gmock.h>

#include "conformance/identify/candidate.hpp"
#include "conformance/identify/clue.hpp"
#include "conformance/identify/line.hpp"
#include "conformance/identify/stranger.hpp"
#include "conformance/identify/tests/fake_throttr.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/dialects.hpp"

/// The parts that identification is made of, each by itself.
namespace hallmark::conformance::testing {
namespace {

using base::Bytes;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

auto are(std::initializer_list<protocol::ReadingName> names) { return ElementsAreArray(names); }

constexpr Time until = 2'000'000'000;

TEST(InHex, CutsWhatIsLongAndNamesWhatIsNothing) {
  EXPECT_EQ(in_hex({}), "nothing");
  EXPECT_EQ(in_hex(Bytes{1, 0x5f}), "01 5f");
  EXPECT_THAT(in_hex(Bytes(25, 7)), HasSubstr("07 07 … (25 bytes)"));
}

struct Served {
  Served() : server(Width::u16, Readings(protocol::throttr_7_1, Profile::deployed)) {}
  FakeThrottr server;
  TestNetwork network{server};
  WireFormat format{Width::u16, Readings(protocol::throttr_6_0, Profile::deployed)};
  Fence fence{format, "fence"};
  Line line{network, until};
};

TEST(Line, GivesWhatStandsBeforeTheFence) {
  Served served;
  const Heard heard = served.line.ask(Bytes{0x18}, served.fence);
  EXPECT_EQ(heard.ending, Ending::fenced);
  EXPECT_EQ(heard.bytes.size(), 17U);
  EXPECT_TRUE(served.line.ask({}, served.fence).bytes.empty());
  EXPECT_EQ(served.server.records(), 0U);
}

TEST(Line, OpensAnotherConnectionWhereOneWasClosed) {
  Served served;
  EXPECT_EQ(served.line.ask(Bytes{0xff}, served.fence).ending, Ending::closed);
  EXPECT_EQ(served.line.ask(Bytes{0x18}, served.fence).ending, Ending::fenced);
  EXPECT_EQ(served.network.connections(), 2U);
}

TEST(Line, EndsAtTheDeadlineAndAtTooManyBytes) {
  Stranger silent([](base::ByteView) { return Stranger::Answer{}; });
  TestNetwork quiet(silent);
  const WireFormat format(Width::u16, Readings(protocol::throttr_6_0, Profile::deployed));
  Fence fence(format, "fence");
  EXPECT_EQ(Line(quiet, until).ask({}, fence).ending, Ending::silent);
  EXPECT_EQ(quiet.now(), until);
  Stranger loud([](base::ByteView) {
    return Stranger::Answer{Bytes(Line::most_bytes, 'x'), false};
  });
  TestNetwork noisy(loud);
  EXPECT_EQ(Line(noisy, until).ask({}, fence).ending, Ending::endless);
  quiet.refuse();
  EXPECT_EQ(Line(quiet, until).ask({}, fence).ending, Ending::closed);
  EXPECT_EQ(Line(quiet, until).open().error(), "cannot connect: refused");
}

TEST(Stranger, IsDescribedByWhatItSaid) {
  const Bytes sent{0x02, 0x03, 'a'};
  EXPECT_EQ(describe_stranger("a QUERY", sent, {}, Ending::silent),
            "it said nothing to a QUERY within the deadline");
  EXPECT_EQ(describe_stranger("a QUERY", sent, {}, Ending::closed),
            "it closed the connection without a byte after a QUERY");
  EXPECT_EQ(describe_stranger("a QUERY", sent, sent, std::nullopt),
            "it answered a QUERY with 02 03 61, as echo servers do");
  EXPECT_EQ(describe_stranger("a QUERY", sent, Bytes{1}, Ending::silent),
            "it answered a QUERY with 01, and then nothing within the deadline");
  EXPECT_EQ(describe_stranger("a QUERY", sent, base::to_bytes("SSH-2.0-x\r\n"), std::nullopt),
            "it answered a QUERY with 53 53 48 2d 32 2e 30 2d 78 0d 0a \"SSH-2.0-x\", as SSH "
            "servers do");
}

TEST(Candidate, IsNarrowedByMessagesThatFitSomeAnswersOnly) {
  Candidate candidate(protocol::throttr_7_1, Width::u16);
  EXPECT_TRUE(candidate.told("whoami").empty());
  const Bytes id(16, 0xab);
  EXPECT_TRUE(candidate.narrow({.operation = "WHOAMI", .bytes = id}));
  EXPECT_EQ(candidate.told("whoami"), protocol::AnswerName("id"));
  EXPECT_EQ(candidate.told("status-prefix"), protocol::AnswerName("no"));
  EXPECT_TRUE(candidate.readings().reads({"status-prefix", "no"}));
  // It is known from now on that there is no status.
  Bytes with_status{1};
  with_status.insert(with_status.end(), id.begin(), id.end());
  EXPECT_FALSE(candidate.narrow({.operation = "WHOAMI", .bytes = with_status}));
  EXPECT_EQ(candidate.told("status-prefix"), protocol::AnswerName("no"));
}

TEST(Candidate, FitsNothingThatItsDialectDoesNotHave) {
  Candidate candidate(protocol::throttr_6_0, Width::u16);
  EXPECT_FALSE(candidate.has("WHOAMI"));
  const Bytes id(16, 0xab);
  EXPECT_FALSE(candidate.narrow({.operation = "WHOAMI", .bytes = id}));
  EXPECT_FALSE(candidate.narrow({.what = Seen::What::push, .bytes = id}));
  EXPECT_TRUE(candidate.shown_by({.operation = "WHOAMI"}).empty());
  EXPECT_THAT(candidate.shown_by({.operation = "LIST"}),
              are({"fragments", "list-bytes-used", "status-prefix"}));
}

TEST(Candidate, TakesNoAnswerForOneWhereNoneIsDue) {
  Candidate candidate(protocol::throttr_7_1, Width::u16);
  EXPECT_TRUE(candidate.narrow({.operation = "PUBLISH", .bytes = {}}));
  EXPECT_EQ(candidate.told("publish-reply"), protocol::AnswerName("none"));
  EXPECT_FALSE(candidate.narrow({.operation = "WHOAMI", .bytes = {}}));
}

TEST(Candidate, TakesTheBeginningOfAMessageThatIsTooLong) {
  Candidate candidate(protocol::throttr_6_0, Width::u16);
  // A status, a million fragments, and the first of them announced.
  const Bytes beginning{1, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0, 1, 0, 0, 0};
  EXPECT_FALSE(candidate.narrow({.operation = "LIST", .bytes = beginning}));
  EXPECT_TRUE(candidate.narrow({.operation = "LIST", .bytes = beginning, .whole = false}));
}

TEST(ReadingsOfLayouts, AreThoseThatFieldsAndMessagesDependOn) {
  EXPECT_THAT(readings_of_layouts(protocol::throttr_7_3), are({"fragments", "ip-field"}));
  EXPECT_THAT(readings_of_layouts(protocol::throttr_6_0),
              are({"fragments", "list-bytes-used", "set-value-size", "status-prefix"}));
  EXPECT_TRUE(readings_of_layouts(protocol::throttr_2_0).empty());
}

struct Address {
  std::string name;
  std::string bytes;
  bool text;
  bool raw;
};

class AddressForm : public ::testing::TestWithParam<Address> {};

TEST_P(AddressForm, IsToldByItsBytes) {
  Readings readings(protocol::throttr_7_1, Profile::deployed);
  protocol::Record values{{"id", Bytes(16)}, {"status", std::uint64_t{1}}};
  for (const protocol::Field& field :
       protocol::find_operation(protocol::throttr_7_1, "CONNECTION")->reply.on_success) {
    if (field.numeric())
      values.set(field.name, std::uint64_t{field.name == "ip_version" ? 4U : 0U});
  }
  Bytes ip = base::to_bytes(GetParam().bytes);
  ip.resize(16);
  values.set("ip", ip);
  for (const char* const form : {"text", "raw"}) {
    ASSERT_TRUE(readings.set("ip-field", form));
    const auto layout = protocol::Layout::reply(
        *protocol::find_operation(protocol::throttr_7_1, "CONNECTION"), Width::u16, readings);
    const Bytes message = *protocol::encode(layout, values);
    protocol::Decoder decoder(layout);
    ASSERT_EQ(decoder.resume(message), protocol::Decoder::State::complete);
    EXPECT_EQ(fits_meaning({decoder, message}, readings),
              std::string_view(form) == "text" ? GetParam().text : GetParam().raw)
        << form;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, AddressForm,
    ::testing::Values(Address{"Text4", "127.0.0.1", true, false},
                      Address{"Text6", "::1", true, false},
                      Address{"LongText6", "fe80:0000:0000:0", true, false},
                      Address{"Raw4", "\x7f\x01\x02\x03", false, true},
                      Address{"Raw4ThatLooksLikeText", "1.1.", false, true},
                      Address{"Raw6", "\xfe\x80\x01\x02\x03\x04\x05\x06\x07\x08", false, true},
                      Address{"None", "", true, true}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace hallmark::conformance::testing
