#pragma once
#include <memory>

#include "loadgen/engine/driver.hpp"
#include "loadgen/engine/run.hpp"

namespace hallmark::loadgen {

/// The driver of the transport that the options ask for; they outlive it. Errors: the workload is
/// not valid, or the transport does not have it.
base::Result<std::unique_ptr<RunDriver>> driver_for(const LoadOptions& options);

}  // namespace hallmark::loadgen
