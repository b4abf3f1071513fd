#include "cli/options/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/dialects.hpp"

namespace hallmark::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(Names, KnownOnesAreFound) {
  const auto dialect = dialect_named("throttr-7.1");
  ASSERT_TRUE(dialect);
  EXPECT_EQ(*profile_named("literal"), protocol::Profile::literal);
  EXPECT_EQ(*width_named(**dialect, "u64"), protocol::Width::u64);
  EXPECT_EQ(*operation_named(**dialect, "whoami"), protocol::find_operation(**dialect, "WHOAMI"));
}

TEST(Names, UnknownOnesSayWhatCameAndWhatIsAllowed) {
  const auto& dialect = protocol::throttr_7_1;
  std::vector<std::string_view> dialects;
  for (const auto* one : protocol::all_dialects) dialects.push_back(one->name);
  EXPECT_EQ(dialect_named("throttr-9").error().message,
            fmt::format("unknown dialect 'throttr-9'; allowed: {}", fmt::join(dialects, ", ")));
  EXPECT_EQ(profile_named("auto").error().message,
            "unknown profile 'auto'; allowed: deployed, literal");
  EXPECT_EQ(width_named(dialect, "u24").error().message,
            "unknown width 'u24'; allowed: u8, u16, u32, u64");
  const auto operation = operation_named(dialect, "").error().message;
  EXPECT_THAT(operation, StartsWith("unknown operation ''; allowed: INSERT, QUERY, "));
  EXPECT_THAT(operation, HasSubstr("WHOAMI"));
}

const std::vector<std::string> ids = {"throttr-7.1/u16/insert/quota-max",
                                      "throttr-7.1/u16/insert/typical",
                                      "throttr-7.1/u16/query/typical"};

TEST(NearMatches, PartsLeftOutCountLittle) {
  EXPECT_THAT(near_matches("insert/typical", ids, 1), ElementsAre(ids[1]));
  EXPECT_THAT(near_matches("u16/query/typical", ids, 1), ElementsAre(ids[2]));
}

TEST(NearMatches, MistypedLetters) {
  EXPECT_THAT(near_matches("throttr-7.1/u16/inzert/quota-mx", ids, 1), ElementsAre(ids[0]));
}

TEST(NearMatches, AtMostAsManyAsAskedAndBestFirst) {
  EXPECT_THAT(near_matches("throttr-7.1/u16/insert/typicl", ids, 2),
              ElementsAre(ids[1], testing::_));
}

TEST(NearMatches, NothingAlike) {
  EXPECT_THAT(near_matches("#######", ids), IsEmpty());
  EXPECT_THAT(near_matches("", ids), IsEmpty());
  EXPECT_THAT(near_matches("insert", {}), IsEmpty());
}

}  // namespace
}  // namespace hallmark::cli
