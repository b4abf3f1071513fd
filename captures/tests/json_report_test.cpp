#include "captures/json_report.hpp"

#include <gmock/gmock.h>
#include <pcap/dlt.h>

#include "base/tests/parsed.hpp"
#include "captures/datagram_sequence.hpp"
#include "captures/sequence.hpp"
#include "captures/tests/packets.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::captures {
namespace {

using base::Json;
using base::test::parsed;
using testing::ElementsAre;
using testing::IsEmpty;

class Written : public testing::Test {
 protected:
  Written() { report_.begin({"a.pcap", InputFormat::capture, true, "deployed", {"whoami=id"}}); }

  Sink sink() {
    return [this](const Event& event) {
      tally_.add(event);
      report_.add(event);
    };
  }
  Json end(const CaptureSummary* capture = nullptr) {
    report_.end(tally_, capture, tally_.clean() ? 0 : 1);
    return parsed(text_);
  }

  std::string text_;
  Tally tally_;
  JsonReport report_{deployed(), [this](std::string_view text) { text_ += text; }};
};

TEST_F(Written, NothingIsStillADocument) {
  const Json document = end();
  EXPECT_EQ(document["format"], "hallmark-transcript");
  EXPECT_EQ(document["format_version"], 1);
  EXPECT_EQ(document["dialect"], "throttr-7.1");
  EXPECT_EQ(document["width"], "u16");
  EXPECT_EQ(document["profile"], "deployed");
  EXPECT_EQ(document["readings"], Json::array({"whoami=id"}));
  EXPECT_EQ(document["input"], Json({{"name", "a.pcap"}, {"format", "pcap"}, {"detected", true}}));
  EXPECT_THAT(document["events"], IsEmpty());
  EXPECT_EQ(document["exit_code"], 1);
}

TEST_F(Written, ASession) {
  Session session;
  session.handshake().client("0203616263").server("010700045900").farewell();
  const auto summary = opened(capture_file(Container::pcap, DLT_EN10MB, session.frames()))
                           .decode(deployed(), {}, sink());
  const Json document = end(&summary);
  const Json& events = document["events"];
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0], Json({{"connection", 1},
                             {"event", "opened"},
                             {"client", "10.0.0.1:40000"},
                             {"server", "10.0.0.2:9000"},
                             {"at_ns", 0},
                             {"told_apart_by", "handshake"},
                             {"guessed", false},
                             {"from_beginning", true}}));
  EXPECT_EQ(events[1]["event"], "request");
  EXPECT_EQ(events[1]["number"], 1);
  EXPECT_EQ(events[1]["message"], "QUERY");
  EXPECT_EQ(events[1]["hex"], "0203616263");
  EXPECT_EQ(events[1]["at_ns"], 3'000'000);
  EXPECT_EQ(events[2]["event"], "reply");
  EXPECT_EQ(events[2]["latency_ns"], 1'000'000);
  EXPECT_EQ(events[2]["guessed"], false);
  EXPECT_EQ(
      events[2]["fields"][1],
      Json({{"path", "quota"}, {"offset", 1}, {"length", 2}, {"meaning", "7"}, {"number", 7}}));
  EXPECT_EQ(events[3]["how"], "the client closed the connection");
  EXPECT_EQ(document["summary"], Json({{"connections", 1},
                                       {"requests", 1},
                                       {"replies", 1},
                                       {"pushes", 0},
                                       {"faults", 0},
                                       {"findings", Json::object()}}));
  EXPECT_EQ(document["capture"]["link_type"], "EN10MB");
  EXPECT_EQ(document["exit_code"], 0);
}

TEST_F(Written, FieldsOfListsAreThereToTheLast) {
  decode_replies(deployed(), {protocol::find_operation(protocol::throttr_7_1, "CHANNELS")},
                 hex("01 0100000000000000 0100000000000000 0100000000000000"
                     "04 0100000000000000 0200000000000000 ffffffffffffffff 6e657773"),
                 sink());
  const Json fields = end()["events"][0]["fields"];
  EXPECT_EQ(fields[7]["path"], "fragments[0].channels[0].subscribed_connections");
  EXPECT_EQ(fields[7]["number"], "18446744073709551615") << "beyond 53 bits it is text";
  EXPECT_EQ(fields[8]["path"], "fragments[0].channels[0].channel");
  EXPECT_FALSE(fields[8].contains("number"));
}

TEST_F(Written, Findings) {
  decode_dialogue(deployed(), *parse_directed_hex("> 0203616263 13010000 6e\n< 0107"), sink());
  const Json events = end()["events"];
  EXPECT_EQ(events[1]["event"], "finding");
  EXPECT_EQ(events[1]["kind"], "truncated");
  EXPECT_EQ(events[1]["fault"], true);
  EXPECT_EQ(events[1]["side"], "server");
  EXPECT_EQ(events[1]["number"], 1);
  EXPECT_EQ(events[1]["message"], "QUERY");
  EXPECT_EQ(events[1]["hex"], "0107");
  EXPECT_EQ(events[1]["fields"].items().back()["meaning"],
            "ends here; at least 3 bytes were expected");
  EXPECT_EQ(events[2]["answered_under"],
            Json({{"reading", "publish-reply"}, {"answer", "status"}}));
}

TEST_F(Written, WhatServersSendCannotBreakIt) {
  decode_pushes(deployed(), nullptr, hex("030400 22 5c 0a ff"), sink());
  EXPECT_EQ(end()["events"][0]["fields"][2]["meaning"], "225c0aff");
}

TEST_F(Written, NumbersAreThoseOfTheirFieldsWhereATagIsAbsent) {
  JsonReport report(limiter(), [this](std::string_view text) { text_ += text; });
  text_.clear();
  report.begin({"words", InputFormat::text, true, "deployed", {}});
  decode_datagrams(limiter(), {}, {{std::nullopt, base::to_bytes("ok N 1.4 22.0 20")}},
                   [&](const Event& event) { report.add(event); });
  report.end(tally_, nullptr, 0);
  const Json fields = parsed(text_)["events"][0]["fields"];
  EXPECT_EQ(fields[1]["path"], "over");
  EXPECT_EQ(fields[1]["number"], 78);
  EXPECT_EQ(fields.items().back()["path"], "period");
  EXPECT_EQ(fields.items().back()["number"], 20);
}

}  // namespace
}  // namespace hallmark::captures
