#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "protocol/names.hpp"

namespace hallmark::protocol {

/// The text of a field's name as a template argument.
template <std::size_t N>
struct FieldText {
  char text[N]{};

  // NOLINTNEXTLINE(google-explicit-constructor): a string literal is the name.
  consteval FieldText(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
  constexpr bool operator==(const FieldText&) const = default;
};

template <FieldText name, class T>
struct NamedValue {
  T value;
};

template <FieldText name>
struct NameOf {
  template <class T>
  constexpr NamedValue<name, T> operator=(T value) const {
    return {std::move(value)};
  }
};

inline namespace literals {
/// `"quota"_f = 5` gives a field its value; does not compile for a name that no dialect has.
template <FieldText name>
consteval NameOf<name> operator""_f() {
  static_cast<void>(FieldName(name.text));
  return {};
}
}  // namespace literals

/// Values by the names of their fields, for the compile-time codec.
template <class... Named>
struct Values : Named... {
  constexpr explicit Values(Named... named) : Named(std::move(named))... {}

  template <FieldText name>
  constexpr const auto& get() const {
    return find<name>(*this);
  }

 private:
  template <FieldText name, class T>
  static constexpr const T& find(const NamedValue<name, T>& named) {
    return named.value;
  }
};

/// `values("quota"_f = 5, "key"_f = key)`: numbers as std::uint64_t, bytes as ByteView, groups as
/// any forward range of records, each of which is again a `values(…)`.
template <class... Named>
constexpr Values<Named...> values(Named... named) {
  return Values<Named...>(std::move(named)...);
}

}  // namespace hallmark::protocol
