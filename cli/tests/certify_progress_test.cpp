#include "cli/certify/certify_progress.hpp"

#include <gtest/gtest.h>

namespace hallmark::cli {
namespace {

using std::chrono::seconds;

TEST(CertifyProgressLines, SayHowMuchIsDone) {
  EXPECT_EQ(certify_progress_lines({425, 850, 0}, seconds(3), "", 50),
            std::vector<std::string>{"███████░░░░░░░  425/850 cases · 0 failed · 3.00 s"});
}

TEST(CertifyProgressLines, NameTheLastFailure) {
  const auto lines = certify_progress_lines({1, 2, 1}, seconds(3), "a/b", 0);
  EXPECT_EQ(lines, (std::vector<std::string>{"1/2 cases · 1 failed · 3.00 s", "failed: a/b"}));
}

TEST(CertifyProgressLines, ArePossibleBeforeCasesAreKnown) {
  EXPECT_EQ(certify_progress_lines({}, seconds(0), "", 0).size(), 1U);
}

}  // namespace
}  // namespace hallmark::cli
