#include "oracle/history_lanes.hpp"

#include <algorithm>
#include <map>

namespace hallmark::oracle {
namespace {

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// A line of cells, each a code point. What is put beyond its end is lost.
class Row {
 public:
  explicit Row(std::size_t columns) : cells_(columns, " ") {}

  void put(std::size_t at, std::string_view cell) {
    if (at < cells_.size()) cells_[at] = cell;
  }
  void write(std::size_t at, std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i + 1;
      while (end < text.size() && (text[end] & 0xc0) == 0x80) ++end;
      put(at++, text.substr(i, end - i));
      i = end;
    }
  }
  /// Returns it without the blanks at its end.
  std::string part(std::size_t from, std::size_t to) const {
    std::string text;
    for (std::size_t i = from; i < std::min(to, cells_.size()); ++i) text += cells_[i];
    return text.erase(text.find_last_not_of(' ') + 1);
  }

 private:
  std::vector<std::string> cells_;
};

/// A lane: spans that overlap stand below each other.
class Lane {
 public:
  Row& row_for(std::size_t from, std::size_t to, std::size_t columns) {
    auto found = std::ranges::find_if(rows_, [&](const auto& row) { return row.first <= from; });
    if (found == rows_.end()) found = rows_.insert(rows_.end(), {0, Row(columns)});
    found->first = to + 1;
    return found->second;
  }

  /// Those of its lines that have something in the part; the first begins with the name.
  void append_part(std::vector<std::string>& lines, std::string name, std::size_t margin,
                   std::size_t from, std::size_t to) const {
    for (const auto& [free_from, row] : rows_) {
      const std::string part = row.part(from, to);
      if (part.empty()) continue;
      lines.push_back(name + std::string(margin - columns_of(name), ' ') + part);
      name.clear();
    }
  }

 private:
  std::vector<std::pair<std::size_t, Row>> rows_;  ///< and from where on each is free
};

}  // namespace

/// A beginning or an end.
struct Lanes::Edge {
  std::int64_t at;
  bool ends;
  std::size_t span;
};

/// The position of everything, as if there were room for all of it side by side.
struct Lanes::Layout {
  std::size_t margin = 0;   ///< columns of the names of lanes
  std::size_t columns = 0;  ///< of a part
  std::size_t width = 0;
  std::vector<std::size_t> from;  ///< by span: a column
  std::vector<std::size_t> to;
  std::vector<std::pair<std::int64_t, std::size_t>> times;  ///< with their columns
};

std::vector<Lanes::Edge> Lanes::edges() const {
  std::vector<Edge> all;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    all.push_back({spans_[i].from, false, i});
    if (spans_[i].to) all.push_back({*spans_[i].to, true, i});
  }
  std::ranges::stable_sort(all, {}, [](const Edge& edge) { return std::pair(edge.at, edge.ends); });
  return all;
}

/// Labels are not cut by the end of a part: what would be begins the next one.
Lanes::Layout Lanes::laid_out() const {
  Layout layout;
  for (const Span& span : spans_)
    layout.margin = std::max(layout.margin, columns_of(span.lane) + 2);
  layout.columns = most_columns_ - std::min(most_columns_ / 2, layout.margin);
  layout.from.resize(spans_.size());
  layout.to.resize(spans_.size());
  for (const Edge& edge : edges()) {
    const std::size_t room = columns_of(spans_[edge.span].label) + 1;
    std::size_t at = layout.width;
    const std::size_t within = at % layout.columns;
    if (edge.ends) {
      at = std::max(at, layout.from[edge.span] + room);
    } else if (within + room >= layout.columns) {
      at += layout.columns - within;
    }
    (edge.ends ? layout.to : layout.from)[edge.span] = at;
    layout.times.emplace_back(edge.at, at);
    layout.width = at + 1;
  }
  end_open_spans(layout);
  return layout;
}

/// Ends the spans that have no end a little beyond everything that has one.
void Lanes::end_open_spans(Layout& layout) const {
  const std::size_t end = layout.width;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    if (spans_[i].to) continue;
    layout.to[i] = std::max(end, layout.from[i] + columns_of(spans_[i].label) + 2);
    layout.width = std::max(layout.width, layout.to[i]);
  }
}

/// Draws as many of the times as there is room for.
std::vector<std::string> Lanes::drawn(std::size_t marked, const std::string& note,
                                      const TimeText& time) const {
  const Layout layout = laid_out();
  Row axis(layout.width + layout.columns);
  std::size_t free_from = 0;
  for (const auto& [at, column] : layout.times) {
    const std::string text = time(at - layout.times.front().first);
    const bool fits = column % layout.columns + columns_of(text) <= layout.columns;
    if (column < free_from || !fits) continue;
    axis.write(column, text);
    free_from = column + columns_of(text) + 2;
  }
  std::map<std::string, Lane> lanes;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const std::size_t from = layout.from[i];
    Row& row = lanes[spans_[i].lane].row_for(from, layout.to[i], layout.width);
    for (std::size_t at = from; at < layout.to[i]; ++at) row.put(at, spans_[i].to ? "─" : "╌");
    row.put(from, "├");
    row.write(from + 1, spans_[i].label);
    if (spans_[i].to) row.put(layout.to[i], "┤");
  }
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < layout.width; from += layout.columns) {
    const std::size_t to = from + layout.columns;
    lines.push_back(std::string(layout.margin, ' ') + axis.part(from, to));
    for (const auto& [name, lane] : lanes) lane.append_part(lines, name, layout.margin, from, to);
    const std::size_t mark = layout.to[marked];
    if (mark >= from && mark < to)
      lines.push_back(std::string(layout.margin + mark - from, ' ') + "▲");
  }
  lines.push_back(note);
  return lines;
}

}  // namespace hallmark::oracle
