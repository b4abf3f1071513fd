#pragma once

#include <functional>
#include <span>

#include "conformance/engine/stage.hpp"

/// Cases that look into the process of a target which was started here: it has to keep nothing of
/// what is over, and to rest while nobody asks.
namespace hallmark::conformance {

/// The process of the target. Ends the case as skipped if it was not started here.
Supervisor& own_process(Stage& stage);

/// Begins, uses and ends so many things, such as connections.
using Work = std::function<void(Stage&, std::size_t things)>;

/// The figures of a process, round after round of the same work: the first figure behind a round
/// that does not count, then one behind each that does.
using Levels = std::span<const std::uint64_t>;

/// True if each round added at least that much.
bool grows_each_time(Levels levels, std::uint64_t least);

/// True if memory was kept of each of the things that a round is made of: every round added at
/// least the smallest block that an allocator hands out for each of them, and none added less than
/// half of what another did, as caches do that are full, and heaps that are collected.
bool is_kept_of_each(Levels bytes, std::size_t things);

/// Fails the case if the target keeps descriptors, or threads, of things that are over: at least
/// one for every second of them, in each of three rounds, and two seconds after the last.
void expect_no_descriptors_kept(Stage& stage, const Work& work);
void expect_no_threads_kept(Stage& stage, const Work& work);

/// Fails the case if a fresh process of the target keeps memory of each of thousands of things that
/// are over. `thing`: "connection".
void expect_no_memory_kept(Stage& stage, std::string_view thing, const Work& work);

/// Fails the case if the target uses a tenth of a core, or wants to, in each of three seconds in
/// which nobody asks it anything.
void expect_rest(Stage& stage);

}  // namespace hallmark::conformance
