#pragma once

#include "reference/model/states/strategy_state.hpp"

/// States as stores hold them: written by whoever, under whichever reading.
namespace hallmark::model {

/// Reads a whole string under every answer to legacy-tail, header-history, quota-count and, where a
/// composite has more than one `$`, nested-split; the answers of released writers first. Error:
/// that of the reading that got furthest.
StateRead<protocol::state::Parsed> parse_stored(std::string_view text,
                                                const protocol::state::Taken& taken = {});

/// Answers to readings that a string could not have been written without, its parts' included.
struct Evidence {
  bool legacy_tail_bar = false;
  bool legacy_tail_none = false;
  bool header_history_v3 = false;
  bool quota_count_any = false;
  bool nested_split_first = false;
  bool nested_split_last = false;
};

/// `parsed`: from `parse_stored`.
Evidence evidence_in(const protocol::state::Parsed& parsed);

}  // namespace hallmark::model
