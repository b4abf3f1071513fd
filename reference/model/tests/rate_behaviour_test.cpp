#include "reference/model/rates/rate_behaviour.hpp"

#include <gtest/gtest.h>

#include "protocol/dialects.hpp"

namespace hallmark::model {
namespace {

using protocol::Profile;
using protocol::Readings;

RateBehaviour behaviour_with(protocol::ReadingName reading, protocol::AnswerName answer) {
  Readings readings(protocol::ratelimit_udp, Profile::deployed);
  EXPECT_TRUE(readings.set(reading, answer)) << reading << "=" << answer;
  return rate_behaviour_of(readings);
}

TEST(RateBehaviour, AsReleasedIsTheDefault) {
  const auto released = rate_behaviour_of(Readings(protocol::ratelimit_udp, Profile::deployed));
  EXPECT_FALSE(released.over_when_above);
  EXPECT_EQ(released.default_key, UnruledKey::never_over);
  EXPECT_FALSE(released.udp_id_number);
  EXPECT_FALSE(released.udp_key_word);
  EXPECT_FALSE(released.key_newline_part);
  EXPECT_FALSE(released.empty_key_silence);
  EXPECT_EQ(released.long_request, LongRequest::silence);
}

TEST(RateBehaviour, EachAnswerIsChosen) {
  EXPECT_TRUE(behaviour_with("over-when", "above").over_when_above);
  EXPECT_EQ(behaviour_with("default-key", "limited").default_key, UnruledKey::limited);
  EXPECT_EQ(behaviour_with("default-key", "silence").default_key, UnruledKey::silence);
  EXPECT_TRUE(behaviour_with("udp-id", "number").udp_id_number);
  EXPECT_TRUE(behaviour_with("udp-key", "word").udp_key_word);
  EXPECT_TRUE(behaviour_with("key-newline", "part").key_newline_part);
  EXPECT_TRUE(behaviour_with("empty-key", "silence").empty_key_silence);
  EXPECT_EQ(behaviour_with("long-request", "cut").long_request, LongRequest::cut);
  EXPECT_EQ(behaviour_with("long-request", "read").long_request, LongRequest::read);
}

}  // namespace
}  // namespace hallmark::model
