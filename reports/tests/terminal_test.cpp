#include "reports/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

// The environment and ptsname are safe here: these tests have one thread.
// NOLINTBEGIN(concurrency-mt-unsafe)
namespace hallmark::reports {
namespace {

using FilePointer = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

TEST(StyleFor, AFileIsNoTerminal) {
  const FilePointer file(std::tmpfile(), &std::fclose);
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(is_terminal(file.get()));
  EXPECT_FALSE(style_for(file.get()).colour);
  EXPECT_EQ(style_for(file.get()).height, 0U);
}

/// A terminal of 30 rows and 90 columns that nobody looks at.
class StyleForTerminal : public testing::Test {
 protected:
  void SetUp() override {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(master, 0);
    ASSERT_EQ(::grantpt(master) + ::unlockpt(master), 0);
    master_.reset(::fdopen(master, "r+"));
    const winsize size{30, 90, 0, 0};
    ASSERT_EQ(::ioctl(master, TIOCSWINSZ, &size), 0);
    terminal_.reset(::fdopen(::open(::ptsname(master), O_RDWR | O_NOCTTY), "r+"));
    ASSERT_NE(terminal_, nullptr);
    ::unsetenv("NO_COLOR");
    ::setenv("TERM", "xterm", 1);
  }

  FilePointer master_{nullptr, &std::fclose};
  FilePointer terminal_{nullptr, &std::fclose};
};

TEST_F(StyleForTerminal, HasColourAndSize) {
  const auto style = style_for(terminal_.get());
  EXPECT_TRUE(style.colour);
  EXPECT_EQ(style.width, 90U);
  EXPECT_EQ(style.height, 30U);
}

TEST_F(StyleForTerminal, NoColorTurnsColourOff) {
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(style_for(terminal_.get()).colour);
  EXPECT_EQ(style_for(terminal_.get()).height, 30U);
  ::setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(style_for(terminal_.get()).colour) << "empty counts as unset";
  ::unsetenv("NO_COLOR");
}

TEST_F(StyleForTerminal, ADumbOneHasNoColour) {
  ::setenv("TERM", "dumb", 1);
  EXPECT_TRUE(style_for(terminal_.get()).dumb);
  EXPECT_FALSE(style_for(terminal_.get()).colour);
  ::unsetenv("TERM");
  EXPECT_TRUE(style_for(terminal_.get()).dumb);
}

TEST(Paint, OnlyWithColour) {
  EXPECT_EQ(paint({}, Colour::red, "x"), "x");
  EXPECT_EQ(paint({.colour = true}, Colour::red, "x"), "\x1b[31mx\x1b[0m");
}

TEST(Wrapped, BreaksBetweenWords) {
  const TerminalStyle style{.width = 30};
  EXPECT_EQ(wrapped("quota is 1031, expected 1032 as it was said before", style, 2, 4),
            "  quota is 1031, expected 1032\n"
            "      as it was said before\n");
  EXPECT_EQ(wrapped("", style, 2), "  \n");
}

TEST(Wrapped, BreaksWhatHasNoBlankWhereTheLineEnds) {
  EXPECT_EQ(wrapped(std::string(50, 'x'), {.width = 30}),
            std::string(30, 'x') + '\n' + std::string(20, 'x') + '\n');
  EXPECT_EQ(wrapped("éééééééééééééééééééééé", {.width = 20}), "éééééééééééééééééééé\néé\n");
}

TEST(Wrapped, BoundsWhatAStrangerWrote) {
  std::string stranger(1 << 20, 'x');
  stranger += "\x1b";
  const std::string lines = wrapped(stranger, {.width = 30});
  EXPECT_EQ(std::ranges::count(lines, '\n'), 64);
  EXPECT_TRUE(lines.ends_with("…\n"));
}

TEST(Wrapped, CutsNoReasonOfOrdinaryLength) {
  const std::string reason(1000, 'r');
  const std::string lines = wrapped(reason, {.width = 40, .height = 24});
  EXPECT_EQ(std::ranges::count(lines, 'r'), 1000);
}

TEST(PaintedLines, PaintsEachLine) {
  EXPECT_EQ(painted_lines({.colour = true, .width = 20}, Colour::red, std::string(25, 'x'), 0, 2),
            "\x1b[31m" + std::string(20, 'x') + "\x1b[0m\n\x1b[31m  xxxxx\x1b[0m\n");
}

TEST(Table, AlignsByWhatIsSeen) {
  const TerminalStyle colour{.colour = true};
  Table table({Align::left, Align::right});
  table.add({"é", "1"});
  table.add({paint(colour, Colour::red, "long"), "1000", "dropped"});
  table.add({"x"});
  EXPECT_EQ(table.render(2), "  é        1\n  \x1b[31mlong\x1b[0m  1000\n  x\n");
}

TEST(Table, WrapsItsLastColumn) {
  Table table({Align::left, Align::left});
  table.add({"first", "words that need more than one line of this terminal"});
  table.add({"2nd", "few words"});
  TerminalStyle style;
  style.width = 36;
  EXPECT_EQ(table.render_wrapped(style, 2),
            "  first  words that need more than\n"
            "         one line of this terminal\n"
            "  2nd    few words\n");
}

TEST(Table, PaintsWholeRows) {
  Table table({Align::left});
  table.add({"a"}, {.colour = true}, Colour::bold);
  table.add({"b"}, {}, Colour::bold);
  EXPECT_EQ(table.render(), "\x1b[1ma\x1b[0m\nb\n");
}

}  // namespace
}  // namespace hallmark::reports
// NOLINTEND(concurrency-mt-unsafe)
