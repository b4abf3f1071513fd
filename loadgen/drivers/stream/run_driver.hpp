#pragma once
#include <memory>

#include "loadgen/engine/driver.hpp"
#include "loadgen/engine/run.hpp"

namespace hallmark::loadgen {

/// The driver of a run over TCP or Unix streams; the options outlive it. Errors: the workload is
/// not valid.
base::Result<std::unique_ptr<RunDriver>> stream_run_driver(const LoadOptions& options);

}  // namespace hallmark::loadgen
