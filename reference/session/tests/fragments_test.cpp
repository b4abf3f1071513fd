#include "reference/session/fragments.hpp"

#include <gtest/gtest.h>

#include "protocol/dialects.hpp"

namespace hallmark::server {
namespace {

std::vector<std::size_t> counts(const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> result;
  std::uint64_t number = 0;
  for (const auto& fragment : split(sizes, [](std::size_t size) { return size; })) {
    EXPECT_EQ(fragment.number, ++number);
    result.push_back(fragment.entries.size());
  }
  return result;
}

TEST(Fragments, AreCutByTheirSize) {
  EXPECT_EQ(counts({}), (std::vector<std::size_t>{}));
  EXPECT_EQ(counts({10}), (std::vector<std::size_t>{1}));
  EXPECT_EQ(counts({1'024, 1'024}), (std::vector<std::size_t>{2}));
  EXPECT_EQ(counts({1'024, 1'024, 1}), (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(counts({1'024, 1'025}), (std::vector<std::size_t>{1, 1}));
  EXPECT_EQ(counts({1, 5'000, 1}), (std::vector<std::size_t>{1, 1, 1}));
}

TEST(Fragments, EntryWidthsAreThoseOfTheDocument) {
  using protocol::Profile;
  using protocol::throttr_7_1;
  using protocol::Width;
  const protocol::Readings deployed(throttr_7_1, Profile::deployed);
  const protocol::Readings literal(throttr_7_1, Profile::literal);
  const auto width_of = [](protocol::MessageName name, Width width,
                           const protocol::Readings& readings) {
    return entry_width(*protocol::find_operation(throttr_7_1, name), width, readings);
  };
  EXPECT_EQ(width_of("LIST", Width::u8, deployed), 12U);
  EXPECT_EQ(width_of("LIST", Width::u64, deployed), 19U);
  EXPECT_EQ(width_of("STATS", Width::u64, deployed), 33U);
  EXPECT_EQ(width_of("CONNECTIONS", Width::u16, deployed), 235U);
  EXPECT_EQ(width_of("CHANNELS", Width::u16, deployed), 25U);
  EXPECT_EQ(width_of("CHANNELS", Width::u16, literal), 21U);
}

}  // namespace
}  // namespace hallmark::server
