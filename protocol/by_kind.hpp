#pragma once

#include <type_traits>

#include "protocol/dialect.hpp"

/// Tools for walkers that must handle every kind of field. They are meant for sources, not for
/// headers that many files include: each use instantiates its visitor for every kind.
namespace hallmark::protocol {

/// Overloads as one visitor.
template <class... Overloads>
struct Overloaded : Overloads... {
  using Overloads::operator()...;
};
template <class... Overloads>
Overloaded(Overloads...) -> Overloaded<Overloads...>;

namespace by_kind_detail {

/// The message of the compiler names the kind.
template <class Kind, class Visitor>
struct Handled {
  static constexpr bool value = std::is_invocable_v<const Visitor&, const Kind&>;
  static_assert(value, "a walker forgets this kind of field");
};

template <class Visitor, class... Kinds>
consteval bool handles_all(const OneOf<Kinds...>* /*types*/) {
  return (Handled<Kinds, Visitor>::value && ...);
}

template <class First, class... Rest, class Visitor>
constexpr decltype(auto) visit(const OneOf<First, Rest...>* /*types*/, const Kind& kind,
                               const Visitor& visitor) {
  if constexpr (sizeof...(Rest) == 0) {
    return visitor(kind.get<First>());
  } else {
    if (kind.is<First>()) return visitor(kind.get<First>());
    return visit(static_cast<const OneOf<Rest...>*>(nullptr), kind, visitor);
  }
}

}  // namespace by_kind_detail

/// Calls `visitor` with the kind, as the type that it is. Does not compile unless the visitor takes
/// every kind, with overloads that return one type.
template <class Visitor>
constexpr decltype(auto) by_kind(const Kind& kind, const Visitor& visitor) {
  constexpr const Kind* types = nullptr;
  if constexpr (by_kind_detail::handles_all<Visitor>(types))
    return by_kind_detail::visit(types, kind, visitor);
}

}  // namespace hallmark::protocol
