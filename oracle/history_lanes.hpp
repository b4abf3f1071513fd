#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hallmark::oracle {

/// Something with a beginning in a lane, and an end if it has one.
struct Span {
  std::string lane;
  std::string label;  ///< UTF-8, a column a code point
  std::int64_t from = 0;
  std::optional<std::int64_t> to = {};
};

/// Spans side by side as text. Columns are in the order of time, not in its measure: each beginning
/// and end has one of its own, and labels have the room they need.
class Lanes {
 public:
  /// Lines that are wider than `most_columns` go on further down.
  explicit Lanes(std::size_t most_columns) : most_columns_(most_columns) {}

  void add(Span span) { spans_.push_back(std::move(span)); }

  using TimeText = std::function<std::string(std::int64_t)>;

  /// Draws the spans, with a mark at the end of the span that was added as number `marked` and the
  /// note to it below. Times count from the first beginning.
  std::vector<std::string> drawn(std::size_t marked, const std::string& note,
                                 const TimeText& time) const;

 private:
  struct Edge;
  struct Layout;

  std::vector<Edge> edges() const;
  Layout laid_out() const;
  void end_open_spans(Layout& layout) const;

  std::size_t most_columns_;
  std::vector<Span> spans_;
};

}  // namespace hallmark::oracle
