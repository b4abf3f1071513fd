#include "cli/load/load_series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "loadgen/results/compare.hpp"
#include "loadgen/results/merge.hpp"
#include "loadgen/results/spread.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using loadgen::Block;
using loadgen::LoadOptions;
using reports::LoadResult;

constexpr std::uint64_t seed = 1;

/// Blocks of several runs of one target.
class Side {
 public:
  Result<void> add(const LoadResult& result) {
    if (!result.run_error.empty()) return Error{result.run_error};
    auto blocks = loadgen::blocks_of(result);
    if (!blocks) return blocks.error();
    for (Block& block : *blocks) blocks_.push_back(std::move(block));
    runs_.push_back(result);
    runs_.back().series.clear();  // its seconds are the blocks
    if (inconclusive_.empty()) inconclusive_ = result.inconclusive;
    if (inconclusive_.empty()) inconclusive_ = result.aborted;
    interrupted_ = interrupted_ || result.interrupted || !result.aborted.empty();
    return {};
  }
  loadgen::ComparedSide compared() const { return {blocks_, loadgen::spread_of(runs_)}; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::string& inconclusive() const { return inconclusive_; }
  bool interrupted() const { return interrupted_; }

 private:
  std::vector<Block> blocks_;
  std::vector<LoadResult> runs_;
  std::string inconclusive_;
  bool interrupted_ = false;
};

/// Plays runs of `first` (true) and `second` in that order, until one was interrupted.
Result<void> play(std::initializer_list<bool> order, const LoadOptions& first,
                  const LoadOptions& second, Side& to_first, Side& to_second, const RunOnce& run) {
  for (const bool is_first : order) {
    if (to_first.interrupted() || to_second.interrupted()) return {};
    const auto result = run(is_first ? first : second);
    if (!result) return result.error();
    if (const auto added = (is_first ? to_first : to_second).add(*result); !added) return added;
  }
  return {};
}

}  // namespace

std::size_t runs_of(unsigned rounds) { return 4 + 4 * std::size_t{rounds}; }

Result<reports::LoadComparison> compare_targets(const LoadOptions& a, const LoadOptions& b,
                                                unsigned rounds, double least_share,
                                                const RunOnce& run) {
  Side quiet[2];
  // Halves of the same target, in the order in which the two are compared.
  if (const auto played = play({true, false, false, true}, a, a, quiet[0], quiet[1], run); !played)
    return played.error();
  const auto noise = loadgen::differences(quiet[0].compared(), quiet[1].compared(), 0, {}, seed);
  Side sides[2];
  for (unsigned i = 0; i < rounds; ++i) {
    if (quiet[0].interrupted() || quiet[1].interrupted()) break;
    if (const auto played = play({true, false, false, true}, a, b, sides[0], sides[1], run);
        !played)
      return played.error();
  }
  reports::LoadComparison comparison;
  comparison.before = a.target_text;
  comparison.now = b.target_text;
  comparison.blocks_before = sides[0].blocks().size();
  comparison.blocks_now = sides[1].blocks().size();
  for (const Side* side : {&sides[0], &sides[1]}) {
    if (comparison.inconclusive.empty()) comparison.inconclusive = side->inconclusive();
  }
  const bool interrupted = quiet[0].interrupted() || quiet[1].interrupted() ||
                           sides[0].interrupted() || sides[1].interrupted();
  if (interrupted && comparison.inconclusive.empty()) comparison.inconclusive = "interrupted";
  if (comparison.blocks_before == 0 || comparison.blocks_now == 0) {
    if (comparison.inconclusive.empty()) comparison.inconclusive = "nothing was completed";
    return comparison;
  }
  comparison.metrics =
      loadgen::differences(sides[0].compared(), sides[1].compared(), least_share, noise, seed);
  return comparison;
}

Result<LoadResult> repeat(const LoadOptions& options, unsigned times, const RunOnce& run) {
  std::vector<LoadResult> results;
  std::vector<std::string> names;
  for (unsigned i = 1; i <= times; ++i) {
    LoadOptions one = options;
    one.run_id = fmt::format("{}-{}", options.run_id, i);
    auto result = run(one);
    if (!result) return result;
    const bool over = result->interrupted || !result->aborted.empty() || !result->run_error.empty();
    if (over && results.empty()) return result;
    names.push_back(fmt::format("run {}", i));
    results.push_back(std::move(*result));
    if (over) break;
  }
  return times == 1 ? std::move(results.front()) : loadgen::merge(results, names);
}

}  // namespace hallmark::cli
