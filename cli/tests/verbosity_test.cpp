#include "cli/options/verbosity.hpp"

#include <gtest/gtest.h>

namespace hallmark::cli {
namespace {

TEST(Told, IsTheVerdictWithQuiet) {
  EXPECT_EQ(told("a\nb\n\nDONE  all well\n", {.quiet = true}), "DONE  all well\n");
  EXPECT_EQ(told("DONE", {.quiet = true}), "DONE");
  EXPECT_EQ(told("", {.quiet = true}), "");
  EXPECT_EQ(told("a\nDONE\n", {}), "a\nDONE\n");
}

}  // namespace
}  // namespace hallmark::cli
