
#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// A session of throttr-7.1.
const std::string session = places::source("captures/tests/data/ethernet-ipv4.pcap");
const std::string of_session = "--dialect throttr-7.1";

class Decode : public EndToEnd {
 protected:
  Outcome decode(Arguments arguments) const {
    arguments.insert(arguments.begin(), "decode");
    return hallmark(arguments);
  }

  /// `hallmark decode` with a file as its standard input.
  Outcome decode_from(const std::string& input, const std::string& arguments) const {
    return run({"/bin/sh", "-c", places::program() + " decode " + arguments + " < " + input},
               directory_.string());
  }

  std::string invalid(const std::string& name) const {
    return violations("../../captures/schema/transcript.schema.json", name);
  }
};

TEST_F(Decode, BytesOfTheCommandLine) {
  const auto outcome = decode({"02", "03", "61", "62", "63"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "command line: taken for hex; throttr-7.3 u16, profile deployed\n"
            "\n"
            "#1 QUERY request, 5 bytes at 0\n"
            "     0  02      opcode    QUERY\n"
            "     1  03      key_size  3 = size of key\n"
            "     2  616263  key       \"abc\"\n"
            "\n"
            "DECODED  1 request, 0 replies\n");
}

TEST_F(Decode, FilesOfEveryFormat) {
  write("hex", "0203616263");
  write("base64", "AgNhYmM=");
  write("binary", std::string("\x02\x03") + "abc");
  for (const char* format : {"hex", "base64", "binary"}) {
    const auto outcome = decode({format});
    EXPECT_EQ(outcome.exit_code, 0) << format;
    EXPECT_THAT(outcome.out, StartsWith(std::string(format) + ": taken for " + format + ";"));
    EXPECT_THAT(outcome.out, HasSubstr("#1 QUERY request"));
    EXPECT_EQ(decode({format, "--format", format}).exit_code, 0);
    EXPECT_THAT(decode_from(format, "").out, StartsWith("standard input: taken for "));
    EXPECT_THAT(decode_from(format, "-").out, HasSubstr("#1 QUERY request"));
  }
}

TEST_F(Decode, ACaptureFromAFileOrAPipe) {
  for (const auto& outcome :
       {decode({session, "--dialect", "throttr-7.1"}), decode_from(session, of_session),
        run({"/bin/sh", "-c",
             "cat " + session + " | " + places::program() + " decode " + of_session},
            directory_.string())}) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("taken for pcap; throttr-7.1 u16"));
    EXPECT_THAT(outcome.out, HasSubstr("c1 #2 QUERY reply, 6 bytes at 1, "));
    EXPECT_THAT(outcome.out, HasSubstr("c2 DELIVERY push, 8 bytes at 1, "));
    EXPECT_THAT(outcome.out, EndsWith("DECODED  11 requests, 10 replies, 1 push, 2 connections\n"));
  }
}

TEST_F(Decode, ACaptureThatBreaksOffIsAFailure) {
  const std::string whole = read(session);
  write("cut.pcap", whole.substr(0, whole.size() - 10));
  const auto outcome = decode({"cut.pcap"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("! damaged: the capture breaks off: "));
  EXPECT_THAT(outcome.out, HasSubstr("c1 #2 QUERY reply"));
}

TEST_F(Decode, APortThatNobodyUsesDecodesNothing) {
  const auto outcome = decode({session, "--port", "9"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("left out with other ports: 40\n"));
  EXPECT_THAT(outcome.out, HasSubstr("NOTHING  0 requests"));
}

TEST_F(Decode, RepliesAndPushes) {
  const auto replies =
      decode({"--as", "reply", "--operation", "insert", "--operation", "QUERY", "01 010700045900"});
  EXPECT_EQ(replies.exit_code, 0) << replies.err;
  EXPECT_THAT(replies.out, HasSubstr("#2 QUERY reply, 6 bytes at 1\n"));
  const auto pushes = decode({"--as", "push", "--operation", "event", "190102006e6869"});
  EXPECT_EQ(pushes.exit_code, 0) << pushes.err;
  EXPECT_THAT(pushes.out, HasSubstr("EVENT push, 7 bytes at 0\n"));
}

TEST_F(Decode, ADialogue) {
  const auto outcome = decode({"> 0203616263", "< 010700045900"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("#1 QUERY reply, 6 bytes at 0\n"));
}

TEST_F(Decode, WidthProfileAndReadingsAreHeeded) {
  EXPECT_EQ(decode({"--width", "u32", "010700000004 5a000000 03 616263"}).exit_code, 0);
  const Arguments list = {"--dialect", "throttr-7.1",     "--as", "reply", "--operation",
                          "LIST",      "0000000000000000"};
  EXPECT_EQ(decode(list).exit_code, 1);
  auto literal = list;
  literal.insert(literal.end(), {"--profile", "literal"});
  EXPECT_EQ(decode(literal).exit_code, 0);
  auto pinned = list;
  pinned.insert(pinned.end(), {"--reading", "status-prefix=no"});
  EXPECT_EQ(decode(pinned).exit_code, 0);
  EXPECT_THAT(decode(pinned).out, HasSubstr("profile deployed, status-prefix=no\n"));
}

TEST_F(Decode, WhatIsWrongIsAFailure) {
  const Arguments wrong[] = {
      {"ff"},                                               // no opcode
      {"0203"},                                             // ends early
      {"> 0203616263"},                                     // no reply
      {"> 0203616263", "< 0000"},                           // a reply too many
      {"--as", "reply", "--operation", "INSERT", "0101"}};  // something left over
  for (const auto& arguments : wrong) {
    const auto outcome = decode(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << testing::PrintToString(arguments);
    EXPECT_THAT(outcome.out, HasSubstr("FAULTS  ")) << testing::PrintToString(arguments);
  }
}

TEST_F(Decode, JsonIsAsItsSchemaSays) {
  const std::vector<Arguments> inputs = {
      {session}, {"0203616263"}, {"> 0203616263 ff", "< 0107"}, {"--as", "push", "190102006e6869"}};
  for (auto arguments : inputs) {
    arguments.emplace_back("--json");
    const auto outcome = decode(arguments);
    write("transcript.json", outcome.out);
    EXPECT_EQ(invalid("transcript.json"), "");
    EXPECT_EQ(parsed(outcome.out)["exit_code"], outcome.exit_code);
  }
}

TEST_F(Decode, JsonOfACaptureHoldsWhatWasSaid) {
  const auto document = parsed(decode({session, "--dialect", "throttr-7.1", "--json"}).out);
  EXPECT_EQ(document["summary"]["requests"], 11);
  EXPECT_EQ(document["capture"]["link_type"], "EN10MB");
  EXPECT_THAT(document["summary"]["findings"], IsEmpty());
  const auto& list = *std::ranges::find_if(document["events"].items(), [](const Json& event) {
    return event["event"] == "reply" && event["message"] == "LIST";
  });
  EXPECT_EQ(list["fields"].items().back()["meaning"], "\"buf\"");
}

TEST_F(Decode, LongListsAreShownWholeOnDemand) {
  std::string reply = "00";  // a fragment of 20 channels, each of no letters
  reply = "01 0100000000000000 0100000000000000 1400000000000000";
  for (int i = 0; i < 20; ++i) reply += "00" + std::string(48, '0');
  const Arguments channels = {"--as", "reply", "--operation", "CHANNELS", reply};
  EXPECT_THAT(decode(channels).out, HasSubstr("12 records left out"));
  auto all = channels;
  all.emplace_back("--all");
  EXPECT_THAT(decode(all).out, HasSubstr("fragments[0].channels[19].read_bytes"));
}

TEST_F(Decode, AFullDiskIsNoted) {
  const auto outcome =
      run({"/bin/sh", "-c", places::program() + " decode " + session + " > /dev/full"},
          directory_.string());
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, one_line_with({"cannot write to standard output"}));
}

TEST_F(Decode, StatesOfTheCommandLineAndOfFiles) {
  const std::string state = "12|8.5|1761884055342794596";
  const auto outcome = decode({state});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "command line: 1 string; ratelimit-state\n"
            "\n"
            "#1 token-bucket/12, 26 bytes\n"
            "    0  12|                  header       token-bucket/12\n"
            "    3  8.5                  tokens       8.5 tokens\n"
            "    7  1761884055342794596  last_refill  2025-10-31 04:14:15.342794596 UTC\n"
            "\n"
            "DECODED  1 state\n");
  write("states", "user:1\t" + state + "\nuser:2\tv2|5|17|\n12|x|17\n");
  const auto file = decode({"--dialect", "ratelimit-state", "states"});
  EXPECT_EQ(file.exit_code, 1);
  EXPECT_THAT(file.out, HasSubstr("#1 user:1, token-bucket/12"));
  EXPECT_THAT(file.out, HasSubstr("or leaky-bucket/v2, historic"));
  EXPECT_THAT(file.out, EndsWith("DECODED  2 states, 1 malformed\n"));
  EXPECT_THAT(decode({"--strategy", "leaky-bucket", "v2|5|17|"}).out,
              HasSubstr("#1 leaky-bucket/v2, historic"));
}

TEST_F(Decode, StatesAsJsonKeepToTheirSchema) {
  const auto outcome =
      decode({"--json", "12|8.5|17", "v2|5|17|", "51|12|5.0|17$42|18", "12|x", "{\"Tokens\":5}|"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  write("states.json", outcome.out);
  EXPECT_EQ(violations("../../captures/schema/states.schema.json", "states.json"), "");
  EXPECT_EQ(parsed(outcome.out)["malformed"], 2);
}

TEST_F(Decode, ADatagramOfTheCommandLine) {
  const auto outcome = decode({"17 over_limit ws ip=10.0.0.1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "command line: taken for text; ratelimit-udp, profile deployed\n"
            "\n"
            "#1 over_limit request, 28 bytes at 0\n"
            "     0  313720                        request_id   \"17\"\n"
            "     3  6f7665725f6c696d697420        over_limit   \"over_limit \"\n"
            "    14  77732069703d31302e302e302e31  key          \"ws ip=10.0.0.1\"\n"
            "\n"
            "DECODED  1 request, 0 replies\n");
}

TEST_F(Decode, DatagramsOfEveryFormat) {
  const std::string dialect = "--dialect";
  const std::string name = "ratelimit-udp";
  write("text", "17 ping\n");
  write("hex", "31 37 20 70 69 6e 67\n");
  write("binary", std::string("over_limit \x01\xff", 13));
  for (const char* file : {"text", "hex", "binary"}) {
    const auto outcome = decode({dialect, name, file});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith(std::string(file) + ": taken for " + file + "; "));
    EXPECT_THAT(decode_from(file, "--dialect ratelimit-udp").out, HasSubstr("#1 "));
  }
  EXPECT_THAT(decode({dialect, name, "31", "37", "20", "706f6e67"}).out,
              HasSubstr("#1 ping reply, 7 bytes at 0"));
  EXPECT_THAT(decode({dialect, name, "--format", "base64", "cGluZw=="}).out,
              HasSubstr("#1 ping request, 4 bytes at 0"));
}

TEST_F(Decode, DatagramsArePairedByTheirIds) {
  const auto outcome = decode({"> 1 over_limit k", "> 2 ping", "< 2 pong", "< 1 ok N 1.4 22.0 20"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("#1 over_limit reply, 18 bytes at 6\n"));
  EXPECT_THAT(outcome.out, EndsWith("DECODED  2 requests, 2 replies\n"));
}

TEST_F(Decode, WhatIsWrongWithADatagramIsNamed) {
  const std::pair<Arguments, std::string> rows[] = {
      {{"--dialect", "ratelimit-udp", "1 PING"}, "\"PING\" is not a command"},
      {{"--as", "reply", "--dialect", "ratelimit-udp", "ok N 1 22.0 20"}, "rate at byte 5"},
      {{"> 1 ping"}, "! unanswered: no reply came before the input ends"},
      {{"ok Y 1.4 22.0 20"}, "! contradictory"},
      {{"> 1 get_stats a", "< 1 n_req=0 n_over=0 last_max_rate=0 key=b"}, "! mismatched"}};
  for (const auto& [arguments, part] : rows) {
    const auto outcome = decode(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(part));
    EXPECT_THAT(outcome.out, HasSubstr("FAULTS  "));
  }
}

TEST_F(Decode, DatagramsAsJsonKeepToTheSchema) {
  for (Arguments arguments :
       {Arguments{"> 1 ping", "< 1 pong", "< 1 pong"},
        Arguments{"--dialect", "ratelimit-udp", "PING"}, Arguments{"ok Y 1.4 22.0 20"}}) {
    arguments.emplace_back("--json");
    const auto outcome = decode(arguments);
    write("transcript.json", outcome.out);
    EXPECT_EQ(invalid("transcript.json"), "");
    EXPECT_EQ(parsed(outcome.out)["exit_code"], 1);
    EXPECT_EQ(parsed(outcome.out)["dialect"], "ratelimit-udp");
  }
}

struct DecodeRefusal {
  const char* name;
  Arguments arguments;
  std::string line;
};

void PrintTo(const DecodeRefusal& refusal, std::ostream* out) { *out << refusal.name; }

class DecodeRefused : public EndToEnd, public testing::WithParamInterface<DecodeRefusal> {};

TEST_P(DecodeRefused, OneLineThatSaysWhatCameAndWhatIsAllowed) {
  Arguments arguments = GetParam().arguments;
  arguments.insert(arguments.begin(), "decode");
  const auto outcome = hallmark(arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, one_line_with({GetParam().line}));
  EXPECT_THAT(outcome.err, StartsWith("hallmark decode: "));
}

const DecodeRefusal decode_refusals[] = {
    {"Nothing", {}, "standard input: no bytes in it"},
    {"NoFile",
     {"session.pcpa"},
     "'session.pcpa' is no file, and neither hex nor base64 (not hex: 's' is no hexadecimal digit "
     "in line 1); --format binary takes it as it is"},
    {"HalfAByte", {"02 3"}, "'02 3' is no file, and not hex: '3' is half a byte in line 1"},
    {"Directory", {"/"}, "cannot read /: Is a directory"},
    {"NoCapture", {"--format", "pcap", "/dev/null"}, "/dev/null: not a capture that libpcap reads"},
    {"Dialect", {"--dialect", "redis", "02"}, "unknown dialect 'redis'; allowed: "},
    {"Width", {"--width", "u24", "02"}, "unknown width 'u24'; allowed: u8, u16, u32, u64"},
    {"Profile", {"--profile", "lax", "02"}, "unknown profile 'lax'; allowed: "},
    {"Reading", {"--reading", "weather=fine", "02"}, "weather"},
    {"Operation", {"--operation", "INCR", "02"}, "unknown operation 'INCR'; allowed: INSERT, "},
    {"Push", {"--as", "push", "--operation", "NEWS", "03"}, "unknown push 'NEWS'; allowed: EVENT"},
    {"As", {"--as", "answer", "02"}, "--as answer; allowed: request, reply, push"},
    {"ReplyToWhat",
     {"--as", "reply", "01"},
     "--as reply needs --operation: what was asked, once for each reply"},
    {"Format", {"--format", "octal", "02"}, "--format octal; allowed: auto, hex, base64, binary, "},
    {"Port", {"--port", "70000", "02"}, "--port"},
    {"PortOfNoCapture", {"--port", "9000", "02"}, "--port is for captures; command line is hex"},
    {"OfStates",
     {"--as", "reply", "12|1|1"},
     "--as, --operation, --port and --format are for bytes"},
    {"Strategy",
     {"--strategy", "sliding", "12|1|1"},
     "--strategy sliding; allowed: token-bucket, "},
    {"Of", {"--of", "gcra", "51|1"}, "--of; allowed: two strategies"},
    {"StrategyOfBytes", {"--strategy", "gcra", "02"}, "--strategy and --of are for --dialect"},
    {"PushOfDatagrams",
     {"--dialect", "ratelimit-udp", "--as", "push", "ping"},
     "--as push; allowed for ratelimit-udp: request, reply"},
    {"OperationOfARequest",
     {"--dialect", "ratelimit-udp", "--operation", "ping", "ping"},
     "--operation is for --as reply: requests name their commands"},
    {"TextOfBytes", {"--format", "text", "02"}, "--format text; allowed: auto, hex, base64, "},
    {"AsOfADialogue",
     {"--as", "push", "> 02"},
     "--as and --operation are for bytes of one side; command line has both"}};

INSTANTIATE_TEST_SUITE_P(Rows, DecodeRefused, testing::ValuesIn(decode_refusals),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hallmark::e2e
