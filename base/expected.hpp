#pragma once
#include <concepts>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace hallmark::base {

template <class T, class E>
class Expected;

namespace detail {

/// From converts to one of both and not to the other. Either may be the value; From is no Expected
/// of the two.
template <class From, class To, class Other>
concept only_becomes = std::is_convertible_v<From, To> && !std::is_convertible_v<From, Other> &&
                       !std::same_as<std::remove_cvref_t<From>, Expected<To, Other>> &&
                       !std::same_as<std::remove_cvref_t<From>, Expected<Other, To>>;

}  // namespace detail

/// A value, or the error in its place, as std::expected of C++23; but an error converts as a value
/// does: `return Error{…}`. Most functions that can fail return one, so it is made of few templates
/// (docs/decisions/0010-one-base.md). Moving a T or an E must not throw.
///
/// To ask an error for its `value()` is a mistake of the program: that calls `throw_error`, which
/// stands beside E.
template <class T, class E>
class [[nodiscard]] Expected {
 public:
  using value_type = T;
  using error_type = E;

  constexpr Expected() requires std::default_initializable<T> : value_(), has_value_(true) {}

  template <class From = T>
  requires detail::only_becomes<From, T, E>
  // NOLINTNEXTLINE(google-explicit-constructor): a function returns its value.
  constexpr Expected(From&& value) : value_(std::forward<From>(value)), has_value_(true) {}

  template <class From>
  requires detail::only_becomes<From, E, T>
  // NOLINTNEXTLINE(google-explicit-constructor): a function returns its error.
  constexpr Expected(From&& error) : error_(std::forward<From>(error)), has_value_(false) {}

  constexpr Expected(const Expected& other) requires std::copy_constructible<T>
      : has_value_(other.has_value_) {
    if (has_value_) {
      std::construct_at(std::addressof(value_), other.value_);
    } else {
      std::construct_at(std::addressof(error_), other.error_);
    }
  }

  constexpr Expected(Expected&& other) noexcept : has_value_(other.has_value_) {
    if (has_value_) {
      std::construct_at(std::addressof(value_), std::move(other.value_));
    } else {
      std::construct_at(std::addressof(error_), std::move(other.error_));
    }
  }

  constexpr Expected& operator=(const Expected& other) requires std::copy_constructible<T> {
    if (this != &other) *this = Expected(other);
    return *this;
  }

  constexpr Expected& operator=(Expected&& other) noexcept {
    if (this != &other) {
      std::destroy_at(this);
      std::construct_at(this, std::move(other));
    }
    return *this;
  }

  constexpr ~Expected() {
    if (has_value_) {
      std::destroy_at(std::addressof(value_));
    } else {
      std::destroy_at(std::addressof(error_));
    }
  }

  constexpr bool has_value() const noexcept { return has_value_; }
  constexpr bool has_error() const noexcept { return !has_value_; }
  constexpr explicit operator bool() const noexcept { return has_value_; }

  constexpr T& value() & { return require(), value_; }
  constexpr const T& value() const& { return require(), value_; }
  constexpr T value() && { return require(), std::move(value_); }

  /// Precondition of these, up to the next: there is a value.
  constexpr T& operator*() & noexcept { return value_; }
  constexpr const T& operator*() const& noexcept { return value_; }
  constexpr T&& operator*() && noexcept { return std::move(value_); }
  constexpr T* operator->() noexcept { return std::addressof(value_); }
  constexpr const T* operator->() const noexcept { return std::addressof(value_); }

  /// Precondition: there is an error.
  constexpr const E& error() const& noexcept { return error_; }
  constexpr E error() && noexcept { return std::move(error_); }

  friend constexpr bool operator==(const Expected& one, const Expected& other) requires
      std::equality_comparable<T> && std::equality_comparable<E> {
    if (one.has_value_ != other.has_value_) return false;
    return one.has_value_ ? one.value_ == other.value_ : one.error_ == other.error_;
  }

 private:
  constexpr void require() const {
    if (!has_value_) throw_error(error_);
  }

  union {
    T value_;
    E error_;
  };
  bool has_value_;
};

/// Success, or an error.
template <class E>
class [[nodiscard]] Expected<void, E> {
 public:
  using value_type = void;
  using error_type = E;

  constexpr Expected() = default;

  template <class From>
  requires detail::only_becomes<From, E, void>
  // NOLINTNEXTLINE(google-explicit-constructor): a function returns its error.
  constexpr Expected(From&& error) : error_(std::forward<From>(error)) {}

  constexpr bool has_value() const noexcept { return !error_; }
  constexpr bool has_error() const noexcept { return error_.has_value(); }
  constexpr explicit operator bool() const noexcept { return !error_; }

  constexpr void value() const {
    if (error_) throw_error(*error_);
  }

  /// Precondition: there is an error.
  constexpr const E& error() const& noexcept { return *error_; }
  constexpr E error() && noexcept { return *std::move(error_); }

 private:
  std::optional<E> error_;
};

}  // namespace hallmark::base
