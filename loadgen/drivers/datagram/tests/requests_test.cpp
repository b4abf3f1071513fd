#include "loadgen/drivers/datagram/requests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loadgen/drivers/datagram/tests/responder.hpp"
#include "protocol/codec/encode.hpp"

namespace hallmark::loadgen::datagram {
namespace {

constexpr std::uint64_t id = 123'456'789'012;

Requests make() {
  KeyPlan plan{.keys = 500, .patterns = {"ws ip={}/x", "ws global"}, .nonce = "007"};
  return Requests::make(deployed, "over_limit=1,get_stats=1,get_size=1,ping=1", 1,
                        Keys::make(plan).value())
      .value();
}

/// The bytes that the generic encoder makes of the same request.
base::Bytes expected(const Part& part, const std::string& key) {
  const auto& operation = *protocol::find_operation_called(deployed.dialect(), part.name);
  protocol::Record values{{"request_id", base::to_bytes(std::to_string(id))}};
  if (part.has_key) values.set("key", base::to_bytes(key));
  return protocol::encode(protocol::Layout::request(operation, protocol::Width::none, deployed),
                          values)
      .value();
}

TEST(DatagramRequests, are_what_the_encoder_makes) {
  const Requests requests = make();
  for (std::uint8_t part = 0; part < requests.parts().size(); ++part) {
    for (const std::uint32_t key : {0U, 1U, 2U, 498U}) {
      protocol::ByteBuffer out;
      const auto size = requests.append(out, part, key, id);
      const base::Bytes came{out.data(), out.data() + out.size()};
      EXPECT_EQ(size, came.size());
      EXPECT_EQ(came, expected(requests.parts()[part], requests.keys().text_of(key)));
    }
  }
}

TEST(DatagramRequests, know_the_uses_among_them) {
  const Requests requests = make();
  for (const Part& part : requests.parts()) {
    EXPECT_EQ(part.is_use, part.name == "over_limit") << part.name;
    EXPECT_EQ(part.has_key, part.name == "over_limit" || part.name == "get_stats") << part.name;
  }
}

TEST(DatagramRequests, an_id_of_ours_has_twelve_digits_and_a_space) {
  const auto id_of = [](std::string_view text) { return Requests::id_of(base::as_bytes(text)); };
  EXPECT_EQ(id_of("123456789012 pong"), id);
  EXPECT_EQ(id_of("12345678901 pong"), std::nullopt);
  EXPECT_EQ(id_of("1234567890123 pong"), std::nullopt);
  EXPECT_EQ(id_of("123456789012"), std::nullopt);
  EXPECT_EQ(id_of("pong"), std::nullopt);
  EXPECT_EQ(id_of(""), std::nullopt);
}

TEST(DatagramRequests, a_reply_has_to_be_one_to_that_operation_and_key) {
  const Requests requests = make();
  for (std::uint8_t part = 0; part < requests.parts().size(); ++part) {
    const std::string& operation = requests.parts()[part].name;
    const std::string key = requests.keys().text_of(2);
    const auto is_reply = [&](const Asked& asked) {
      std::optional<UseSaid> said;
      const std::string text = good_reply(asked);
      return requests.is_reply(part, 2, base::as_bytes(text), said);
    };
    EXPECT_TRUE(is_reply({std::to_string(id), operation, key})) << operation;
    const std::string other = operation == "ping" ? "get_size" : "ping";
    EXPECT_FALSE(is_reply({std::to_string(id), other, key})) << operation;
    EXPECT_EQ(is_reply({std::to_string(id), operation, "another"}), operation != "get_stats");
  }
}

TEST(DatagramRequests, a_use_says_rate_limit_and_period) {
  const Requests requests = make();
  std::optional<UseSaid> said;
  EXPECT_TRUE(requests.is_reply(0, 0, base::as_bytes("123456789012 ok Y 28.1 22.0 20"), said));
  ASSERT_TRUE(said);
  EXPECT_TRUE(said->over);
  EXPECT_EQ(said->rate, 281U);
  EXPECT_EQ(said->limit, 220U);
  EXPECT_EQ(said->period, 20U);
}

}  // namespace
}  // namespace hallmark::loadgen::datagram
