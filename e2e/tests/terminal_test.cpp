#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <regex>
#include <stdexcept>

#include "base/text.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

/// A program whose standard output and error are a terminal.
class OnTerminal {
 public:
  OnTerminal(const Arguments& command, const std::string& directory, const winsize& size) {
    int master = -1;
    int terminal = -1;
    if (::openpty(&master, &terminal, nullptr, nullptr, &size) != 0)
      throw std::runtime_error("there is no terminal to be had");
    master_ = base::Descriptor(master);
    const base::Descriptor its_end(terminal);
    base::ChildOptions options;
    options.out = options.err = its_end.get();
    options.directory = directory;
    options.stop_signal = SIGKILL;
    child_ = base::ChildProcess::start(command, options).value();
  }

  void resize(const winsize& size) { ::ioctl(master_.get(), TIOCSWINSZ, &size); }
  void interrupt() { child_->signal(SIGINT); }

  /// Waits until this was written behind the first `from` bytes. False when the program closed its
  /// terminal before, or patience is over.
  bool wait_for(const std::string& text, std::size_t from = 0) {
    while (written_.find(text, from) == std::string::npos)
      if (!read_some()) return false;
    return true;
  }

  const std::string& written() const { return written_; }

  /// Waits for the end. Returns all that was written.
  std::string wait() {
    while (read_some()) continue;
    return written_;
  }

 private:
  bool read_some() {
    pollfd waiting{master_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(Program::patience / std::chrono::milliseconds(1))) <=
        0)
      return false;
    std::array<char, 65536> buffer;
    const auto count = ::read(master_.get(), buffer.data(), buffer.size());
    if (count > 0) written_.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  base::Descriptor master_;
  std::unique_ptr<base::ChildProcess> child_;
  std::string written_;
};

constexpr winsize usual{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
constexpr const char* first_row = "\x1b[5A";  // from the last of six

/// The widest line without what steers the terminal.
std::size_t widest(const std::string& text) {
  const std::string plain = std::regex_replace(text, std::regex("\x1b\\[[0-9]*[A-Za-z]"), "");
  std::size_t most = 0;
  for (std::size_t begin = 0; begin < plain.size();) {
    const auto end = std::min(plain.find_first_of("\r\n", begin), plain.size());
    most = std::max(most, base::display_width(plain.substr(begin, end - begin)));
    begin = end + 1;
  }
  return most;
}

class Terminal : public EndToEnd {
 protected:
  OnTerminal on_terminal(const Arguments& variables, const Arguments& arguments) {
    Arguments whole{"env", "-u", "NO_COLOR"};
    whole.insert(whole.end(), variables.begin(), variables.end());
    const Arguments program = command(arguments);
    whole.insert(whole.end(), program.begin(), program.end());
    return {whole, directory_.string(), usual};
  }

  OnTerminal load(const Arguments& variables, const Arguments& more = {}) {
    Arguments arguments{"load",   server_.target(), "--width",    "u16",
                        "--rate", "1000",           "--duration", "10m"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return on_terminal(variables, arguments);
  }

  Server server_{"u16", directory_.string()};
};

TEST_F(Terminal, ALoadKeepsItsLastMinuteInPlace) {
  OnTerminal program = load({"TERM=xterm"});
  ASSERT_TRUE(program.wait_for(first_row)) << program.written();
  program.interrupt();
  const std::string text = program.wait();
  const std::string lines = text.substr(0, text.rfind(std::string(first_row)));
  EXPECT_THAT(lines, ContainsRegex("rate +asked [0-9,]+/s, sent [0-9,]+/s, answered [0-9,]+/s"));
  EXPECT_THAT(lines, ContainsRegex("p99 .*(▁|█)"));
  EXPECT_THAT(lines, ContainsRegex("lag .*of the client"));
  EXPECT_THAT(lines, HasSubstr(" left"));
  EXPECT_LT(widest(lines), usual.ws_col);
  const std::string report = text.substr(lines.size());
  EXPECT_THAT(report, testing::StartsWith(std::string(first_row) + "\r\x1b[J"));
  EXPECT_THAT(report, HasSubstr("p99.9"));
}

TEST_F(Terminal, ItsLinesFollowTheWidth) {
  OnTerminal program = load({"TERM=xterm"});
  ASSERT_TRUE(program.wait_for(first_row));
  program.resize({24, 50, 0, 0});
  // The second frame from here on was drawn after the change.
  const auto resized = program.written().size();
  ASSERT_TRUE(program.wait_for("\x1b[J", resized));
  const auto next = program.written().find("\x1b[J", resized) + 1;
  ASSERT_TRUE(program.wait_for("\x1b[J", next));
  ASSERT_TRUE(program.wait_for("of the client", program.written().find("\x1b[J", next)));
  EXPECT_LT(widest(program.written().substr(program.written().find("\x1b[J", next))), 50U);
  program.interrupt();
  program.wait();
}

TEST_F(Terminal, ADumbOneHasOnePlainLine) {
  OnTerminal program = load({"TERM=dumb"});
  ASSERT_TRUE(program.wait_for("   2 s  "));
  program.interrupt();
  const std::string text = program.wait();
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, ContainsRegex("\r +1 s  [0-9,]+ sent/s"));
}

TEST_F(Terminal, HasNoColourWhereNobodyWantsIt) {
  OnTerminal program = load({"TERM=xterm", "NO_COLOR=1"});
  ASSERT_TRUE(program.wait_for(first_row));
  program.interrupt();
  EXPECT_THAT(program.wait(), Not(ContainsRegex("\x1b\\[[0-9]*m")));
}

TEST_F(Terminal, QuietLeavesTheVerdict) {
  OnTerminal program =
      on_terminal({"TERM=xterm", "NO_COLOR=1"}, {"load", server_.target(), "--width", "u16",
                                                 "--rate", "1000", "--duration", "2s", "--quiet"});
  EXPECT_THAT(program.wait(), ContainsRegex("^(DONE|INCONCLUSIVE|FAILED)[^\r\n]*\r\n$"));
}

TEST_F(Terminal, VerboseIsALineForEachCase) {
  const auto outcome = hallmark(
      {"certify", server_.target(), "--width", "u16", "--operation", "query", "--verbose"});
  EXPECT_THAT(outcome.err, ContainsRegex("\npass +[a-z0-9./-]+/u16/query/"));
  const auto quiet =
      hallmark({"certify", server_.target(), "--width", "u16", "--operation", "query", "--quiet"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(std::ranges::count(quiet.out, '\n'), 1) << quiet.out;
}

TEST_F(Terminal, ACertificationThatPassesFitsTheScreen) {
  OnTerminal program = on_terminal({"TERM=xterm"}, {"certify", server_.target(), "--width", "u16"});
  const std::string text = program.wait();
  const std::string report =
      text.substr(text.rfind("\x1b[K") == std::string::npos ? 0 : text.rfind("\x1b[K"));
  EXPECT_THAT(report, HasSubstr("CERTIFIED"));
  EXPECT_LT(std::ranges::count(report, '\n'), usual.ws_row) << report;
  EXPECT_THAT(report, EndsWith("\n"));
}

}  // namespace
}  // namespace hallmark::e2e
