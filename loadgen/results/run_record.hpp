#pragma once
#include "loadgen/client/client_meter.hpp"
#include "loadgen/client/process.hpp"
#include "loadgen/engine/run.hpp"
#include "loadgen/histogram/second_log.hpp"

/// The parts of a run's result besides its counts, whatever the transport.
namespace hallmark::loadgen {

/// Before the first request of an open loop is due its threads get so much time to start.
constexpr std::chrono::nanoseconds lead_in = std::chrono::milliseconds(10);

/// Connections of this process.
std::uint32_t own_connections(const LoadOptions& options);

/// Threads of this process: no more than connections.
std::uint32_t worker_count(const LoadOptions& options);

/// The open loop, with its warm-up.
SchedulePlan schedule_of(const LoadOptions& options);

/// Requests per second of the open loop, where they are the most.
double highest_rate(const LoadOptions& options);

/// Describes what is spoken, with whom, since when, and at what pace.
void describe(const LoadOptions& options, reports::LoadResult& result);

/// Tells how the client of an open loop kept its schedule, and if the numbers are the client's
/// instead of the target's. Precondition: `result` tells of the client.
void certify_schedule(const LoadOptions& options, const Tally& total,
                      std::span<const DepartureLog* const> departures, reports::LoadResult& result);

/// Closes the log and fills in what was measured. Requests were planned for `measured_ns` after the
/// warm-up; it may be negative where the run was interrupted before. `cpu_before`: when the
/// measured time began.
void conclude(SecondLog& log, const std::vector<std::string>& names, std::int64_t measured_ns,
              const CpuTime& cpu_before, reports::LoadResult& result);

}  // namespace hallmark::loadgen
