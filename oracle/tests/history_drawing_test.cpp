#include "oracle/history_drawing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "oracle/tests/record_histories.hpp"

namespace hallmark::oracle::testing {
namespace {

using enum RecordAction;

const HistoryNames names{[](std::uint32_t client) { return fmt::format("c{}", client); },
                         [](ValueNumber value) { return fmt::format("\"v{}\"", value); }};

std::string drawing_of(const RecordHistory& history, std::size_t columns = 90) {
  const LinearizabilityChecker checker({});
  return fmt::format("\n{}\n", fmt::join(drawn(reduced(checker, history), names, columns), "\n"));
}

TEST(HistoryDrawing, IsALaneAConnectionWithWhatItWasTold) {
  const RecordHistory history{at(1, 0, 1'000, succeeded(insert, 7)),
                              at(2, 90'000, 95'000, told(query, 7)),
                              at(1, 100'000, 193'000, succeeded(increase, 1)),
                              at(2, 104'000, 190'000, succeeded(increase, 1)),
                              at(3, 200'000, 231'000, told(query, 8)),
                              at(1, 240'000, 250'000, told(query, 8))};
  EXPECT_EQ(drawing_of(history), R"(
before: a counter of 7; then 3 of 6 operations on the record, which fit no order:
    0 µs             90 µs       131 µs
c1  ├INCREASE 1 → ok──┤
c2   ├INCREASE 1 → ok┤
c3                     ├QUERY → 8┤
                                 ▲
no order fits from here: QUERY → 8, but the record is a counter of 9
)");
}

TEST(HistoryDrawing, GoesOnFurtherDownAndShowsWhatNeverReturned) {
  RecordOperation ending = succeeded(insert, 3);
  ending.ttl_ns = 20'000'000;
  const RecordHistory history{at(1, 0, 1'000, ending), at(9, 500, never_ns, unknown(insert, 70)),
                              at(1, 2'000, 60'000, succeeded(increase, 1)),
                              at(2, 3'000, 50'000, succeeded(increase, 1)),
                              at(3, 70'000, 80'000, told(query, 4))};
  EXPECT_EQ(drawing_of(history, 48), R"(
before: absent; then 5 of 5 operations on the record, which fit no order:
    0 µs                    1 µs
c1  ├INSERT 3 for 20 ms → ok┤├INCREASE 1 → ok──┤
c2                            ├INCREASE 1 → ok┤
c9   ├INSERT 70 → ?╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
    70 µs     80 µs
c3  ├QUERY → 4┤
c9  ╌╌╌╌╌╌╌╌╌╌╌
              ▲
no order fits from here: QUERY → 4, but the record is a counter of 5, 70, 71 or 72
)");
}

TEST(HistoryDrawing, NamesEveryStateOnce) {
  const RecordHistory history{at(1, 0, 10, succeeded(insert, 1)), at(2, 0, 10, failed(set, 3)),
                              at(3, 12, 30, succeeded(patch, 2)), at(4, 12, 30, succeeded(purge)),
                              at(5, 12, 30, succeeded(patch, 5)), at(1, 31, 40, told(get, 3))};
  const LinearizabilityChecker checker({});
  EXPECT_EQ(
      summary(reduced(checker, history), names),
      "no order of the requests explains their replies: GET → \"v3\" on c1, but the record is "
      "absent");
}

}  // namespace
}  // namespace hallmark::oracle::testing
