#include "protocol/record.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace hallmark::protocol {
namespace {

using ::testing::ThrowsMessage;

const Record record{{"key", base::Bytes{'k'}}, {"quota", std::uint64_t{5}}};

TEST(Record, GivesTheNumberOfAField) {
  EXPECT_EQ(record.number("quota"), 5U);
  EXPECT_EQ(record.number_or("quota", 7), 5U);
}

TEST(Record, DoesNotTakeAbsenceForZero) {
  EXPECT_THAT([] { record.number("ttl"); },
              ThrowsMessage<std::logic_error>("there is no number ttl: there is key, quota"));
  EXPECT_THAT([] { Record().number("ttl"); },
              ThrowsMessage<std::logic_error>("there is no number ttl: there is nothing"));
  EXPECT_EQ(record.number_or("ttl", 7), 7U);
}

TEST(Record, DoesNotTakeBytesForANumber) {
  EXPECT_THROW(record.number("key"), std::logic_error);
  EXPECT_EQ(record.number_or("key", 7), 7U);
}

}  // namespace
}  // namespace hallmark::protocol
