#pragma once
#include <memory>

#include "loadgen/engine/driver.hpp"
#include "loadgen/engine/run.hpp"

namespace hallmark::loadgen::datagram {

/// The driver of a run over datagrams; the options outlive it. Errors: the workload is not valid.
base::Result<std::unique_ptr<RunDriver>> run_driver(const LoadOptions& options);

}  // namespace hallmark::loadgen::datagram
