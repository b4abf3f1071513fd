#include "loadgen/reply_check.hpp"

#include <array>
#include <utility>

#include "reference/protocol/dialects/throttr_7_1.hpp"

namespace hallmark::loadgen {
namespace {

using protocol::ByteView;
using protocol::Dialect;
using protocol::Readings;
using protocol::Width;

consteval bool has(std::span<const protocol::Field> fields, std::string_view name) {
  for (const auto& field : fields) {
    if (field.name == name) return true;
  }
  return false;
}

template <class M, class View>
bool is_as_stored(const View& reply, const Expectation& expected) {
  bool same = true;
  if constexpr (has(M::Tail::fields, "ttl_type")) {
    same = same && reply.template get<"ttl_type">() == expected.ttl_type;
  }
  if constexpr (has(M::Tail::fields, "ttl")) {
    same = same && reply.template get<"ttl">() <= expected.most_ttl;
  }
  if constexpr (has(M::Tail::fields, "value")) {
    same = same && reply.template get<"value">().size() == expected.value_size;
  }
  return same;
}

template <class M>
CheckedReply check(ByteView bytes, const Readings& readings, const Expectation& expected) {
  CheckedReply checked;
  typename M::View reply;
  checked.outcome = protocol::fast::decode<M>(bytes, readings, reply, true);
  if (!checked.outcome.complete()) return checked;
  if constexpr (has(M::Head::fields, "status")) {
    checked.success = !protocol::fast::detail::present<typename M::Head, M::status>(readings) ||
                      reply.template get<"status">() != 0;
  }
  if (checked.success && expected.stored) checked.as_stored = is_as_stored<M>(reply, expected);
  return checked;
}

template <const Dialect& D, Width W, std::size_t... I>
constexpr auto reply_table(std::index_sequence<I...>) {
  return std::array<ReplyCheck, sizeof...(I)>{&check<protocol::fast::Reply<D, I, W>>...};
}

template <const Dialect& D, Width W, std::size_t... I>
constexpr auto push_table(std::index_sequence<I...>) {
  return std::array<ReplyCheck, sizeof...(I)>{&check<protocol::fast::Push<D, I, W>>...};
}

template <const Dialect& D, Width W>
constexpr auto replies = reply_table<D, W>(std::make_index_sequence<D.operations.size()>{});

template <const Dialect& D, Width W>
constexpr auto pushes = push_table<D, W>(std::make_index_sequence<D.pushes.size()>{});

template <const Dialect& D>
std::span<const ReplyCheck> replies_of(Width width) {
  switch (width) {
    case Width::u8: return replies<D, Width::u8>;
    case Width::u16: return replies<D, Width::u16>;
    case Width::u32: return replies<D, Width::u32>;
    case Width::u64: return replies<D, Width::u64>;
  }
  return {};
}

template <const Dialect& D>
std::span<const ReplyCheck> pushes_of(Width width) {
  switch (width) {
    case Width::u8: return pushes<D, Width::u8>;
    case Width::u16: return pushes<D, Width::u16>;
    case Width::u32: return pushes<D, Width::u32>;
    case Width::u64: return pushes<D, Width::u64>;
  }
  return {};
}

}  // namespace

std::span<const ReplyCheck> reply_checks(const Dialect& dialect, Width width) {
  if (&dialect == &protocol::throttr_7_1) return replies_of<protocol::throttr_7_1>(width);
  return {};
}

std::span<const ReplyCheck> push_checks(const Dialect& dialect, Width width) {
  if (&dialect == &protocol::throttr_7_1) return pushes_of<protocol::throttr_7_1>(width);
  return {};
}

}  // namespace hallmark::loadgen
