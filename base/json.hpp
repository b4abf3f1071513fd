#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace hallmark::base {

/// A place in a text, counted from 1; columns are bytes.
struct TextPlace {
  std::uint32_t line = 0;    ///< 0: the text is a single line
  std::uint32_t column = 0;  ///< 0: the value was not read from a text
};

/// "line 3, column 7", or "column 7".
std::string in_words(TextPlace place);

/// A JSON value. Members of objects keep their order; whole numbers keep 64 bits.
class Json {
 public:
  struct Member;
  struct Braced;
  using Items = std::vector<Json>;
  using Members = std::vector<Member>;

  Json() noexcept;  ///< null
  Json(std::nullptr_t) noexcept;
  Json(const char* text) : Json(std::string(text)) {}
  Json(std::string_view text) : Json(std::string(text)) {}
  Json(std::string text) noexcept;
  template <std::same_as<bool> Bool>
  Json(Bool value) noexcept;
  template <std::integral Whole>
  requires(!std::same_as<Whole, bool>) Json(Whole number)
  noexcept;
  template <std::floating_point Real>
  Json(Real number) noexcept;
  /// An object: `{{"name", value}, …}`.
  Json(std::initializer_list<Braced> members);
  /// Other braces would be taken for an object or a text: an array has to say that it is one.
  Json(std::initializer_list<std::initializer_list<Braced>>) = delete;
  Json(std::initializer_list<const char*>) = delete;
  Json(std::initializer_list<int>) = delete;
  /// An array of what is in the range; of a map, the object.
  template <std::ranges::input_range Range>
  requires(!std::convertible_to<const Range&, std::string_view>) Json(const Range& range);

  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  static Json array(Items items = {});
  static Json object();

  bool is_null() const { return holds<std::monostate>(); }
  bool is_boolean() const { return holds<bool>(); }
  bool is_number() const { return is_natural() || is_negative() || holds<double>(); }
  /// True if it is a whole number from 0 to 2^64 - 1, written without a point or an exponent.
  bool is_natural() const { return holds<std::uint64_t>(); }
  /// True if it is a whole number below 0, written so.
  bool is_negative() const { return holds<std::int64_t>(); }
  bool is_string() const { return holds<std::string>(); }
  bool is_array() const { return holds<Items>(); }
  bool is_object() const { return holds<Members>(); }

  /// The value as that kind. Precondition: it is of that kind, else std::bad_variant_access is
  /// thrown.
  bool boolean() const { return std::get<bool>(value_); }
  std::uint64_t natural() const { return std::get<std::uint64_t>(value_); }
  std::int64_t negative() const { return std::get<std::int64_t>(value_); }
  double real() const;  ///< of any number
  const std::string& string() const { return std::get<std::string>(value_); }
  std::string& string() { return std::get<std::string>(value_); }

  /// The items of an array; of everything else, none.
  const Items& items() const;
  /// The members of an object; of everything else, none.
  const Members& members() const;
  /// Returns the items or members to be changed. A null becomes an empty array or object first.
  /// Precondition: the value is null, or the one that is asked for.
  Items& mutable_items();
  Members& mutable_members();

  /// The number of items, members or characters; 1 for other values, 0 for null.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  /// Null pointer: this is not an object, or has no such member.
  const Json* find(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// Null where there is none.
  const Json& operator[](std::string_view name) const;
  const Json& operator[](std::size_t index) const;
  /// Adds the member, as null, where there is none. Precondition: an object or null.
  Json& operator[](std::string_view name);
  /// Precondition: there is one, else std::out_of_range is thrown.
  Json& operator[](std::size_t index);

  /// Appends to an array; a null becomes one.
  void push_back(Json item);
  /// Takes over all members of another object: those that are here change, others are added.
  void update(Json other);
  void erase(std::string_view name);

  /// Returns JSON text. `indent`: the number of spaces for each level, with every value on a line
  /// of its own; below 0, all is on one line. Bytes that are not UTF-8 become U+FFFD, and numbers
  /// that are not finite become null.
  std::string dump(int indent = -1) const;

  TextPlace place() const { return place_; }
  void set_place(TextPlace place) { place_ = place; }

  /// Numbers are compared by value, objects without regard to the order of members.
  friend bool operator==(const Json& a, const Json& b);

 private:
  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                             Items, Members>;

  template <class T>
  bool holds() const {
    return std::holds_alternative<T>(value_);
  }
  template <class Whole>
  static Value whole(Whole number) noexcept;

  Value value_;
  TextPlace place_;
};

/// A member of an object.
struct Json::Member {
  std::string name;
  Json value;
  bool operator==(const Member&) const = default;
};

/// A member as it stands in braces; only for the constructor.
struct Json::Braced {
  Braced(std::string_view its_name, Json its_value) : name(its_name), value(std::move(its_value)) {}
  std::string_view name;
  mutable Json value;  ///< is moved out, which lists in braces do not allow otherwise
};

template <class Whole>
Json::Value Json::whole(Whole number) noexcept {
  if (std::in_range<std::uint64_t>(number)) return static_cast<std::uint64_t>(number);
  return static_cast<std::int64_t>(number);
}

template <std::same_as<bool> Bool>
Json::Json(Bool value) noexcept : value_(value) {}

template <std::integral Whole>
requires(!std::same_as<Whole, bool>) Json::Json(Whole number)
noexcept : value_(whole(number)) {}

template <std::floating_point Real>
Json::Json(Real number) noexcept : value_(static_cast<double>(number)) {}

template <std::ranges::input_range Range>
requires(!std::convertible_to<const Range&, std::string_view>) Json::Json(const Range& range) {
  if constexpr (requires { range.begin()->second; }) {
    *this = object();
    for (const auto& [name, value] : range) mutable_members().push_back({std::string(name), value});
  } else {
    *this = array();
    for (const auto& item : range) push_back(Json(item));
  }
}

struct JsonOptions {
  std::size_t depth = 64;           ///< at most, of objects and arrays within each other
  std::size_t values = 10'000'000;  ///< at most, in the whole text: each takes about 100 bytes
  /// The text is a line of a file: places name the column alone.
  bool is_line = false;
};

/// Reads one JSON text (RFC 8259), which has to be UTF-8. Errors: one line with the place, what
/// came and what was expected. Members of the same name, numbers beyond a double and what exceeds
/// the bounds of the options are errors, too.
Result<Json> parse_json(std::string_view text, const JsonOptions& options = {});

}  // namespace hallmark::base
