#include "loadgen/drivers/datagram/id_ring.hpp"

#include <gtest/gtest.h>

namespace hallmark::loadgen::datagram {
namespace {

using Known = IdRing::Known;

std::uint64_t take(IdRing& ring) {
  Request* const request = ring.next_free();
  if (request == nullptr) return 0;
  ring.take(*request);
  return request->id;
}

void end(IdRing& ring, std::uint64_t id, Fate fate) { ring.find(id).request->fate = fate; }

TEST(IdRing, ids_have_twelve_digits_and_ascend) {
  IdRing ring{4};
  const auto first = take(ring);
  EXPECT_EQ(std::to_string(first).size(), IdRing::id_digits);
  EXPECT_EQ(take(ring), first + 1);
}

TEST(IdRing, a_reply_finds_its_request) {
  IdRing ring{4};
  const auto a = take(ring);
  const auto b = take(ring);
  EXPECT_EQ(ring.find(a).request->id, a);
  EXPECT_EQ(ring.find(b).request->id, b);
  EXPECT_EQ(ring.find(b + 1).known, Known::never);
  EXPECT_EQ(ring.find(a - 4).known, Known::never);
  EXPECT_EQ(ring.find(7).known, Known::never);
}

TEST(IdRing, what_waits_is_passed_by) {
  IdRing ring{2};
  const auto a = take(ring);
  const auto b = take(ring);
  EXPECT_EQ(ring.next_free(), nullptr);
  end(ring, b, Fate::received);
  const auto c = take(ring);
  EXPECT_GT(c, b);
  EXPECT_EQ(ring.find(a).known, Known::current);
  EXPECT_EQ(ring.find(b).known, Known::answered_before);
}

TEST(IdRing, what_became_of_older_ids_is_kept_for_32_turns) {
  IdRing ring{1};
  std::vector<std::uint64_t> ids;
  for (int i = 0; i < 40; ++i) {
    ids.push_back(take(ring));
    end(ring, ids.back(),
        i % 3 == 0   ? Fate::timed_out
        : i % 3 == 1 ? Fate::received
                     : Fate::not_sent);
  }
  const auto latest = ids.back();
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
    const auto known = ring.find(ids[i]).known;
    const auto expected = latest - ids[i] > 32 || i % 3 == 2 ? Known::never
                          : i % 3 == 0                       ? Known::lost_before
                                                             : Known::answered_before;
    EXPECT_EQ(known, expected) << i;
  }
}

TEST(IdRing, an_id_that_was_passed_by_was_never_sent) {
  IdRing ring{2};
  const auto a = take(ring);
  const auto b = take(ring);
  end(ring, b, Fate::received);
  take(ring);  // b + 2: a's next turn, a + 2, is left out
  end(ring, a, Fate::received);
  const auto d = take(ring);
  EXPECT_EQ(d, a + 4);
  EXPECT_EQ(ring.find(a + 2).known, Known::never);
  EXPECT_EQ(ring.find(a).known, Known::answered_before);
}

TEST(IdRing, expires_the_oldest_first_and_stops_where_told) {
  IdRing ring{8};
  for (int i = 0; i < 5; ++i) take(ring);
  const auto first = ring.places()[0].id;
  end(ring, first + 1, Fate::received);
  std::vector<std::uint64_t> expired;
  ring.expire([&](Request& request) {
    if (request.id == first + 3) return false;
    request.fate = Fate::timed_out;
    expired.push_back(request.id - first);
    return true;
  });
  EXPECT_EQ(expired, (std::vector<std::uint64_t>{0, 2}));
}

}  // namespace
}  // namespace hallmark::loadgen::datagram
