#include "reports/certify/byte_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "base/hex.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::reports {
namespace {

/// The sizes of a table of bytes.
struct Geometry {
  std::size_t bytes;  ///< in a row
  std::size_t path;   ///< columns of the longest path
  std::size_t text;   ///< columns of the narrowest meaning
};

/// The first one that the terminal has room for counts; else the last.
constexpr Geometry geometries[] = {{8, 28, 20}, {8, 16, 16}, {4, 16, 16}, {4, 12, 12}, {2, 8, 8}};

/// Some bytes of one field, or of what no field covers.
struct Row {
  std::size_t offset = 0;
  std::size_t length = 0;
  const AnnotatedField* field = nullptr;
  bool first = true;  ///< of its field
};

std::size_t extent(const Exchange& exchange) {
  return std::max(exchange.bytes.size(), exchange.expected ? exchange.expected->size() : 0);
}

bool differs_at(const Exchange& exchange, std::size_t at) {
  const auto& expected = *exchange.expected;
  if (at >= exchange.bytes.size() || at >= expected.size()) return true;
  return exchange.bytes[at] != expected[at];
}

bool is_marked(const Exchange& exchange, const Row& row) {
  if (row.first && row.field != nullptr && row.field->wrong) return true;
  if (!exchange.expected) return false;
  for (std::size_t at = row.offset; at < row.offset + row.length; ++at) {
    if (differs_at(exchange, at)) return true;
  }
  return false;
}

void append_rows(std::vector<Row>& rows, std::size_t begin, std::size_t end,
                 const AnnotatedField* field, std::size_t most_bytes) {
  bool first = true;
  do {
    const auto length = std::min(most_bytes, end - begin);
    rows.push_back({begin, length, field, first});
    begin += length;
    first = false;
  } while (begin < end);
}

std::vector<const AnnotatedField*> fields_in_order(const Exchange& exchange) {
  std::vector<const AnnotatedField*> fields;
  for (const auto& field : exchange.fields) fields.push_back(&field);
  std::stable_sort(fields.begin(), fields.end(),
                   [](const auto* a, const auto* b) { return a->offset < b->offset; });
  return fields;
}

/// Every byte once, in order: fields that overlap an earlier one are clipped, gaps filled.
std::vector<Row> rows_of(const Exchange& exchange, std::size_t most_bytes) {
  std::vector<Row> rows;
  const auto end = extent(exchange);
  std::size_t cursor = 0;
  for (const auto* field : fields_in_order(exchange)) {
    const auto begin = std::clamp(field->offset, cursor, std::max(cursor, end));
    if (cursor < begin) append_rows(rows, cursor, begin, nullptr, most_bytes);
    const auto available = end > begin ? end - begin : 0;
    const auto overlap = std::min(begin - std::min(begin, field->offset), field->length);
    append_rows(rows, begin, begin + std::min(field->length - overlap, available), field,
                most_bytes);
    cursor = rows.back().offset + rows.back().length;
  }
  if (cursor < end) append_rows(rows, cursor, end, nullptr, most_bytes);
  return rows;
}

std::string received_cell(const Exchange& exchange, const Row& row, const TerminalStyle& style) {
  std::string cell;
  const bool whole_field = !exchange.expected && is_marked(exchange, row);
  for (std::size_t at = row.offset; at < row.offset + row.length; ++at) {
    const auto byte =
        at < exchange.bytes.size() ? fmt::format("{:02x}", exchange.bytes[at]) : std::string("--");
    const bool wrong = whole_field || (exchange.expected && differs_at(exchange, at));
    if (!cell.empty()) cell += ' ';
    cell += wrong ? paint(style, Colour::red, byte) : byte;
  }
  return cell;
}

std::string expected_cell(const Exchange& exchange, const Row& row, const TerminalStyle& style) {
  if (!exchange.expected) return {};
  std::string cell;
  for (std::size_t at = row.offset; at < row.offset + row.length; ++at) {
    if (!cell.empty()) cell += ' ';
    if (!differs_at(exchange, at)) {
      cell += "··";
    } else if (at >= exchange.expected->size()) {
      cell += "--";
    } else {
      cell += paint(style, Colour::green, fmt::format("{:02x}", (*exchange.expected)[at]));
    }
  }
  return cell;
}

std::string path_of(const Exchange& exchange, const Row& row) {
  if (!row.first) return {};
  if (row.field != nullptr) return base::printable(row.field->path);
  if (row.offset >= exchange.bytes.size()) return "(missing)";
  return exchange.fields.empty() ? "" : "(no field)";
}

class Dump {
 public:
  Dump(const Exchange& exchange, const TerminalStyle& style, std::size_t indent,
       const Geometry& geometry)
      : exchange_(exchange),
        style_(style),
        indent_(indent),
        geometry_(geometry),
        rows_(rows_of(exchange, geometry.bytes)) {}

  std::string render(std::size_t budget) {
    const auto [begin, end] = window(budget);
    std::string text = elision(0, begin, "before");
    for (std::size_t i = begin; i < end; ++i) add(rows_[i]);
    text += table_.render(indent_);
    return text + elision(end, rows_.size(), "after");
  }

 private:
  std::size_t lines_of(const Row& row) const { return is_marked(exchange_, row) ? 2 : 1; }

  /// The rows to show: from two before the first difference, as many lines as the budget has.
  std::pair<std::size_t, std::size_t> window(std::size_t budget) const {
    const auto all =
        std::accumulate(rows_.begin(), rows_.end(), std::size_t{0},
                        [this](std::size_t sum, const Row& row) { return sum + lines_of(row); });
    if (all <= budget) return {0, rows_.size()};
    const auto marked = std::find_if(rows_.begin(), rows_.end(),
                                     [this](const Row& row) { return is_marked(exchange_, row); });
    const auto first = marked == rows_.end() ? 0 : static_cast<std::size_t>(marked - rows_.begin());
    const std::size_t begin = first > 2 ? first - 2 : 0;
    std::size_t end = begin;
    for (std::size_t lines = 0; end < rows_.size(); ++end) {
      lines += lines_of(rows_[end]);
      // The difference itself is shown however small the budget.
      if (lines > budget && end > first) break;
    }
    return {begin, end};
  }

  void add(const Row& row) {
    const bool marked = is_marked(exchange_, row);
    const bool named = row.first && row.field != nullptr;
    const std::size_t room = style_.width - std::min(style_.width, indent_ + columns_before_text());
    const auto parts = [&](const std::string& value) { return in_parts(value, room); };
    add_wrapped({marked ? paint(style_, Colour::red, "!") : " ", fmt::format("{:04x}", row.offset),
                 received_cell(exchange_, row, style_)},
                in_parts(path_of(exchange_, row), geometry_.path),
                named ? parts(row.field->meaning) : Parts());
    if (!marked) return;
    add_wrapped({"", "", expected_cell(exchange_, row, style_)}, {"expected"},
                named ? parts(row.field->expected) : Parts());
  }

  using Parts = std::vector<std::string>;

  /// The text in lines of so many columns.
  Parts in_parts(const std::string& text, std::size_t columns) const {
    const std::string lines = wrapped(text, {.width = std::max(columns, geometry_.text)}, 0);
    Parts parts;
    for (const std::string_view part : base::split(lines, '\n')) parts.emplace_back(part);
    parts.pop_back();  // behind the last line's end
    return parts;
  }

  /// A row, and below it the lines of its path and of its text that do not fit.
  void add_wrapped(Parts cells, const Parts& path, const Parts& text) {
    const auto part = [](const Parts& of, std::size_t i) { return i < of.size() ? of[i] : ""; };
    for (std::size_t i = 0; i == 0 || i < std::max(path.size(), text.size()); ++i) {
      cells.push_back(part(path, i));
      cells.push_back(part(text, i));
      table_.add(std::exchange(cells, Parts(3)));
    }
  }

  /// The mark, the offset, the bytes and the path, with the gaps behind them.
  std::size_t columns_before_text() const {
    constexpr std::size_t gaps = 8;
    constexpr std::size_t mark_and_offset = 1 + 4;
    return mark_and_offset + 3 * geometry_.bytes - 1 + geometry_.path + gaps;
  }

  std::string elision(std::size_t begin, std::size_t end, std::string_view where) const {
    if (begin >= end) return {};
    const auto bytes = rows_[end - 1].offset + rows_[end - 1].length - rows_[begin].offset;
    const auto line = fmt::format("… {} {}", base::counted(bytes, "byte", "bytes"), where);
    return std::string(indent_ + 3, ' ') + paint(style_, Colour::dim, line) + '\n';
  }

  const Exchange& exchange_;
  const TerminalStyle& style_;
  std::size_t indent_;
  const Geometry& geometry_;
  std::vector<Row> rows_;
  Table table_{{Align::left, Align::left, Align::left, Align::left, Align::left}};
};

std::string heading(const Exchange& exchange) {
  auto text = fmt::format("{} {} {} at {}", base::printable(exchange.connection),
                          name_of(exchange.direction),
                          base::counted(exchange.bytes.size() + exchange.omitted, "byte", "bytes"),
                          base::human_duration(exchange.at));
  if (exchange.expected && exchange.expected->size() != exchange.bytes.size()) {
    text += fmt::format(", expected {}", base::grouped(exchange.expected->size()));
  }
  if (exchange.omitted > 0) text += fmt::format(", {} not kept", base::grouped(exchange.omitted));
  return text;
}

/// A line of JSON says itself what its fields are.
bool is_json_line(const Exchange& exchange) {
  const Bytes& bytes = exchange.bytes;
  return exchange.fields.empty() && !exchange.expected && !bytes.empty() && bytes.front() == '{' &&
         std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b >= 0x20; });
}

/// The line in as many rows as it takes; what is beyond `rows` is counted.
std::string dump_line(const Exchange& exchange, const TerminalStyle& style, std::size_t rows,
                      std::size_t indent) {
  constexpr std::size_t narrowest = 40;
  const std::size_t room = std::max(narrowest, style.width - std::min(style.width, indent + 3));
  const std::string margin(indent + 3, ' ');
  std::string rest = base::printable(std::string(exchange.bytes.begin(), exchange.bytes.end()));
  std::string text;
  for (std::size_t row = 0; row < rows && !rest.empty(); ++row) {
    std::size_t end = std::min(room, rest.size());
    while (end < rest.size() && (static_cast<unsigned char>(rest[end]) & 0xc0) == 0x80) --end;
    text += margin + rest.substr(0, end) + '\n';
    rest.erase(0, end);
  }
  if (rest.empty()) return text;
  const auto line = fmt::format("… {} after", base::counted(rest.size(), "byte", "bytes"));
  return text + margin + paint(style, Colour::dim, line) + '\n';
}

bool fits(std::string_view lines, const TerminalStyle& style) {
  return std::ranges::all_of(base::split(lines, '\n'), [&](std::string_view line) {
    return base::display_width(line) <= style.width;
  });
}

}  // namespace

bool has_difference(const Exchange& exchange) {
  if (exchange.expected && *exchange.expected != exchange.bytes) return true;
  return std::any_of(exchange.fields.begin(), exchange.fields.end(),
                     [](const AnnotatedField& field) { return field.wrong; });
}

std::string dump_exchange(const Exchange& exchange, const TerminalStyle& style, std::size_t rows,
                          std::size_t indent) {
  const std::string first = painted_lines(style, Colour::cyan, heading(exchange), indent, 2);
  if (is_json_line(exchange)) return first + dump_line(exchange, style, rows, indent);
  TerminalStyle plain = style;
  plain.colour = false;
  const auto* const last = std::prev(std::end(geometries));
  const auto* const geometry = std::find_if(geometries, last, [&](const Geometry& one) {
    return fits(Dump(exchange, plain, indent, one).render(rows), style);
  });
  return first + Dump(exchange, style, indent, *geometry).render(rows);
}

std::string brief_exchange(const Exchange& exchange, const TerminalStyle& style,
                           std::size_t indent) {
  const auto start = heading(exchange);
  const auto room = style.width - std::min(style.width, indent + base::display_width(start) + 2);
  constexpr std::size_t columns_of_byte = 3;
  constexpr std::size_t columns_of_rest = 18;  // and 1,000,000 more
  const auto fitting = (room + 1) / columns_of_byte;
  const auto kept =
      exchange.bytes.size() <= fitting
          ? exchange.bytes.size()
          : std::max<std::size_t>(room, columns_of_rest + columns_of_byte) / columns_of_byte -
                columns_of_rest / columns_of_byte;
  auto bytes = base::to_hex(std::span(exchange.bytes).first(kept), " ");
  if (const auto rest = exchange.bytes.size() - kept; rest > 0)
    bytes += fmt::format(" and {} more", base::grouped(rest));
  return fmt::format("{:{}}{}  {}\n", "", indent, paint(style, Colour::cyan, start), bytes);
}

}  // namespace hallmark::reports
