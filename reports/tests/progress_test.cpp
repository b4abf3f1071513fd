#include <gmock/gmock.h>

#include <cmath>
#include <memory>

#include "reports/terminal.hpp"

namespace hallmark::reports {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

using Lines = std::vector<std::string>;

constexpr TerminalStyle screen{.terminal = true, .dumb = false, .width = 80, .height = 24};
constexpr TerminalStyle dumb_screen{.terminal = true, .dumb = true, .width = 80, .height = 24};

class Progress : public testing::Test {
 protected:
  std::string output() {
    std::rewind(file_.get());
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file_.get()));
    return text;
  }
  ProgressLines lines(const TerminalStyle& style) {
    return ProgressLines(
        file_.get(), true, [this, style] { return width_ == 0 ? style : narrower(style); },
        seconds(1), start_);
  }
  TerminalStyle narrower(TerminalStyle style) const {
    style.width = width_;
    return style;
  }

  std::unique_ptr<std::FILE, decltype(&std::fclose)> file_{std::tmpfile(), &std::fclose};
  ProgressLines::Clock::time_point start_{};
  std::size_t width_ = 0;  ///< of the terminal from now on; 0: as at the start
};

TEST_F(Progress, SilentWhereThereIsNoTerminal) {
  {
    auto progress = lines({});
    progress.update("working", start_ + seconds(5));
  }
  EXPECT_EQ(output(), "");
}

TEST_F(Progress, SilentForQuickWork) {
  {
    auto progress = lines(screen);
    progress.update("working", start_ + milliseconds(999));
  }
  EXPECT_EQ(output(), "");
}

TEST_F(Progress, ReplacesItselfAndIsRemoved) {
  {
    auto progress = lines(screen);
    progress.update("one", start_ + seconds(1));
    progress.update("too soon", start_ + milliseconds(1099));
    progress.update(1200, 3400, "cases", start_ + milliseconds(1100));
  }
  EXPECT_EQ(output(), "\r\x1b[Kone\r\x1b[K1,200/3,400 cases\r\x1b[K");
}

TEST_F(Progress, NeverWrapsAndNeverSteers) {
  auto progress = lines({.terminal = true, .dumb = false, .width = 8, .height = 24});
  progress.update("abc\ndefghijk", start_ + seconds(1));
  progress.clear();
  EXPECT_EQ(output(), "\r\x1b[Kabc\\x0…\r\x1b[K");
}

TEST_F(Progress, KeepsSeveralLinesInPlace) {
  {
    auto progress = lines(screen);
    progress.update(Lines{"one", "two", "three"}, start_ + seconds(1));
    progress.update(Lines{"four", "five"}, start_ + seconds(2));
  }
  EXPECT_EQ(output(),
            "\r\x1b[Kone\n\r\x1b[Ktwo\n\r\x1b[Kthree"
            "\x1b[2A\r\x1b[J\r\x1b[Kfour\n\r\x1b[Kfive"
            "\x1b[1A\r\x1b[J");
}

TEST_F(Progress, FindsItsFirstLineAgainOnceTheTerminalIsNarrower) {
  auto progress = lines(screen);
  progress.update(Lines{"0123456789", "abc"}, start_ + seconds(1));
  width_ = 5;  // the first line takes two rows now
  progress.update(Lines{"x", "y"}, start_ + seconds(2));
  EXPECT_THAT(output(), testing::EndsWith("\x1b[2A\r\x1b[J\r\x1b[Kx\n\r\x1b[Ky"));
}

TEST_F(Progress, ShowsOnlyWhatFitsTheTerminal) {
  auto progress = lines({.terminal = true, .dumb = false, .width = 80, .height = 2});
  progress.update(Lines{"one", "two", "three"}, start_ + seconds(1));
  EXPECT_THAT(output(), testing::EndsWith("two"));
}

TEST_F(Progress, IsOnePlainLineOnADumbTerminal) {
  {
    auto progress = lines(dumb_screen);
    progress.update(Lines{"one two", "more"}, start_ + seconds(1));
    progress.update(Lines{"three", "more"}, start_ + seconds(2));
  }
  EXPECT_EQ(output(), "\rone two\rthree  \r     \r");
}

TEST(Sparkline, IsAsHighAsItsValues) {
  EXPECT_EQ(sparkline(std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7}), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline(std::vector<double>{5, NAN, 5}), "▁ ▁");
  EXPECT_EQ(sparkline({}), "");
}

TEST(ProgressBar, IsFilledToItsShare) {
  EXPECT_EQ(progress_bar(0.5, 4), "██░░");
  EXPECT_EQ(progress_bar(7, 2), "██");
  EXPECT_EQ(progress_bar(-1, 2), "░░");
}

}  // namespace
}  // namespace hallmark::reports
