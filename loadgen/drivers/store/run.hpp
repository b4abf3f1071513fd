#pragma once
#include "loadgen/drivers/stream/run.hpp"

namespace hallmark::loadgen::store {

/// run_load on a store: `options.store` is there. The keys are removed before and after.
base::Result<reports::LoadResult> run_load(const LoadOptions& options, const LoadOutputs& outputs);

}  // namespace hallmark::loadgen::store
