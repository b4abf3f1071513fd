#include "conformance/drivers/stream/cutting.hpp"

#include <gmock/gmock.h>

#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance {
namespace {

using testing::format_u16;
using testing::pipelinable_vector;

TEST(Cutting, CutsShortRequestsEverywhere) {
  const auto vector = pipelinable_vector();
  const auto& send = std::get<vectors::Send>(vector.steps.front().action);
  std::vector<std::size_t> all;
  for (std::size_t at = 1; at < send.bytes.size(); ++at) all.push_back(at);
  EXPECT_EQ(cuts_of(format_u16(), send), all);
}

TEST(Cutting, CutsLongRequestsAtTheEdgesOfFieldsBeyondTheLimit) {
  const Request request = set("key", std::string(2000, 'v'));
  const vectors::Send send{"SET", request.values, encoded(format_u16(), request).bytes, {}};
  const auto cuts = cuts_of(format_u16(), send);
  EXPECT_EQ(cuts.size(), cut_everywhere_below - 1 + 1);
  EXPECT_EQ(cuts.back(), send.bytes.size() - 1);
}

TEST(Cutting, ByteByByteIsForTheFirstOfThoseThatResembleEachOther) {
  const auto vector = pipelinable_vector();
  const auto& send = std::get<vectors::Send>(vector.steps.front().action);
  const Cutting everywhere{Cuts::everywhere, 0, 0};
  EXPECT_EQ(cuts_for(format_u16(), send, everywhere, {0, 300}), cuts_of(format_u16(), send));
  EXPECT_TRUE(cuts_for(format_u16(), send, everywhere, {299, 300}).empty());
}

TEST(Cutting, ThoseThatResembleEachOtherShareThePlaces) {
  const auto vector = pipelinable_vector();
  const auto& send = std::get<vectors::Send>(vector.steps.front().action);
  const auto all = cuts_of(format_u16(), send);
  std::vector<std::size_t> shared;
  for (std::size_t round = 0; round * 3 < all.size(); ++round) {
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const auto cuts = cuts_for(format_u16(), send, {Cuts::by_rank, 0, round}, {rank, 3});
      shared.insert(shared.end(), cuts.begin(), cuts.end());
    }
  }
  EXPECT_EQ(shared, all);
}

}  // namespace
}  // namespace hallmark::conformance
