#pragma once
#include <span>

#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// Adds up what only runs of one transport have, and what their oracles found: records of streams,
/// datagrams, stores. `runs` are of one transport. Of findings the first ones are kept.
void merge_checks(std::span<const reports::LoadResult> runs, reports::LoadResult& merged);

}  // namespace hallmark::loadgen
