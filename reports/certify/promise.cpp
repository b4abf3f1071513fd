#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.hpp"
#include "reports/certify/code.hpp"

namespace hallmark::reports {
namespace {

constexpr std::string_view number_mark = "#";
constexpr std::string_view quotation_mark = "…";
constexpr std::size_t longest_promise = 160;  // columns

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

/// Takes a sentence apart from its front, and puts together what stays of it.
class Promise {
 public:
  explicit Promise(std::string_view sentence) : rest_(sentence) {}

  std::string derive() {
    while (!rest_.empty()) {
      if (take_quotation() || take_number()) continue;
      text_ += rest_.front();
      rest_.remove_prefix(1);
    }
    return std::move(text_);
  }

 private:
  bool inside_word() const { return !text_.empty() && is_word(text_.back()); }

  void replace(std::size_t length, std::string_view mark) {
    text_ += mark;
    rest_.remove_prefix(length);
  }

  /// The length of the quotation at the front; 0: there is none.
  std::size_t quotation() const {
    switch (rest_.front()) {
      case '"': return std::min(rest_.find('"', 1), rest_.size() - 1) + 1;
      case '{': return object();
      case '\'': break;
      default: return 0;
    }
    // An apostrophe stands behind a letter, or before one.
    if (inside_word()) return 0;
    std::size_t end = rest_.find('\'', 1);
    while (end != std::string_view::npos && end + 1 < rest_.size() && is_word(rest_[end + 1]))
      end = rest_.find('\'', end + 1);
    return end == std::string_view::npos ? 0 : end + 1;
  }

  /// Up to the brace that closes the first one; all of the rest where none does.
  std::size_t object() const {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '{') ++depth;
      if (rest_[i] == '}' && --depth == 0) return i + 1;
    }
    return rest_.size();
  }

  bool take_quotation() {
    const std::size_t length = quotation();
    if (length > 0) replace(length, quotation_mark);
    return length > 0;
  }

  /// The length of the word at the front if it is written in hexadecimal digits; otherwise 0.
  std::size_t hex_word() const {
    const auto end =
        static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_word) - rest_.begin());
    const std::string_view word = rest_.substr(0, end);
    const bool hex = std::ranges::any_of(word, is_digit) && std::ranges::all_of(word, is_hex);
    return hex ? end : 0;
  }

  /// The length of the decimal number at the front, grouped or with dots, as `127.0.0.1` is.
  std::size_t decimal() const {
    std::size_t length = rest_.starts_with('-') && !inside_word() ? 1 : 0;
    if (length == rest_.size() || !is_digit(rest_[length])) return 0;
    while (length < rest_.size()) {
      const bool joins = (rest_[length] == '.' || rest_[length] == ',') &&
                         length + 1 < rest_.size() && is_digit(rest_[length + 1]);
      if (!is_digit(rest_[length]) && !joins) break;
      ++length;
    }
    return length;
  }

  /// The length of a unit of time behind a number: one time it is in ms, another time in s.
  static std::size_t unit_in(std::string_view behind) {
    constexpr std::array<std::string_view, 4> units = {" ns", " µs", " ms", " s"};
    for (const std::string_view unit : units) {
      if (!behind.starts_with(unit)) continue;
      if (behind.size() == unit.size() || !is_word(behind[unit.size()])) return unit.size();
    }
    return 0;
  }

  bool take_number() {
    if (!inside_word()) {
      if (const std::size_t length = hex_word(); length > 0 && decimal() < length) {
        replace(length, number_mark);
        return true;
      }
    }
    const std::size_t length = decimal();
    if (length == 0) return false;
    replace(length + unit_in(rest_.substr(length)), number_mark);
    return true;
  }

  std::string_view rest_;
  std::string text_;
};

}  // namespace

std::string promise_of(std::string_view sentence) {
  return base::shorten(Promise(base::printable(sentence)).derive(), longest_promise);
}

}  // namespace hallmark::reports
