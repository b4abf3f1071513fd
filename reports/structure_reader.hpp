#pragma once
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/json_reader.hpp"
#include "reports/load/json_fields.hpp"

namespace hallmark::reports {

/// Fills the described structures from an object of a document. Throws base::JsonMismatch at the
/// first difference from the schema; members that the schema does not have are one.
class StructureReader {
 public:
  explicit StructureReader(const base::JsonReader& object) : members_(object) {}

  template <class T>
  void operator()(const char* key, T& value) {
    read(members_[key], value);
  }
  template <class T>
  void operator()(const char* key, std::optional<T>& value) {
    value.reset();
    if (const auto member = members_.find(key)) read(*member, value.emplace());
  }
  template <class T>
  void operator()(const char* key, OrNull<std::optional<T>> nullable) {
    const base::JsonReader member = members_[key];
    nullable.value.reset();
    if (!member.json().is_null()) read(member, nullable.value.emplace());
  }
  template <class T>
  void operator()(const char* key, Signed<T> number) {
    const base::JsonReader member = members_[key];
    if (!member.json().is_number()) member.refuse("a number");
    number.value = member.json().real();
  }
  template <class T>
  void operator()(const char* key, OrAbsent<T> optional) {
    optional.value = T{};
    const auto member = members_.find(key);
    if (!member) return;
    read(*member, optional.value);
    if (optional.value == T{}) member->refuse("something, or no such member");
  }

  /// The rest of the object must have been named by now.
  void no_more() const { members_.no_more(); }

  template <class T>
  static T structure(const base::JsonReader& object) {
    T value;
    StructureReader reader(object);
    describe(reader, value);
    reader.no_more();
    return value;
  }

 private:
  template <class T>
  requires std::is_class_v<T>
  static void read(const base::JsonReader& from, T& value) { value = structure<T>(from); }
  template <class T>
  static void read(const base::JsonReader& from, std::vector<T>& values) {
    values.clear();
    for (const base::JsonReader& item : from.items()) read(item, values.emplace_back());
  }
  template <class T>
  requires std::is_enum_v<T>
  static void read(const base::JsonReader& from, T& value) { value = from.one_of(choices(value)); }
  template <class Representation, class Period>
  static void read(const base::JsonReader& from,
                   std::chrono::duration<Representation, Period>& value) {
    std::uint64_t count = 0;
    read(from, count);
    if (count > static_cast<std::uint64_t>(std::numeric_limits<Representation>::max()))
      from.refuse("a duration of at most 2^63 - 1");
    value = std::chrono::duration<Representation, Period>(static_cast<Representation>(count));
  }
  static void read(const base::JsonReader& from, std::string& text);
  static void read(const base::JsonReader& from, Code& code);
  static void read(const base::JsonReader& from, Bytes& bytes);
  static void read(const base::JsonReader& from,
                   std::chrono::sys_time<std::chrono::milliseconds>& time);
  static void read(const base::JsonReader& from, bool& value) { value = from.boolean(); }
  static void read(const base::JsonReader& from, double& value) { value = from.real(); }
  static void read(const base::JsonReader& from, std::uint64_t& value);

  static std::span<const Level> choices(Level);
  static std::span<const Verdict> choices(Verdict);
  static std::span<const Direction> choices(Direction);
  static std::span<const DeathCause> choices(DeathCause);
  static std::span<const Severity> choices(Severity);
  static std::span<const LoopKind> choices(LoopKind);
  static std::span<const Met> choices(Met);
  static std::span<const Difference> choices(Difference);

  base::JsonMembers members_;
};

}  // namespace hallmark::reports
