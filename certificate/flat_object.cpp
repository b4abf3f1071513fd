#include "certificate/flat_object.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hallmark::certificate {

/// Of the events of a JSON text, those of a flat object; at any other, reading stops.
struct FlatReader : nlohmann::json_sax<nlohmann::json> {
  FlatObject object;
  std::string wrong;

  bool refuse(std::string what) {
    wrong = std::move(what);
    return false;
  }
  bool add(FlatObject::Value value) {
    if (object.members_.empty()) return refuse("no object");
    object.members_.back().second = std::move(value);
    return true;
  }

  bool null() override { return refuse("null where a text or a number was expected"); }
  bool boolean(bool) override {
    return refuse("a truth value where a text or a number was expected");
  }
  bool number_integer(number_integer_t) override { return refuse("a number below 0"); }
  bool number_unsigned(number_unsigned_t value) override { return add(std::uint64_t{value}); }
  bool number_float(number_float_t, const string_t&) override {
    return refuse("a number that is not whole");
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return refuse("no JSON"); }
  bool start_object(std::size_t) override {
    if (started_) return refuse("an object within the object");
    started_ = true;
    return true;
  }
  bool key(string_t& name) override {
    if (object.has(name)) return refuse("the key '" + name.substr(0, 40) + "' twice");
    if (object.members_.size() == FlatObject::most_members) return refuse("too many keys");
    object.members_.emplace_back(std::move(name), std::uint64_t{0});
    return true;
  }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return refuse("a list"); }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return refuse("no JSON");
  }

 private:
  bool started_ = false;
};

reports::Result<FlatObject> FlatObject::parse(std::string_view json) {
  FlatReader reader;
  if (!nlohmann::json::sax_parse(json, &reader)) return reports::Error{reader.wrong};
  if (reader.object.empty()) return reports::Error{"an empty object"};
  return std::move(reader.object);
}

bool FlatObject::has(std::string_view key) const {
  return std::ranges::any_of(members_, [&](const auto& member) { return member.first == key; });
}

template <class T>
std::optional<T> FlatObject::take(std::string_view key) {
  const auto found =
      std::ranges::find_if(members_, [&](const auto& member) { return member.first == key; });
  if (found == members_.end() || !std::holds_alternative<T>(found->second)) return std::nullopt;
  T value = std::move(std::get<T>(found->second));
  members_.erase(found);
  return value;
}

std::optional<std::uint64_t> FlatObject::take_number(std::string_view key) {
  return take<std::uint64_t>(key);
}

std::optional<std::string> FlatObject::take_text(std::string_view key) {
  return take<std::string>(key);
}

}  // namespace hallmark::certificate
