#include "base/expected.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace hallmark::base {
namespace {

Result<int> half_of(int number) {
  if (number % 2 != 0) return Error{"odd"};
  return number / 2;
}

TEST(Expected, IsWhatAFunctionReturns) {
  const Result<int> half = half_of(8);
  ASSERT_TRUE(half.has_value());
  EXPECT_FALSE(half.has_error());
  EXPECT_EQ(*half, 4);
  EXPECT_EQ(half.value(), 4);

  const Result<int> none = half_of(7);
  EXPECT_FALSE(none);
  EXPECT_TRUE(none.has_error());
  EXPECT_EQ(none.error().message, "odd");
}

TEST(Expected, ThrowsWhereAnErrorIsAskedForItsValue) {
  EXPECT_THROW(half_of(7).value(), std::logic_error);
  const Result<void> failed = Error{"no"};
  EXPECT_THROW(failed.value(), std::logic_error);
  EXPECT_NO_THROW(Result<void>().value());
}

TEST(Expected, OfNothingSaysWhetherItFailed) {
  const Result<void> done;
  EXPECT_TRUE(done.has_value());
  const Result<void> failed = Error{"no"};
  EXPECT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no");
}

TEST(Expected, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> held = std::make_unique<int>(5);
  Result<std::unique_ptr<int>> moved = std::move(held);
  EXPECT_EQ(**moved, 5);
  const std::unique_ptr<int> taken = *std::move(moved);
  EXPECT_EQ(*taken, 5);
  static_assert(!std::is_copy_constructible_v<Result<std::unique_ptr<int>>>);
}

/// Counts how many there are.
class Counted {
 public:
  Counted() { ++alive; }
  Counted(const Counted& /*other*/) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }

  static inline int alive = 0;
};

TEST(Expected, EndsWhatItHolds) {
  {
    Result<Counted> one = Counted();
    const Result<Counted> other = one;
    EXPECT_EQ(Counted::alive, 2);
    one = Error{"gone"};
    EXPECT_EQ(Counted::alive, 1);
    EXPECT_EQ(one.error().message, "gone");
    one = other;
    EXPECT_EQ(Counted::alive, 2);
    one = *&one;
    EXPECT_TRUE(one);
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(Expected, ReplacesAValueByAnErrorAndBack) {
  Result<std::string> text = std::string(100, 'a');
  text = Error{std::string(100, 'e')};
  EXPECT_EQ(text.error().message, std::string(100, 'e'));
  text = std::string(100, 'b');
  EXPECT_EQ(*text, std::string(100, 'b'));
  const Result<std::string> copy = text;
  text = Error{"e"};
  EXPECT_EQ(copy.value(), std::string(100, 'b'));
}

TEST(Expected, IsHeldByContainers) {
  std::vector<Result<std::unique_ptr<int>>> all;
  for (int i = 0; i < 100; ++i) {
    if (i % 3 == 0) {
      all.emplace_back(Error{std::to_string(i)});
    } else {
      all.emplace_back(std::make_unique<int>(i));
    }
  }
  for (int i = 0; i < 100; ++i) {
    const auto& one = all[static_cast<std::size_t>(i)];
    EXPECT_EQ(one ? std::to_string(**one) : one.error().message, std::to_string(i));
  }
}

TEST(Expected, IsEqualToWhatHoldsTheSame) {
  using Number = Expected<int, std::string>;
  EXPECT_EQ(Number(1), Number(1));
  EXPECT_NE(Number(1), Number(2));
  EXPECT_NE(Number(1), Number("1"));
  EXPECT_EQ(Number("1"), Number("1"));
  EXPECT_NE(Number("1"), Number("2"));
}

TEST(Expected, TakesOnlyWhatBecomesOneOfBoth) {
  static_assert(std::is_convertible_v<int, Result<long>>);
  static_assert(std::is_convertible_v<const char*, Result<std::string>>);
  static_assert(!std::is_convertible_v<const char*, Expected<std::string, std::string>>);
  static_assert(!std::is_convertible_v<std::string, Result<int>>);
  static_assert(!std::is_convertible_v<int, Result<void>>);
}

}  // namespace
}  // namespace hallmark::base
