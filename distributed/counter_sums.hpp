#pragma once
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "loadgen/judge/counter_ledger.hpp"

namespace hallmark::distributed {

/// Encodes by how much a rank moved its counters, for another rank of this version.
base::Bytes encode(const loadgen::CounterLedger& ledger);

/// Adds what a rank moved. Error, one line: these are not counters of this run.
base::Result<void> add_encoded(base::ByteView counters, loadgen::CounterLedger& ledger);

}  // namespace hallmark::distributed
