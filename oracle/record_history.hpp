#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

/// Histories of records (counters and buffers under keys) as clients saw them, for
/// `linearizability.hpp`.
namespace hallmark::oracle {

/// The name of a value; operations with equal numbers carried equal values.
using ValueNumber = std::uint64_t;

enum class RecordAction : std::uint8_t {
  insert,     ///< of a counter; `argument` is its quota
  query,      ///< tells the quota
  increase,   ///< UPDATE of the quota by `argument`
  decrease,   ///< likewise
  patch,      ///< UPDATE of the quota to `argument`
  patch_ttl,  ///< UPDATE of the TTL to `ttl_ns` from now
  purge,
  set,  ///< of a buffer; `argument` is the number of its value
  get,  ///< tells the number of the value
};

enum class RecordReply : std::uint8_t {
  none,  ///< nobody knows what it was, or whether there was one
  failure,
  success,
};

/// A time that never comes.
inline constexpr std::int64_t never_ns = std::numeric_limits<std::int64_t>::max();

/// One request, and what became of it. Times are of one clock for all clients.
struct RecordOperation {
  std::uint32_t client = 0;
  std::uint32_t key = 0;
  RecordAction action = RecordAction::query;
  RecordReply reply = RecordReply::none;
  std::uint64_t argument = 0;
  std::int64_t ttl_ns = never_ns;  ///< of INSERT, SET and UPDATE of the TTL; above 0
  /// The value that QUERY or GET told on success. Empty if nobody looked at it.
  std::optional<std::uint64_t> told = {};
  std::int64_t invoked_ns = 0;  ///< not after the request began to leave
  /// Not before its reply had come. Never: the operation took effect at some time after
  /// `invoked_ns`, or not at all, and if it did, with the reply given.
  std::int64_t returned_ns = never_ns;
  std::uint64_t label = 0;  ///< the caller's: not looked at, and kept wherever it goes

  bool returned() const { return returned_ns != never_ns; }
  /// Returns true if the record is the same after the operation, whenever it takes effect.
  bool changes_nothing() const {
    return reply == RecordReply::failure || action == RecordAction::query ||
           action == RecordAction::get;
  }
};

/// Operations in any order, except that those of one client and key that are in flight together are
/// in the order in which they were sent.
using RecordHistory = std::vector<RecordOperation>;

}  // namespace hallmark::oracle
