#pragma once
#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/json_fields.hpp"

namespace hallmark::reports {

/// A place of a document that is not as the schema says.
struct Mismatch : std::runtime_error {
  Mismatch(const std::string& place, std::string_view expected, const nlohmann::json* came);
};

/// Fills the described structures from a parsed document; throws Mismatch at the first difference,
/// which includes a key that the schema does not have.
class JsonReader {
 public:
  using Json = nlohmann::json;

  /// `json` must be an object, and outlive this reader.
  JsonReader(const Json& json, std::string place);

  template <class T>
  void operator()(const char* key, T& value) {
    read(member(key), inside(key), value);
  }
  template <class T>
  void operator()(const char* key, std::optional<T>& value) {
    value.reset();
    if (!json_.contains(key)) return;
    read(member(key), inside(key), value.emplace());
  }
  template <class T>
  void operator()(const char* key, OrNull<std::optional<T>> nullable) {
    const Json& json = member(key);
    nullable.value.reset();
    if (!json.is_null()) read(json, inside(key), nullable.value.emplace());
  }

  template <class T>
  void operator()(const char* key, OrAbsent<T> optional) {
    optional.value = T{};
    if (!json_.contains(key)) return;
    read(member(key), inside(key), optional.value);
    if (optional.value == T{})
      throw Mismatch(inside(key), "something, or no such key", &json_[key]);
  }

  /// The rest of the object must have been named by now.
  void no_more() const;

  template <class T>
  static T structure(const Json& json, const std::string& place) {
    T value;
    JsonReader reader(json, place);
    describe(reader, value);
    reader.no_more();
    return value;
  }

 private:
  const Json& member(const char* key);
  std::string inside(const char* key) const { return place_ + "/" + key; }

  template <class T>
  requires std::is_class_v<T>
  static void read(const Json& json, const std::string& place, T& value) {
    value = structure<T>(json, place);
  }
  template <class T>
  static void read(const Json& json, const std::string& place, std::vector<T>& values) {
    if (!json.is_array()) throw Mismatch(place, "an array", &json);
    values.clear();
    for (const auto& element : json) {
      const auto inside_array = fmt::format("{}/{}", place, values.size());
      read(element, inside_array, values.emplace_back());
    }
  }
  template <class T>
  requires std::is_enum_v<T>
  static void read(const Json& json, const std::string& place, T& value) {
    value = choose(json, place, choices(value));
  }
  template <class T>
  static T choose(const Json& json, const std::string& place, std::span<const T> allowed) {
    std::string names;
    for (const T& one : allowed) {
      if (json.is_string() && json.get_ref<const std::string&>() == name_of(one)) return one;
      names += fmt::format("{}{}", names.empty() ? "one of " : ", ", name_of(one));
    }
    throw Mismatch(place, names, &json);
  }
  template <class Representation, class Period>
  static void read(const Json& json, const std::string& place,
                   std::chrono::duration<Representation, Period>& value) {
    std::uint64_t count = 0;
    read(json, place, count);
    if (count > static_cast<std::uint64_t>(std::numeric_limits<Representation>::max())) {
      throw Mismatch(place, "a duration of at most 2^63 - 1", &json);
    }
    value = std::chrono::duration<Representation, Period>(static_cast<Representation>(count));
  }
  static void read(const Json& json, const std::string& place, std::string& text);
  static void read(const Json& json, const std::string& place, Bytes& bytes);
  static void read(const Json& json, const std::string& place,
                   std::chrono::sys_time<std::chrono::milliseconds>& time);
  static void read(const Json& json, const std::string& place, bool& value);
  static void read(const Json& json, const std::string& place, double& value);
  static void read(const Json& json, const std::string& place, std::uint64_t& value);

  static std::span<const Level> choices(Level);
  static std::span<const Verdict> choices(Verdict);
  static std::span<const Direction> choices(Direction);
  static std::span<const DeathCause> choices(DeathCause);
  static std::span<const LoopKind> choices(LoopKind);
  static std::span<const Met> choices(Met);

  const Json& json_;
  std::string place_;
  std::vector<std::string> named_;
};

}  // namespace hallmark::reports
