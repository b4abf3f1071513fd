#pragma once
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace hallmark::reports {

/// How to render for a terminal. Decided once by the command, then passed down: renderers never
/// look at the environment.
struct TerminalStyle {
  bool colour = false;
  std::size_t width = 100;       ///< columns
  std::size_t height = 0;        ///< rows; 0: not a terminal, nothing has to fit
  std::size_t max_failures = 5;  ///< shown with their bytes; the rest are counted
};

bool is_terminal(std::FILE* stream);

/// Colour when `stream` is a terminal and NO_COLOR (no-color.org) is unset or empty; the size from
/// the terminal itself.
TerminalStyle style_for(std::FILE* stream);

enum class Colour { red, green, yellow, cyan, dim, bold };

/// `text` in that colour, or unchanged when `style` has none.
std::string paint(const TerminalStyle& style, Colour colour, std::string_view text);

enum class Align { left, right };

/// Columns of text, aligned by what is seen: cells may hold what `paint` made.
class Table {
 public:
  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

  /// Cells beyond the number of columns are dropped; missing ones are empty.
  void add(std::vector<std::string> cells);
  /// As `add`, every cell painted after it is aligned.
  void add(std::vector<std::string> cells, const TerminalStyle& style, Colour colour);

  /// Lines with a leading `indent` and no trailing blanks, each ended by a newline.
  std::string render(std::size_t indent = 0) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string before, after;
  };
  std::vector<std::size_t> widths() const;

  std::vector<Align> columns_;
  std::vector<Row> rows_;
};

/// One line on a terminal that replaces itself; nothing at all on anything else.
/// The line appears only after the work has taken `delay`, so that quick commands stay quiet.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// `stream` is usually stderr; `enabled` usually `is_terminal(stream)`.
  ProgressLine(std::FILE* stream, bool enabled, std::size_t width,
               std::chrono::milliseconds delay = std::chrono::seconds(1),
               Clock::time_point started = Clock::now());
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows `text`, at most ten times a second.
  void update(std::string_view text, Clock::time_point now = Clock::now());
  /// "412/850 cases · 2 failed": done, total and what else there is to say.
  void update(std::size_t done, std::size_t total, std::string_view what,
              Clock::time_point now = Clock::now());
  /// Removes the line, so that other output can follow.
  void clear();

 private:
  bool due(Clock::time_point now) const;

  std::FILE* stream_;
  bool enabled_;
  std::size_t width_;
  Clock::time_point visible_from_;
  Clock::time_point last_shown_{};
  bool shown_ = false;
};

}  // namespace hallmark::reports
