#include "exporters/wireshark.hpp"

#include <gmock/gmock.h>

#include "protocol/dialects.hpp"

namespace hallmark::exporters {
namespace {

using protocol::Profile;
using protocol::Readings;
using testing::AllOf;
using testing::HasSubstr;

TEST(Wireshark, ADissectorHasTheOperationsAndTheEngine) {
  const auto text = wireshark_of(Readings(protocol::throttr_7_3, Profile::deployed), "deployed");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, AllOf(HasSubstr("id = \"throttr_7_3\""), HasSubstr("widths = {1, 2, 4, 8}"),
                           HasSubstr("{name = \"CHANNELS\", opcode = 22"),
                           HasSubstr("function proto.dissector")));
}

TEST(Wireshark, AReplyThatIsNotSentIsNil) {
  const auto text = wireshark_of(Readings(protocol::throttr_7_1, Profile::deployed), "deployed");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("reply = nil"));
}

TEST(Wireshark, StatesAreNotSentOverANetwork) {
  const auto text =
      wireshark_of(Readings(protocol::ratelimit_state, Profile::deployed), "deployed");
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("ratelimit-state is not sent over a network"));
}

}  // namespace
}  // namespace hallmark::exporters
