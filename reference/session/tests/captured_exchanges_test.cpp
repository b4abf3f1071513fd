// Sends our sessions the requests that released servers once answered (vectors/captured), exchange
// by exchange. Replies are compared field by field, without what belonged to that day: times, ids,
// ports, versions. The records of a listing may come in any order and in any fragments.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/hex.hpp"
#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/codec/encode.hpp"
#include "reference/server/tests/session_harness.hpp"

namespace hallmark::server {
namespace {

using protocol::Layout;
using protocol::Record;
using protocol::Value;
using testing::SimulatedClient;
using testing::SimulatedServer;

constexpr model::Time millisecond = SimulatedServer::second / 1000;

struct Capture {
  const char* name;
  const char* file;
  const protocol::Dialect& dialect;
  protocol::Width width;
  /// Between two requests; TTLs in milliseconds show it.
  model::Time pace = 10 * millisecond;
  /// Fields that this server fills in another way than the earlier one, which the model follows.
  std::set<std::string_view> apart = {};
};

// If one connection subscribes to two channels, INFO of 5.0.11 says 2 subscriptions and 1 channel.
// If a connection published, CONNECTIONS says 0 published bytes.
const std::set<std::string_view> apart_in_5_0_11 = {"total_channels", "published_bytes"};

const Capture captures[] = {
    {"v3_0_0", "throttr-3.0.0.jsonl", protocol::throttr_2_0, protocol::Width::u64,
     50 * millisecond + millisecond / 2},
    {"adbdb7d_as_6_0", "throttr-adbdb7d-u16.jsonl", protocol::throttr_6_0, protocol::Width::u16},
    {"adbdb7d_as_7_1", "throttr-adbdb7d-u16.jsonl", protocol::throttr_7_1, protocol::Width::u16},
    {"v5_0_3", "throttr-5.0.3-u16.jsonl", protocol::throttr_7_1, protocol::Width::u16},
    {"v5_0_11_u8", "throttr-5.0.11-u8.jsonl", protocol::throttr_7_3, protocol::Width::u8,
     10 * millisecond, apart_in_5_0_11},
    {"v5_0_11_u16", "throttr-5.0.11-u16.jsonl", protocol::throttr_7_3, protocol::Width::u16,
     10 * millisecond, apart_in_5_0_11},
};

const std::set<std::string_view> of_the_day = {"timestamp",     "running_since", "time_point",
                                               "connected_at",  "subscribed_at", "id",
                                               "connection_id", "port",          "version"};

bool is_id(const std::string& name) {
  return name.size() == 32 &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// A message as text: a line for each field, and one for each record of a listing.
class Lines {
 public:
  Lines(const Layout& layout, const std::set<std::string_view>& apart)
      : layout_(layout), apart_(apart) {}

  std::vector<std::string> of(const std::string& hex) {
    if (!layout_.sent()) return {hex};
    const auto values = protocol::decode(layout_, *base::from_hex(hex));
    if (values.has_error()) return {"malformed: " + values.error().reason + " in " + hex};
    lines_.clear();
    for (const auto& [field, value] : values->fields()) {
      if (std::holds_alternative<std::vector<Record>>(value)) {
        add_group(field, value);
      } else {
        lines_.push_back(text_of(field, value));
      }
    }
    return lines_;
  }

 private:
  std::string text_of(const std::string& field, const Value& value) const {
    if (of_the_day.contains(field)) return field + " of that day";
    if (apart_.contains(field)) return field + " set apart";
    if (const auto* const number = std::get_if<std::uint64_t>(&value))
      return field + "=" + std::to_string(*number);
    const std::string text(base::as_text(std::get<base::Bytes>(value)));
    return field + "=" + (is_id(text) ? "somebody's id" : text);
  }

  std::string line_of(const Record& record) const {
    std::string line;
    for (const auto& [field, value] : record.fields()) line += text_of(field, value) + ", ";
    return line;
  }

  void add_group(const std::string& group, const Value& value) {
    const auto first = static_cast<std::ptrdiff_t>(lines_.size());
    for (const Record& record : std::get<std::vector<Record>>(value)) {
      if (group != "fragments") {
        lines_.push_back(group + ": " + line_of(record));
        continue;
      }
      for (const auto& [field, inner] : record.fields()) {
        if (field != "fragment") add_group(field, inner);
      }
    }
    std::sort(lines_.begin() + first, lines_.end());
  }

  const Layout& layout_;
  const std::set<std::string_view>& apart_;
  std::vector<std::string> lines_;
};

/// Plays a capture against a server of ours.
class Replay {
 public:
  explicit Replay(const Capture& capture)
      : capture_(capture),
        readings_(capture.dialect, protocol::Profile::deployed),
        server_({.width = capture.width, .readings = readings_}),
        client_(server_.connect()) {}

  void play(const base::Json& line) {
    const std::string op = line["op"].string();
    const auto layout = layout_of(op);
    if (!layout) return;
    const std::string note = line["note"].string();
    SCOPED_TRACE(op + ", " + note);
    server_.advance(capture_.pace);
    const std::string expected = line["response"].string();
    if (note.find("counters and a buffer: several") != std::string::npos) fill(*layout, expected);
    Lines lines(*layout, capture_.apart);
    EXPECT_EQ(lines.of(answer(op, line["request"].string())), lines.of(expected));
    ++played_;
  }

  std::size_t played() const { return played_; }

 private:
  std::optional<Layout> layout_of(const std::string& op) const {
    if (op == "(delivery)") {
      if (capture_.dialect.pushes.empty()) return std::nullopt;
      return Layout::push(capture_.dialect.pushes[0], capture_.width, readings_);
    }
    const auto* const operation = protocol::find_operation_called(capture_.dialect, op);
    if (operation == nullptr) return std::nullopt;
    return Layout::reply(*operation, capture_.width, readings_);
  }

  std::string answer(const std::string& op, std::string request) {
    if (op == "(delivery)") return SimulatedServer::take(client_);
    if (op == "PUBLISH") return server_.exchange(server_.connect(), request);
    if (op == "CONNECTION") request.replace(2, 32, base::to_hex(client_.connection->id));
    return server_.exchange(client_, request);
  }

  /// Records that the capture lists without showing how they came to be.
  void fill(const Layout& layout, const std::string& listing) {
    const auto* const insert = protocol::find_operation(capture_.dialect, "INSERT");
    protocol::Decoder decoder(layout);
    const base::Bytes bytes = *base::from_hex(listing);
    decoder.resume(bytes);
    const protocol::MessageView view(decoder, bytes);
    view.for_each("keys", [&](const protocol::MessageView::Entry& entry) {
      if (entry.number("key_type") != code(protocol::RecordKind::counter)) return;
      const auto key = entry.bytes_of("key");
      const Record values{{"quota", std::uint64_t{1}},
                          {"ttl_type", entry.number("ttl_type")},
                          {"ttl", std::uint64_t{60}},
                          {"key", base::Bytes(key.begin(), key.end())}};
      const auto request =
          protocol::encode(Layout::request(*insert, capture_.width, readings_), values);
      EXPECT_EQ(server_.exchange(client_, base::to_hex(*request)), "01");
    });
  }

  const Capture& capture_;
  protocol::Readings readings_;
  SimulatedServer server_;
  SimulatedClient& client_;
  std::size_t played_ = 0;
};

class CapturedExchanges : public ::testing::TestWithParam<Capture> {};

TEST_P(CapturedExchanges, AreAnsweredAlike) {
  std::ifstream in(places::source("vectors/captured/") + GetParam().file);
  Replay replay(GetParam());
  for (std::string line; std::getline(in, line);) replay.play(base::test::parsed(line));
  EXPECT_GT(replay.played(), 15U);
}

INSTANTIATE_TEST_SUITE_P(Throttr, CapturedExchanges, ::testing::ValuesIn(captures),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace hallmark::server
