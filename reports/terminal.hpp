#pragma once
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hallmark::reports {

/// The style of reports on a terminal. The command decides it once and passes it down: renderers
/// never look at the environment.
struct TerminalStyle {
  bool colour = false;
  bool terminal = false;
  bool dumb = true;              ///< not a terminal, or one whose cursor cannot be moved
  std::size_t width = 100;       ///< columns
  std::size_t height = 0;        ///< rows; 0: not a terminal, nothing has to fit
  std::size_t max_failures = 5;  ///< shown with their bytes; the rest are counted
};

bool is_terminal(std::FILE* stream);

/// Colour when `stream` is a terminal that has it by terminfo, and NO_COLOR (no-color.org) is unset
/// or empty; the size from the terminal itself.
TerminalStyle style_for(std::FILE* stream);

enum class Colour { red, green, yellow, cyan, dim, bold };

/// `text` in that colour, or unchanged when `style` has none.
std::string paint(const TerminalStyle& style, Colour colour, std::string_view text);

/// The text, made printable, on as many lines of the terminal as it needs, broken between words
/// where that is possible. Every line stands behind `indent` blanks, all but the first behind
/// `hang` more, and ends with a newline. A text of more than 64 lines ends with an ellipsis: a
/// stranger may have written it.
std::string wrapped(std::string_view text, const TerminalStyle& style, std::size_t indent = 0,
                    std::size_t hang = 0);

/// `wrapped`, each line painted.
std::string painted_lines(const TerminalStyle& style, Colour colour, std::string_view text,
                          std::size_t indent = 0, std::size_t hang = 0);

enum class Align { left, right };

/// Columns of text, aligned by what is seen: cells may hold what `paint` made.
class Table {
 public:
  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

  /// Cells beyond the number of columns are dropped; missing ones are empty.
  void add(std::vector<std::string> cells);
  /// Adds a row as `add` does, and paints every cell after it has been aligned.
  void add(std::vector<std::string> cells, const TerminalStyle& style, Colour colour);

  /// Lines with a leading `indent` and no trailing blanks, each ended by a newline.
  std::string render(std::size_t indent = 0) const;
  /// Renders as `render` does, but wraps the last column, of plain text, where the terminal ends.
  std::string render_wrapped(const TerminalStyle& style, std::size_t indent = 0) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string before, after;
  };
  std::vector<std::size_t> widths() const;
  /// Its cells but for `without` at the end, beside each other.
  std::string line_of(const Row& row, const std::vector<std::size_t>& widths,
                      std::size_t without) const;

  std::vector<Align> columns_;
  std::vector<Row> rows_;
};

/// A few lines on a terminal that stay in place while work lasts; on a dumb terminal the first of
/// them; nothing at all on anything else. They appear only after the work has taken `delay`, so
/// that quick commands stay quiet.
class ProgressLines {
 public:
  using Clock = std::chrono::steady_clock;
  /// Asked before each drawing, since the size of a terminal may change.
  using Style = std::function<TerminalStyle()>;

  /// `stream` is usually stderr.
  explicit ProgressLines(std::FILE* stream, bool wanted = true,
                         std::chrono::milliseconds delay = std::chrono::seconds(1))
      : ProgressLines(
            stream, wanted, [stream] { return style_for(stream); }, delay) {}
  ProgressLines(std::FILE* stream, bool wanted, Style style, std::chrono::milliseconds delay,
                Clock::time_point started = Clock::now());
  ~ProgressLines() { clear(); }
  ProgressLines(const ProgressLines&) = delete;
  ProgressLines& operator=(const ProgressLines&) = delete;

  /// Shows these lines, at most ten times a second.
  void update(const std::vector<std::string>& lines, Clock::time_point now = Clock::now());
  void update(std::string_view text, Clock::time_point now = Clock::now());
  /// "412/850 cases · 2 failed": done, total and what else there is to say.
  void update(std::size_t done, std::size_t total, std::string_view what,
              Clock::time_point now = Clock::now());
  /// Removes the lines, so that other output can follow.
  void clear();

 private:
  bool due(Clock::time_point now) const;
  std::string to_first_row(const TerminalStyle& style) const;

  std::FILE* stream_;
  bool wanted_;
  Style style_;
  Clock::time_point visible_from_;
  Clock::time_point last_shown_{};
  std::vector<std::size_t> shown_;  ///< the widths of the lines that are there
};

/// A bar of `columns` that is filled to `share`, 0 to 1.
std::string progress_bar(double share, std::size_t columns);

/// A column a value, as high as the value is between the smallest and the largest; blanks for
/// values that are not finite.
std::string sparkline(std::span<const double> values);

}  // namespace hallmark::reports
