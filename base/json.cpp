#include "base/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/json_cursor.hpp"
#include "base/text.hpp"

// Parsing and printing, by nlohmann's parser and printer: the one source that includes it.

namespace hallmark::base {
namespace {

using Library = nlohmann::json;

/// The first member with the name of one before it; null pointer: there is none.
const Json::Member* doubled(const Json::Members& members) {
  std::unordered_set<std::string_view> seen;
  for (const Json::Member& one : members) {
    if (!seen.insert(one.name).second) return &one;
  }
  return nullptr;
}

/// Returns true if `doubled` would find a member; faster for the few members that objects usually
/// have.
bool has_doubled(const Json::Members& members) {
  constexpr std::size_t few = 24;
  if (members.size() > few) return doubled(members) != nullptr;
  for (auto one = members.begin(); one != members.end(); ++one) {
    if (std::ranges::find(members.begin(), one, one->name, &Json::Member::name) != one) return true;
  }
  return false;
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", excerpt(text, 60)); }

/// Makes a value of what the parser finds.
class Builder {
 public:
  Builder(std::string_view text, const JsonOptions& options)
      : cursor_(text, options.is_line), options_(options) {}

  Result<Json> run() {
    if (Library::sax_parse(cursor_.begin(), cursor_.end(), this)) return std::move(root_);
    return Error{std::move(error_)};
  }

  // The parser calls these; one that returns false ends it.
  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Library::binary_t&) { return false; }  // is not of JSON texts
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_array() { return close(); }

  bool end_object() {
    const Json::Members& members = open_.back()->members();
    if (!has_doubled(members)) return close();
    const Json::Member& again = *doubled(members);
    return refuse(again.value.place(),
                  fmt::format("the object has two members {}", in_quotes(again.name)));
  }

  bool key(std::string& name) {
    cursor_.take_token();
    name_ = std::move(name);
    after_ = After::name;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& why) {
    cursor_.take_token();
    const std::string_view words = why.what();
    const std::string_view token = cursor_.token();
    if (token.empty()) return refuse(cursor_.place(), "the text ends, expected " + expected());
    if (words.find("missing closing quote") != words.npos)
      return refuse(cursor_.place(), "the text ends within a string");
    if (words.find("invalid string") != words.npos)
      return refuse(cursor_.place_of_last_byte(), wrong_string());
    if (words.find("number overflow") != words.npos)
      return refuse(cursor_.place(), "the number " + printable(token) + " is beyond a double");
    return refuse(cursor_.place(),
                  fmt::format("came {}, expected {}", in_quotes(token), expected()));
  }

 private:
  enum class After : std::uint8_t { nothing, opening, name, value };

  bool refuse(TextPlace place, std::string_view what) {
    error_ = fmt::format("{}: {}", in_words(place), what);
    return false;
  }

  bool add(Json value) {
    after_ = After::value;
    return put(std::move(value)) != nullptr;
  }

  bool open(Json container) {
    Json* const added = put(std::move(container));
    if (added == nullptr) return false;
    if (open_.size() == options_.depth)
      return refuse(cursor_.place(), fmt::format("nests deeper than {} levels", options_.depth));
    open_.push_back(added);
    after_ = After::opening;
    return true;
  }

  /// Puts the value of the token at hand where it belongs, and returns it there. Null pointer, and
  /// refused: there are too many.
  Json* put(Json value) {
    constexpr std::size_t usual_members = 4;
    cursor_.take_token();
    if (++values_ > options_.values) {
      refuse(cursor_.place(), fmt::format("more than {} values", options_.values));
      return nullptr;
    }
    value.set_place(cursor_.place());
    if (open_.empty()) return &(root_ = std::move(value));
    if (open_.back()->is_array())
      return &open_.back()->mutable_items().emplace_back(std::move(value));
    Json::Members& members = open_.back()->mutable_members();
    if (members.empty()) members.reserve(usual_members);
    members.push_back({std::move(name_), std::move(value)});
    return &members.back().value;
  }

  bool close() {
    cursor_.take_token();
    open_.pop_back();
    after_ = After::value;
    return true;
  }

  std::string_view wrong_string() const {
    const auto byte = static_cast<unsigned char>(cursor_.last_byte());
    if (byte < 0x20) return "a control character in a string, expected an escape such as \\n";
    if (byte >= 0x80) return "a string is not UTF-8";
    return "a wrong escape in a string";
  }

  std::string expected() const {
    if (open_.empty()) return after_ == After::value ? "nothing more" : "a JSON value";
    const bool object = open_.back()->is_object();
    const std::string end = object ? "'}'" : "']'";
    const std::string next = object ? "a member's name in quotes" : "a value";
    if (after_ == After::opening) return next + " or " + end;
    if (after_ == After::value) return cursor_.separator() == ',' ? next : "',' or " + end;
    return cursor_.separator() == ':' ? "a value" : "':'";
  }

  JsonCursor cursor_;
  const JsonOptions& options_;
  std::size_t values_ = 0;
  Json root_;
  std::string name_;  ///< of the member whose value comes next
  boost::container::small_vector<Json*, 16>
      open_;  ///< objects and arrays that are not over, each within the one before
  After after_ = After::nothing;
  std::string error_;
};

/// Writes a value; the library writes what takes knowledge: escapes and digits of doubles.
class Printer {
 public:
  explicit Printer(int indent) : indent_(indent) {}

  std::string print(const Json& json) && {
    add(json, 0);
    return std::move(out_);
  }

 private:
  void add(const Json& json, std::size_t level) {
    if (json.is_array()) {
      add_all(json.items(), level, '[', ']', [&](const Json& item) { add(item, level + 1); });
    } else if (json.is_object()) {
      add_all(json.members(), level, '{', '}', [&](const Json::Member& member) {
        add(member.name);
        out_ += indent_ < 0 ? ":" : ": ";
        add(member.value, level + 1);
      });
    } else if (json.is_string()) {
      add(json.string());
    } else if (json.is_natural()) {
      out_ += fmt::format_int(json.natural()).c_str();
    } else {
      add_scalar(json);
    }
  }

  template <class All, class Add>
  void add_all(const All& all, std::size_t level, char begin, char end, Add add_one) {
    out_ += begin;
    bool first = true;
    for (const auto& one : all) {
      if (!first) out_ += ',';
      first = false;
      break_line(level + 1);
      add_one(one);
    }
    if (!first) break_line(level);
    out_ += end;
  }

  void break_line(std::size_t level) {
    if (indent_ < 0) return;
    out_ += '\n';
    out_.append(level * static_cast<std::size_t>(indent_), ' ');
  }

  void add(const std::string& text) {
    const bool plain = std::ranges::all_of(
        text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    if (plain) {
      out_ += '"';
      out_ += text;
      out_ += '"';
    } else {
      out_ += Library(text).dump(-1, ' ', false, Library::error_handler_t::replace);
    }
  }

  void add_scalar(const Json& json) {
    if (json.is_null()) {
      out_ += "null";
    } else if (json.is_boolean()) {
      out_ += json.boolean() ? "true" : "false";
    } else if (json.is_negative()) {
      out_ += fmt::format_int(json.negative()).c_str();
    } else {
      out_ += Library(json.real()).dump();
    }
  }

  int indent_;
  std::string out_;
};

}  // namespace

Result<Json> parse_json(std::string_view text, const JsonOptions& options) {
  return Builder(text, options).run();
}

std::string Json::dump(int indent) const { return Printer(indent).print(*this); }

}  // namespace hallmark::base
