#pragma once
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace hallmark::base {

/// The place of a parser of JSON in its text. The parser takes bytes through the iterators; after
/// each token that it reports, `take_token` finds where that token stands.
class JsonCursor {
 public:
  class Iterator;

  /// `is_line`: places name no line.
  explicit JsonCursor(std::string_view text, bool is_line = false);
  JsonCursor(const JsonCursor&) = delete;
  JsonCursor& operator=(const JsonCursor&) = delete;

  Iterator begin();
  Iterator end();

  /// The token that the parser has just read; numbers are read one byte beyond their end.
  void take_token();

  /// The place of the last token.
  TextPlace place() const;
  /// The place of the last byte that the parser took.
  TextPlace place_of_last_byte() const;
  char last_byte() const { return at_ == begin_ ? '\0' : at_[-1]; }
  /// The last token as far as the parser read it, cut where a message would become too long. Empty:
  /// the text ends here.
  std::string_view token() const;
  /// `,` or `:` where one stands before the last token, otherwise 0.
  char separator() const { return separator_; }

 private:
  TextPlace place_of(const char* byte) const;

  const char* begin_;
  const char* end_;
  const char* at_;          ///< the position of the parser
  const char* known_;       ///< the end of the last token
  const char* token_;       ///< its beginning
  const char* line_begin_;  ///< of the line that it is in
  std::uint32_t line_ = 1;
  bool is_line_;
  char separator_ = '\0';
};

/// Goes through the text once, and tells the cursor of every step: an input iterator.
class JsonCursor::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  /// `told`: where the cursor is.
  Iterator(const char* at, const char*& told) : at_(at), told_(&told) {}
  reference operator*() const { return *at_; }
  Iterator& operator++() {
    *told_ = ++at_;
    return *this;
  }
  bool operator==(const Iterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** told_;
};

inline JsonCursor::Iterator JsonCursor::begin() { return {begin_, at_}; }
inline JsonCursor::Iterator JsonCursor::end() { return {end_, at_}; }

}  // namespace hallmark::base
