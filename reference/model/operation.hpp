#pragma once
#include <cstddef>
#include <cstdint>

namespace hallmark::model {

/// The operations that clients request. Codes and layouts are the dialect's; this only names what
/// is counted.
enum class Operation : std::uint8_t {
  insert,
  query,
  update,
  purge,
  set,
  get,
  list,
  info,
  stat,
  stats,
  subscribe,
  unsubscribe,
  publish,
  connections,
  connection,
  channels,
  channel,
  whoami,
};

inline constexpr std::size_t operation_count = 18;

constexpr std::size_t index_of(Operation operation) { return static_cast<std::size_t>(operation); }

}  // namespace hallmark::model
