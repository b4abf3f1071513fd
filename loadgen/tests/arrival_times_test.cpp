#include "loadgen/arrivals/arrival_times.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace hallmark::loadgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Times : public testing::Test {
 protected:
  ~Times() override { std::filesystem::remove(path_); }

  base::Result<ArrivalTimes> read(std::string_view text) const {
    std::ofstream(path_) << text;
    return read_arrival_times(path_);
  }

  std::string refusal(std::string_view text) const { return read(text).error().message; }

  const std::string path_ = testing::TempDir() + "hallmark-times-" +
                            testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Times, count_from_the_first) {
  EXPECT_THAT(read("10.25\n10.5\n10.5\n12\n").value(),
              ElementsAre(0, 250'000'000, 250'000'000, 1'750'000'000));
}

TEST_F(Times, of_seconds_since_1970_keep_their_nanoseconds) {
  EXPECT_THAT(read("1763776000.123456789\n1763776000.123456790\n1763776001.1234567899\n").value(),
              ElementsAre(0, 1, 1'000'000'000));
}

TEST_F(Times, stand_at_the_start_of_a_line) {
  EXPECT_THAT(read("# a trace\n\n0 GET a\n0.5,SET,b\r\n1\tc").value(),
              ElementsAre(0, 500'000'000, 1'000'000'000));
}

TEST_F(Times, that_are_none_are_refused_with_their_line) {
  EXPECT_EQ(refusal("0\nsoon\n"), path_ + ":2: 'soon' is no time in seconds, such as 0.25");
  EXPECT_THAT(refusal("1e3"), HasSubstr(":1: '1e3' is no time"));
  EXPECT_THAT(refusal("-1"), HasSubstr(":1: '-1' is no time"));
  EXPECT_THAT(refusal("1.-5"), HasSubstr(":1: '1.-5' is no time"));
  EXPECT_THAT(refusal("99999999999999999999"), HasSubstr(":1: '99999999999999999999' is no time"));
}

TEST_F(Times, have_to_ascend) {
  EXPECT_EQ(refusal("1\n3\n2.5\n"),
            path_ + ":3: 2.5 is before the time above it; times have to ascend");
}

TEST_F(Times, end_somewhere) {
  EXPECT_EQ(
      read_arrival_times("/dev/zero").error().message,
      "/dev/zero:1: the line is longer than 1 MiB, the most that a line of a list of times to "
      "replay may have");
}

TEST_F(Times, have_to_be_there) {
  EXPECT_EQ(refusal("# none\n"), path_ + ": no time in it");
  EXPECT_EQ(
      read_arrival_times("/nowhere/times").error().message,
      "cannot read /nowhere/times: No such file or directory; expected a list of times to replay");
}

}  // namespace
}  // namespace hallmark::loadgen
