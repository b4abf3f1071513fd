#include "clients/run/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "clients/run/marked_processes.hpp"

namespace hallmark::clients {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kept_bytes = 16'384;
/// The longest that a wait lasts before the stop flag and the child are looked at.
constexpr milliseconds longest_wait{20};

/// Reads the output of the command, so that it does not block, and keeps the end of it.
class Output {
 public:
  explicit Output(base::Descriptor pipe) : pipe_(std::move(pipe)) {
    ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
  }

  bool may_come() const { return !ended_ && !too_much(); }

  /// Waits for output, at most so long.
  void wait(milliseconds at_most) {
    pollfd waiting{pipe_.get(), POLLIN, 0};
    ::poll(&waiting, 1, static_cast<int>(at_most.count()));
  }

  /// Takes what is there.
  void take() {
    std::array<char, 65'536> bytes;
    while (may_come()) {
      const auto got = base::read_some(pipe_, bytes);
      if (got == 0) ended_ = true;
      if (got <= 0) return;
      printed_ += static_cast<std::uint64_t>(got);
      tail_.append(bytes.data(), static_cast<std::size_t>(got));
      if (tail_.size() > 2 * kept_bytes) tail_.erase(0, tail_.size() - kept_bytes);
    }
  }

  std::uint64_t printed() const { return printed_; }
  bool too_much() const { return printed_ >= CommandEnd::most_printed; }

  std::vector<std::string> last_lines() const {
    constexpr std::size_t longest_line = 300;
    std::vector<std::string> lines;
    std::string_view rest = tail_;
    while (!rest.empty()) lines.push_back(base::excerpt(base::take_line(rest), longest_line));
    if (lines.size() > CommandEnd::most_lines)
      lines.erase(lines.begin(), lines.end() - CommandEnd::most_lines);
    return lines;
  }

 private:
  base::Descriptor pipe_;
  std::string tail_;
  std::uint64_t printed_ = 0;
  bool ended_ = false;
};

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

std::vector<std::string> words_of(const CommandOptions& options) {
  std::vector<std::string> words = options.words;
  for (std::string& word : words) {
    replace_all(word, "{host}", options.host);
    replace_all(word, "{port}", std::to_string(options.port));
  }
  return words;
}

/// Named in the environment, so that what leaves the command's process group is found, too.
std::string next_mark() {
  static std::atomic<std::uint64_t> number{0};
  return fmt::format("HALLMARK_RUN={}-{}", ::getpid(), ++number);
}

/// A shell ends with 128 and the number of the signal that its command died of.
int signal_behind(int exit_code) {
  constexpr int shell_adds = 128;
  for (const int deadly : {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGKILL}) {
    if (exit_code == shell_adds + deadly) return deadly;
  }
  return 0;
}

/// When the time of a command is over. Time in which it could run and had no processor is given
/// back, so that a busy machine ends no command that is well.
class Deadline {
 public:
  Deadline(std::chrono::nanoseconds timeout, std::string_view mark)
      : timeout_(timeout), mark_(mark), began_(Clock::now()), until_(began_ + timeout) {}

  bool is_over() {
    // This thread may lose its processor, too, while it asks: what passes meanwhile is not the
    // command's.
    const auto now = Clock::now();
    if (now < until_) return false;
    const ProcessorUse use = processor_use(mark_);
    const auto most = most_given_back * timeout_;
    // Beside them there are interrupts that others cause: Linux counts these as nobody's time.
    const auto given_back = use.waited + use.waited / 10;
    until_ = std::max(until_, began_ + timeout_ + std::min(given_back, most));
    // A wait that goes on is not among those that were: whoever has not run since the last look,
    // and could have, is in one.
    const auto before = std::exchange(used_, use.used);
    const bool waits = !before || (use.is_runnable && use.used == *before);
    return now >= until_ && (!waits || now >= began_ + timeout_ + most);
  }

 private:
  static constexpr int most_given_back = 9;  ///< timeouts

  std::chrono::nanoseconds timeout_;
  std::string mark_;
  Clock::time_point began_;
  Clock::time_point until_;
  std::optional<std::chrono::nanoseconds> used_;  ///< of processors, at the last look
};

void watch(base::ChildProcess& child, Output& output, const CommandOptions& options,
           Deadline& deadline, CommandEnd& end) {
  while (!child.ended()) {
    output.take();
    if (options.stop != nullptr && *options.stop) {
      end.interrupted = true;
      return;
    }
    if (deadline.is_over()) {
      end.timed_out = true;
      return;
    }
    // Once its output is closed, only its end is left to wait for.
    if (output.may_come()) {
      output.wait(longest_wait);
    } else {
      child.wait(longest_wait);
    }
  }
}

}  // namespace

CommandEnd run_command(const CommandOptions& options) {
  CommandEnd end;
  auto pipe = base::make_pipe();
  if (!pipe) {
    end.not_started = pipe.error().message;
    return end;
  }
  const std::string mark = next_mark();
  base::ChildOptions child_options;
  child_options.out = child_options.err = pipe->write.get();
  child_options.environment = {"HALLMARK_HOST=" + options.host,
                               "HALLMARK_PORT=" + std::to_string(options.port), mark};
  const auto began = Clock::now();
  auto child = base::ChildProcess::start(words_of(options), child_options);
  if (!child) {
    end.not_started = child.error().message;
    return end;
  }
  pipe->write.reset();
  Output output(std::move(pipe->read));
  Deadline deadline(options.timeout, mark);
  watch(**child, output, options, deadline, end);
  end.duration = Clock::now() - began;
  end.exit_code = (*child)->exit_code();
  end.signal = (*child)->ending_signal();
  if (end.signal == 0) end.signal = signal_behind(end.exit_code);
  const bool ended_itself = !end.timed_out && !end.interrupted;
  // Those that still run are ended with the command; only its leaving them is worth telling.
  if (!ended_itself) (*child)->kill();
  auto left = end_marked_processes(mark);
  (*child)->kill();
  if (ended_itself) end.left_behind = std::move(left);
  output.take();
  end.printed_bytes = output.printed();
  end.printed_too_much = output.too_much();
  end.last_lines = output.last_lines();
  return end;
}

std::string in_words(const CommandEnd& end, std::chrono::nanoseconds timeout) {
  if (!end.not_started.empty()) return end.not_started;
  if (end.interrupted) return "was ended before it was done";
  if (end.timed_out) {
    return fmt::format(
        "did not end within {}{}", base::exact_duration(timeout),
        end.printed_too_much
            ? fmt::format(", and printed more than {}", base::human_bytes(CommandEnd::most_printed))
            : "");
  }
  if (end.signal != 0) return "died of signal " + base::signal_in_words(end.signal);
  return fmt::format("exited with code {}", end.exit_code);
}

}  // namespace hallmark::clients
