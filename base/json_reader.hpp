#pragma once
#include <boost/container/small_vector.hpp>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace hallmark::base {

/// Thrown where a document is not as its reader expects: one line with the place, what came and
/// what was expected. Does not leave `read_document` and `read_json`.
struct JsonMismatch : Error {};

/// A value of a document, as what it has to be. Every complaint names the line and the column in
/// the text and the way to the value as a JSON pointer (RFC 6901).
class JsonReader {
 public:
  /// `document` has to outlive the reader.
  explicit JsonReader(const Json& document) : JsonReader(document, document) {}
  explicit JsonReader(Json&&) = delete;

  const Json& json() const { return *value_; }

  /// "PLACE: expected EXPECTED, came VALUE"
  [[noreturn]] void refuse(std::string_view expected) const;
  /// "PLACE: WHAT"
  [[noreturn]] void complain(std::string_view what) const;

  const std::string& string() const;
  /// A string that a terminal may show as it is: see `printable`.
  const std::string& printable_string() const;
  bool boolean() const;
  /// A whole number from `least` to `most`.
  std::uint64_t natural(std::uint64_t least = 0,
                        std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  /// A whole number of 64 bits in a string: many readers of JSON keep 53 bits of a number.
  std::uint64_t natural_in_string() const;
  /// Any number from 0.
  double real() const;
  std::vector<JsonReader> items() const;
  /// The members of an object whose names are data.
  std::vector<std::pair<std::string_view, JsonReader>> members() const;
  /// A list of strings that a terminal may show, and an object of such names and values.
  std::vector<std::string> printable_strings() const;
  std::map<std::string, std::string> printable_map() const;

  /// One of `values`, by what `name_of` calls it.
  template <class Enum>
  Enum one_of(std::initializer_list<Enum> values) const {
    return one_of<std::initializer_list<Enum>>(values);
  }
  template <class Values>
  auto one_of(const Values& values) const {
    std::string names;
    for (const auto value : values) {
      if (json().is_string() && name_of(value) == json().string()) return value;
      names += names.empty() ? "one of " : ", ";
      names += name_of(value);
    }
    refuse(names);
  }

 private:
  friend class JsonMembers;
  JsonReader(const Json& value, const Json& document) : value_(&value), document_(&document) {}
  JsonReader at(const Json& value) const { return {value, *document_}; }
  std::string where() const;

  const Json* value_;
  const Json* document_;
};

/// The members of an object, each asked for by its name. `no_more` refuses those for which nobody
/// has asked.
class JsonMembers {
 public:
  /// Refuses what is not an object.
  explicit JsonMembers(JsonReader object);

  /// Refuses the object where there is none.
  JsonReader operator[](std::string_view name);
  /// The member of that name; empty if there is none.
  std::optional<JsonReader> find(std::string_view name);
  /// Names the members for which was asked as those that are allowed.
  void no_more() const;

 private:
  JsonReader object_;
  boost::container::small_vector<std::string_view, 16> asked_;
};

/// Calls `read` with a reader of the document. Errors: the mismatch that it throws.
template <class Read>
auto read_document(const Json& document, Read read)
    -> Result<std::invoke_result_t<Read, JsonReader>> {
  try {
    return read(JsonReader(document));
  } catch (const JsonMismatch& mismatch) {
    return Error(mismatch);
  }
}

/// Parses the text, and reads the document. Errors: those of both.
template <class Read>
auto read_json(std::string_view text, Read read, const JsonOptions& options = {})
    -> Result<std::invoke_result_t<Read, JsonReader>> {
  const auto document = parse_json(text, options);
  if (!document) return document.error();
  return read_document(*document, read);
}

}  // namespace hallmark::base
