#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "reference/protocol/decode.hpp"
#include "reference/protocol/dialects/throttr_7_1.hpp"
#include "reference/protocol/encode.hpp"

// What released servers sent decodes, and encodes again from the decoded values alone to the same
// bytes.
namespace hallmark::protocol {
namespace {

struct Capture {
  const char* name;
  const char* file;
  std::size_t exchanges;
};

class Captured : public ::testing::TestWithParam<Capture> {
 protected:
  static std::vector<nlohmann::json> lines() {
    std::ifstream in(std::string(HALLMARK_SOURCE_DIR "/vectors/captured/") + GetParam().file);
    std::vector<nlohmann::json> all;
    for (std::string line; std::getline(in, line);) all.push_back(nlohmann::json::parse(line));
    return all;
  }
};

void expect_round_trip(const Layout& layout, const std::string& hex, const std::string& note) {
  const Bytes bytes = *from_hex(hex);
  const auto values = decode(layout, bytes);
  ASSERT_TRUE(values.has_value()) << note << ": " << values.error().field << " at "
                                  << values.error().offset << ": " << values.error().reason;
  EXPECT_EQ(to_hex(encode(layout, *values).value()), hex) << note;
}

TEST_P(Captured, RoundTrips) {
  const Readings readings(throttr_7_1, Profile::deployed);
  const auto exchanges = lines();
  ASSERT_EQ(exchanges.size(), GetParam().exchanges);
  for (const auto& exchange : exchanges) {
    const auto width = static_cast<Width>(exchange["value_width"].get<int>());
    const std::string op = exchange["op"];
    const std::string note = op + ", " + exchange["note"].get<std::string>();
    const std::string response = exchange["response"];
    if (op == "(delivery)") {
      expect_round_trip(Layout::push(throttr_7_1.pushes[0], width, readings), response, note);
      continue;
    }
    const Operation* const operation = find_operation(throttr_7_1, std::string_view(op));
    ASSERT_NE(operation, nullptr) << note;
    expect_round_trip(Layout::request(*operation, width, readings), exchange["request"], note);
    const Layout reply = Layout::reply(*operation, width, readings);
    EXPECT_EQ(reply.sent(), !response.empty()) << note;
    if (reply.sent()) expect_round_trip(reply, response, note);
  }
}

TEST_P(Captured, ShowsEveryOperation) {
  std::map<std::string, int> seen;
  for (const auto& exchange : lines()) ++seen[exchange["op"]];
  for (const Operation& operation : throttr_7_1.operations) {
    // The build between releases was not asked to end a subscription.
    const bool excepted =
        operation.name == "UNSUBSCRIBE" && std::string(GetParam().name) == "adbdb7d";
    EXPECT_EQ(seen.contains(std::string(operation.name)), !excepted) << operation.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Throttr71, Captured,
                         ::testing::Values(Capture{"v5_0_3", "throttr-5.0.3-u16.jsonl", 34},
                                           Capture{"adbdb7d", "throttr-adbdb7d-u16.jsonl", 32}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace hallmark::protocol
