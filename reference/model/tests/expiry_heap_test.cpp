#include "reference/model/records/expiry_heap.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hallmark::model {
namespace {

TEST(ExpiryHeap, GivesSlotsInOrderOfTheirTime) {
  ExpiryHeap heap;
  const std::vector<Time> times{50, 10, 40, 20, 30, 60};
  for (std::uint32_t slot = 0; slot < times.size(); ++slot) heap.push(slot, times[slot]);
  std::vector<std::uint32_t> order;
  while (!heap.empty()) {
    order.push_back(heap.earliest_slot());
    heap.remove(heap.earliest_slot());
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 3, 4, 2, 0, 5}));
}

// Random pushes, moves and removals against an ordered map.
TEST(ExpiryHeap, AgreesWithAnOrderedMap) {
  std::mt19937_64 random(4);
  ExpiryHeap heap;
  std::map<std::uint32_t, Time> expected;
  for (int step = 0; step < 20'000; ++step) {
    const auto slot = static_cast<std::uint32_t>(random() % 200);
    const Time at = static_cast<Time>(random() % 1'000);
    const bool known = expected.contains(slot);
    if (!known) {
      heap.push(slot, at);
      expected[slot] = at;
    } else if (random() % 2 == 0) {
      heap.reschedule(slot, at);
      expected[slot] = at;
    } else {
      heap.remove(slot);
      expected.erase(slot);
    }
    ASSERT_EQ(heap.size(), expected.size());
    if (expected.empty()) continue;
    const auto earliest = std::min_element(expected.begin(), expected.end(),
                                           [](auto& a, auto& b) { return a.second < b.second; });
    ASSERT_TRUE(heap.earliest() == earliest->second) << "step " << step;
    ASSERT_TRUE(expected.at(heap.earliest_slot()) == heap.earliest());
  }
}

}  // namespace
}  // namespace hallmark::model
