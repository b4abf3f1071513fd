#include "exporters/kaitai.hpp"

#include <gmock/gmock.h>

#include "protocol/dialects.hpp"

namespace hallmark::exporters {
namespace {

using protocol::Profile;
using protocol::Readings;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Kaitai, EveryDialectHasADescription) {
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    for (const Profile profile : {Profile::deployed, Profile::literal}) {
      const auto text = kaitai_of(Readings(*dialect, profile), "some");
      ASSERT_TRUE(text) << dialect->name;
      EXPECT_THAT(*text, HasSubstr("endian: le")) << dialect->name;
    }
  }
}

TEST(Kaitai, AFieldOfTheReadingsAtHandIsThereAndNoOther) {
  const auto deployed = kaitai_of(Readings(protocol::throttr_6_0, Profile::deployed), "deployed");
  const auto literal = kaitai_of(Readings(protocol::throttr_6_0, Profile::literal), "literal");
  EXPECT_THAT(*deployed, HasSubstr("id: bytes_used"));
  EXPECT_THAT(*literal, Not(HasSubstr("id: bytes_used")));
}

TEST(Kaitai, NamesOfRecordsAreAsLongAsTheirHeadsSay) {
  const auto text = kaitai_of(Readings(protocol::throttr_7_3, Profile::deployed), "deployed");
  EXPECT_THAT(*text, AllOf(HasSubstr("type: list_reply_fragments_keys_tail(keys[_index].key_size)"),
                           HasSubstr("repeat-expr: number_of_keys")));
}

TEST(Kaitai, WhatCannotBeExpressedIsRefused) {
  Readings readings(protocol::ratelimit_state, Profile::deployed);
  ASSERT_TRUE(readings.set("nested-split", "last"));
  const auto text = kaitai_of(readings, "deployed");
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("primary"));
}

}  // namespace
}  // namespace hallmark::exporters
