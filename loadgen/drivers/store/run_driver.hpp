#pragma once
#include <memory>

#include "loadgen/engine/driver.hpp"
#include "loadgen/engine/run.hpp"

namespace hallmark::loadgen::store {

/// The driver of a run on a store: `options.store` is there. The keys are removed before and after.
/// The options outlive it. Errors: one line.
base::Result<std::unique_ptr<RunDriver>> run_driver(const LoadOptions& options);

}  // namespace hallmark::loadgen::store
