#pragma once
#include "loadgen/drivers/stream/run.hpp"

namespace hallmark::loadgen::datagram {

/// run_load against a target of datagrams.
base::Result<reports::LoadResult> run_load(const LoadOptions& options, const LoadOutputs& outputs);

}  // namespace hallmark::loadgen::datagram
