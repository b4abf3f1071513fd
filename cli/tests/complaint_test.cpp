#include "cli/options/complaint.hpp"

#include <gtest/gtest.h>

namespace hallmark::cli {
namespace {

TEST(Complaint, IsOneLineThatNamesTheCommand) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(refuse("report", "a.json: expected a report"), reports::ExitCode::usage);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "hallmark report: a.json: expected a report\n");
}

TEST(Complaint, CannotSteerATerminal) {
  testing::internal::CaptureStderr();
  complain("load", "workload '\x1b[2J\nhallmark: all is well'; expected a file");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "hallmark load: workload '\\x1b[2J\\x0ahallmark: all is well'; expected a file\n");
}

}  // namespace
}  // namespace hallmark::cli
