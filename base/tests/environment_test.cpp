#include "base/environment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hallmark::base {
namespace {

TEST(EnvironmentVariable, IsEmptyWhereItIsNotSet) {
  ::setenv("HALLMARK_TEST_VARIABLE", "one", 1);
  EXPECT_EQ(environment_variable("HALLMARK_TEST_VARIABLE"), "one");
  ::unsetenv("HALLMARK_TEST_VARIABLE");
  EXPECT_EQ(environment_variable("HALLMARK_TEST_VARIABLE"), "");
}

}  // namespace
}  // namespace hallmark::base
