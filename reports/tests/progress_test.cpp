#include <gtest/gtest.h>

#include <memory>

#include "reports/terminal.hpp"

namespace hallmark::reports {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class Progress : public testing::Test {
 protected:
  std::string output() {
    std::rewind(file_.get());
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file_.get()));
    return text;
  }
  ProgressLine line(bool enabled, std::size_t width = 80) {
    return ProgressLine(file_.get(), enabled, width, seconds(1), start_);
  }

  std::unique_ptr<std::FILE, decltype(&std::fclose)> file_{std::tmpfile(), &std::fclose};
  ProgressLine::Clock::time_point start_{};
};

TEST_F(Progress, SilentWhereThereIsNoTerminal) {
  {
    auto progress = line(false);
    progress.update("working", start_ + seconds(5));
  }
  EXPECT_EQ(output(), "");
}

TEST_F(Progress, SilentForQuickWork) {
  {
    auto progress = line(true);
    progress.update("working", start_ + milliseconds(999));
  }
  EXPECT_EQ(output(), "");
}

TEST_F(Progress, ReplacesItselfAndIsRemoved) {
  {
    auto progress = line(true);
    progress.update("one", start_ + seconds(1));
    progress.update("too soon", start_ + milliseconds(1099));
    progress.update(1200, 3400, "cases", start_ + milliseconds(1100));
  }
  EXPECT_EQ(output(), "\r\x1b[Kone\r\x1b[K1,200/3,400 cases\r\x1b[K");
}

TEST_F(Progress, NeverWrapsAndNeverSteers) {
  auto progress = line(true, 8);
  progress.update("abc\ndefghijk", start_ + seconds(1));
  progress.clear();
  EXPECT_EQ(output(), "\r\x1b[Kabc\\x0…\r\x1b[K");
}

}  // namespace
}  // namespace hallmark::reports
