#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "protocol/dialect.hpp"
#include "protocol/throttr_terms.hpp"

namespace hallmark::loadgen {

/// The keys of a run from which an operation takes its own. Keys that must be there for the whole
/// run are kept apart from those that come and go, so that each reply has one right status or none.
enum class KeySpace : std::uint8_t {
  none,
  counters,  ///< inserted before the run, there until its end
  buffers,   ///< set before the run, there until its end; the run may set them anew
  inserted,  ///< counters that the run itself inserts, purges and lets expire
};

/// The key spaces that have keys.
inline constexpr KeySpace key_spaces[] = {KeySpace::counters, KeySpace::buffers,
                                          KeySpace::inserted};

/// One letter that sets the keys of a space apart from those of the others.
char letter_of(KeySpace space);

/// An operation as a load run uses it.
struct LoadOperation {
  std::string_view name;            ///< for `--mix`
  protocol::MessageName operation;  ///< of the dialect
  KeySpace keys = KeySpace::none;
  /// The workload has made sure of success: a reply with a status of failure is wrong.
  bool must_succeed = false;
  protocol::Change change = protocol::Change::patch;  ///< of UPDATE
};

/// By so much `increase` and `decrease` move a quota: many clients may do so at a time, and what
/// they are told can still be explained.
inline constexpr std::uint64_t moved_by = 1;

/// The operations that a workload may name; all of the dialect's that are in the table of this
/// file.
std::vector<LoadOperation> load_operations(const protocol::Dialect& dialect);

/// Names for `--mix`, in lower case.
std::vector<std::string_view> mix_names(std::span<const LoadOperation> operations);

}  // namespace hallmark::loadgen
