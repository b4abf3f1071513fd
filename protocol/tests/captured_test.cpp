#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "base/hex.hpp"
#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/dialects.hpp"

// Everything that released servers sent decodes. The decoded values alone encode to the same bytes
// again.
namespace hallmark::protocol {
namespace {

struct Capture {
  const char* name;
  const char* file;
  std::size_t exchanges;
  const Dialect& dialect;
  /// Asked for the operations that this one has, where it is given.
  const Dialect* older = nullptr;
  /// The operations that the server was not asked for.
  std::set<std::string_view> missing = {};
};

const Capture captures[] = {
    {"v3_0_0", "throttr-3.0.0.jsonl", 16, throttr_2_0},
    // A build between releases: its operations of 6.0 are as 6.0 says, the others as 7.1 does.
    {"adbdb7d", "throttr-adbdb7d-u16.jsonl", 32, throttr_7_1, &throttr_6_0, {"UNSUBSCRIBE"}},
    {"v5_0_3", "throttr-5.0.3-u16.jsonl", 34, throttr_7_1},
    {"v5_0_11_u8", "throttr-5.0.11-u8.jsonl", 34, throttr_7_3},
    {"v5_0_11_u16", "throttr-5.0.11-u16.jsonl", 35, throttr_7_3},
};

std::vector<base::Json> lines_of(const Capture& capture) {
  std::ifstream in(places::source("vectors/captured/") + capture.file);
  std::vector<base::Json> all;
  for (std::string line; std::getline(in, line);) all.push_back(base::test::parsed(line));
  return all;
}

/// One exchange, with what is needed to read it.
struct Exchange {
  std::string op, note, request, response;
  Width width;
  Readings readings;

  Exchange(const Capture& capture, const base::Json& line)
      : op(line["op"].string()),
        note(op + ", " + line["note"].string()),
        request(line["request"].string()),
        response(line["response"].string()),
        width(static_cast<Width>(line["value_width"].natural())),
        readings(dialect_of(capture, op), Profile::deployed) {}

  bool delivery() const { return op == "(delivery)"; }
  const Operation& operation() const { return *find_operation_called(readings.dialect(), op); }
  Layout request_layout() const { return Layout::request(operation(), width, readings); }
  Layout reply_layout() const {
    return delivery() ? Layout::push(readings.dialect().pushes[0], width, readings)
                      : Layout::reply(operation(), width, readings);
  }

 private:
  static const Dialect& dialect_of(const Capture& capture, const std::string& op) {
    const bool is_older =
        capture.older != nullptr && find_operation_called(*capture.older, op) != nullptr;
    return is_older ? *capture.older : capture.dialect;
  }
};

void expect_round_trip(const Layout& layout, const std::string& hex, const std::string& note) {
  const base::Bytes bytes = *base::from_hex(hex);
  const auto values = decode(layout, bytes);
  ASSERT_TRUE(values.has_value()) << note << ": " << values.error().field << " at "
                                  << values.error().offset << ": " << values.error().reason;
  EXPECT_EQ(base::to_hex(encode(layout, *values).value()), hex) << note;
}

class Captured : public ::testing::TestWithParam<Capture> {};

TEST_P(Captured, RoundTrips) {
  const auto lines = lines_of(GetParam());
  ASSERT_EQ(lines.size(), GetParam().exchanges);
  for (const auto& line : lines) {
    const Exchange exchange(GetParam(), line);
    if (!exchange.delivery()) {
      expect_round_trip(exchange.request_layout(), exchange.request, exchange.note);
    }
    const Layout reply = exchange.reply_layout();
    EXPECT_EQ(reply.sent(), !exchange.response.empty()) << exchange.note;
    if (reply.sent()) expect_round_trip(reply, exchange.response, exchange.note);
  }
}

TEST_P(Captured, ShowsEveryOperation) {
  std::set<std::string> seen;
  for (const auto& line : lines_of(GetParam())) seen.insert(line["op"].string());
  for (const Operation& operation : GetParam().dialect.operations) {
    const bool excepted = GetParam().missing.contains(operation.name);
    EXPECT_EQ(seen.contains(std::string(operation.name)), !excepted) << operation.name;
  }
  EXPECT_EQ(seen.contains("(delivery)"), !GetParam().dialect.pushes.empty());
}

INSTANTIATE_TEST_SUITE_P(Throttr, Captured, ::testing::ValuesIn(captures),
                         [](const auto& row) { return row.param.name; });

/// Facts about 7.3 that a table cannot state: what its servers put into the messages.
class Captured73 : public ::testing::TestWithParam<std::size_t> {
 protected:
  struct Reply {
    Exchange exchange;
    base::Bytes bytes;
    Decoder decoder;
    Reply(Exchange from, base::Bytes with)
        : exchange(std::move(from)), bytes(std::move(with)), decoder(exchange.reply_layout()) {
      decoder.resume(bytes);
    }
    MessageView view() const { return {decoder, bytes}; }
  };

  /// Replies to the operation, in the order of the capture.
  static std::vector<std::unique_ptr<Reply>> replies_to(MessageName op) {
    std::vector<std::unique_ptr<Reply>> replies;
    for (const auto& line : lines_of(captures[GetParam()])) {
      if (line["op"].string() != op) continue;
      Exchange exchange(captures[GetParam()], line);
      base::Bytes bytes = *base::from_hex(exchange.response);
      replies.push_back(std::make_unique<Reply>(std::move(exchange), std::move(bytes)));
    }
    return replies;
  }
};

TEST_P(Captured73, EveryReplyStartsWithItsStatus) {
  for (const auto& line : lines_of(captures[GetParam()])) {
    const Exchange exchange(captures[GetParam()], line);
    if (exchange.delivery()) continue;
    EXPECT_TRUE(exchange.reply_layout().message().fields.front().is<kinds::Status>())
        << exchange.note;
    const std::string status = exchange.response.substr(0, 2);
    EXPECT_TRUE(status == "00" || status == "01") << exchange.note;
  }
}

TEST_P(Captured73, ConnectionsSubscribeToTheStarAndToTheirIds) {
  const auto whoami = replies_to("WHOAMI");
  const auto channels = replies_to("CHANNELS");
  ASSERT_FALSE(whoami.empty() || channels.empty());
  const std::string id = base::to_hex(whoami[0]->view().bytes_of("id"));
  std::map<std::string, std::uint64_t> subscribers;
  channels[0]->view().for_each("channels", [&](const MessageView::Entry& entry) {
    subscribers[std::string(base::as_text(entry.bytes_of("channel")))] =
        entry.number("subscribed_connections");
  });
  EXPECT_EQ(subscribers, (std::map<std::string, std::uint64_t>{{"*", 1}, {id, 1}, {"ch", 1}}));
}

TEST_P(Captured73, ConnectionsAreClientsOverTcp) {
  for (const auto& reply : replies_to("CONNECTIONS")) {
    std::size_t entries = 0;
    reply->view().for_each("connections", [&](const MessageView::Entry& entry) {
      ++entries;
      EXPECT_EQ(entry.number("type"), 0U);
      EXPECT_EQ(entry.number("kind"), 0U);
      EXPECT_EQ(base::as_text(entry.bytes_of("ip")).substr(0, 9), "127.0.0.1");
    });
    EXPECT_EQ(entries, 2U);
  }
}

TEST_P(Captured73, InfoCountsWhatHasBeenAsked) {
  const auto info = replies_to("INFO");
  ASSERT_FALSE(info.empty());
  std::map<std::string, std::uint64_t> asked;
  for (const auto& line : lines_of(captures[GetParam()])) {
    ++asked[line["op"].string()];
    if (line["op"].string() == "INFO") break;
  }
  const MessageView view = info[0]->view();
  for (const char* name :
       {"insert", "query", "update", "set", "get", "list", "stats", "stat", "info"}) {
    std::string op(name);
    for (char& c : op) c = static_cast<char>(c - 'a' + 'A');
    EXPECT_EQ(view.number(FieldName::find("total_" + std::string(name)).value()), asked[op])
        << name;
  }
  EXPECT_EQ(view.number("total_keys"), 2U);
  EXPECT_EQ(view.number("total_counters"), 1U);
  EXPECT_EQ(view.number("total_buffers"), 1U);
  EXPECT_EQ(base::as_text(view.bytes_of("version")).substr(0, 6), "5.0.11");
}

INSTANTIATE_TEST_SUITE_P(Throttr, Captured73, ::testing::Values(3U, 4U),
                         [](const auto& row) { return captures[row.param].name; });

}  // namespace
}  // namespace hallmark::protocol
