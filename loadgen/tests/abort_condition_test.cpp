#include "loadgen/results/abort_condition.hpp"

#include <gmock/gmock.h>

#include "loadgen/histogram/hdr_codec.hpp"

namespace hallmark::loadgen {
namespace {

using testing::HasSubstr;
using testing::Optional;

reports::SecondSample second_of(std::uint64_t completed, std::uint64_t errors) {
  Histogram latency;
  latency.record(2'000'000, completed);
  Histogram waits;
  waits.record(200'000'000, errors);
  reports::SecondSample sample{
      .second = 4, .sent = completed + errors, .completed = completed, .errors = errors};
  if (completed != 0) sample.histogram = encode_compressed_base64(latency);
  if (errors != 0) sample.censored = encode_compressed_base64(waits);
  return sample;
}

TEST(AbortCondition, IsReachedInTheSecondInWhichItIsSo) {
  const auto errors = AbortCondition::parse("errors>10%").value();
  EXPECT_EQ(errors.reached(second_of(90, 10)), std::nullopt);
  EXPECT_THAT(errors.reached(second_of(89, 11)),
              Optional(std::string("errors>10% in second 5: 11 %")));
  EXPECT_EQ(errors.reached(second_of(0, 0)), std::nullopt);
}

TEST(AbortCondition, TakesLowerBoundsForWhatTheyAre) {
  const auto slow = AbortCondition::parse("p90>100ms,throughput<1").value();
  EXPECT_EQ(slow.reached(second_of(95, 5)), std::nullopt);
  EXPECT_THAT(slow.reached(second_of(85, 15)),
              Optional(HasSubstr("p90>100ms in second 5: >= 200 ms")));
  EXPECT_THAT(slow.reached(second_of(0, 5)), Optional(HasSubstr("p90>100ms")));
  EXPECT_EQ(AbortCondition::parse("p90>1s").value().reached(second_of(85, 15)), std::nullopt);
}

TEST(AbortCondition, OfWhatNoSecondTellsIsRefused) {
  EXPECT_THAT(AbortCondition::parse("rate<50%").error().message,
              HasSubstr("--abort-on rate<50%: rate is not known every second"));
  EXPECT_THAT(AbortCondition::parse("service.p99>1s").error().message, HasSubstr("service.p99"));
  EXPECT_THAT(AbortCondition::parse("errors").error().message, HasSubstr("--abort-on errors"));
}

}  // namespace
}  // namespace hallmark::loadgen
