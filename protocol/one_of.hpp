#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace hallmark::protocol {

template <class Type, class... Types>
concept among = (std::same_as<Type, Types> || ...);

/// A value of one of these types, each of them trivially copyable; one of the first where none is
/// given. Used in place of std::variant because every source sees the tables: their fields compile
/// a third slower with that.
template <class... Types>
class OneOf;

namespace one_of_detail {

/// The position of `Wanted` among the types.
template <class Wanted, class... Types>
consteval std::uint8_t place_of() {
  std::uint8_t place = 0;
  static_cast<void>(((std::same_as<Wanted, Types> || (++place, false)) || ...));
  return place;
}

template <class First, class... Rest>
union Storage {
  constexpr explicit Storage(const First& value) : first(value) {}
  template <class Type>
  constexpr explicit Storage(const Type& value) : rest(value) {}

  template <class Type>
  constexpr const Type& get() const {
    if constexpr (std::same_as<Type, First>) {
      return first;
    } else {
      return rest.template get<Type>();
    }
  }

  First first;
  Storage<Rest...> rest;
};

template <class Last>
union Storage<Last> {
  constexpr explicit Storage(const Last& value) : first(value) {}

  template <class>
  constexpr const Last& get() const {
    return first;
  }

  Last first;
};

}  // namespace one_of_detail

template <class First, class... Rest>
class OneOf<First, Rest...> {
 public:
  constexpr OneOf() : OneOf(First{}) {}
  template <among<First, Rest...> Type>
  constexpr OneOf(
      const Type& value)  // NOLINT(google-explicit-constructor): a value is one of them.
      : place_(one_of_detail::place_of<Type, First, Rest...>()), storage_(value) {}

  template <among<First, Rest...> Type>
  constexpr bool is() const {
    return place_ == one_of_detail::place_of<Type, First, Rest...>();
  }

  /// Null where the value is of another type.
  template <among<First, Rest...> Type>
  constexpr const Type* as() const {
    return is<Type>() ? &get<Type>() : nullptr;
  }

  /// Precondition: the value is of this type.
  template <among<First, Rest...> Type>
  constexpr const Type& get() const {
    return storage_.template get<Type>();
  }

  constexpr bool same_type(const OneOf& other) const { return place_ == other.place_; }

 private:
  std::uint8_t place_;
  one_of_detail::Storage<First, Rest...> storage_;
};

}  // namespace hallmark::protocol
