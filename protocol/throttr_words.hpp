#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "protocol/dialect.hpp"
#include "protocol/record.hpp"
#include "protocol/throttr_terms.hpp"

/// Requests in the words that all versions of Throttr share: a `key`, a TTL in any unit. A version
/// that has no keys takes them as pairs of a consumer and a resource; one that has fewer units
/// takes a TTL in a shorter one.
namespace hallmark::protocol {

/// The units of a dialect's TTLs, shortest first.
std::vector<TtlUnit> ttl_units(const Dialect& dialect);

/// The unit that a code on the wire stands for; nothing when the dialect does not list it.
std::optional<TtlUnit> ttl_unit(const Dialect& dialect, std::uint64_t code);

/// A dialect's wording of a unit of TTLs: one of it is `factor` times the dialect's own `unit`.
struct TtlWording {
  TtlUnit unit;
  std::uint64_t code;
  std::uint64_t factor;
};

/// Words a TTL in the same unit if the dialect has it, otherwise in the longest unit that is
/// shorter.
TtlWording ttl_wording(const Dialect& dialect, TtlUnit unit);

/// Consumer and resource that a key stands for where a dialect has pairs: its two halves.
std::pair<base::Bytes, base::Bytes> pair_of_key(base::ByteView key);

/// The fields of a request of `operation` from fields in shared words: `key`, `ttl_type` with the
/// code of a TtlUnit (other codes stay as they are), `ttl`. A missing `request_id` becomes 0.
/// Fields that are the dialect's own already stay.
Record worded(const Dialect& dialect, const Operation& operation, Record shared);

}  // namespace hallmark::protocol
