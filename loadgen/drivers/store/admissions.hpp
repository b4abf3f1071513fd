#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "oracle/admission_bound.hpp"
#include "reports/load/store_load.hpp"

namespace hallmark::loadgen::store {

/// A request that was admitted. Times are nanoseconds since the epoch.
struct Admission {
  std::uint32_t key = 0;
  std::int64_t at_ns = 0;
};

/// The admissions of one worker until the judge takes them. Written by the worker, read by the
/// judge.
class AdmissionLane {
 public:
  /// Promises that all that is still to be told has `now_ns` or later. Called before a request
  /// reads its clock.
  void nothing_before(std::int64_t now_ns) noexcept {
    not_before_.store(now_ns, std::memory_order_release);
  }
  void admitted(Admission admission);

 private:
  friend class AdmissionJudge;
  /// A judge that comes too seldom does not cost more memory than this.
  static constexpr std::size_t most = std::size_t{1} << 20;

  std::atomic<std::int64_t> not_before_{INT64_MIN};
  std::mutex mutex_;
  std::vector<Admission> untold_;
  std::uint64_t dropped_ = 0;
};

/// Holds what all workers admit to the bounds of the limiter, in the order of time: what a lane has
/// told is judged once no lane can tell anything earlier.
class AdmissionJudge {
 public:
  /// `name_of`: the text of a key.
  AdmissionJudge(std::vector<oracle::Bound> bounds, std::size_t keys, std::size_t lanes,
                 std::int64_t start_ns);

  AdmissionLane& lane(std::size_t number) { return *lanes_[number]; }

  /// Judges what can be judged by now. Called by one thread, a few times a second.
  void judge();
  /// All of the rest: no lane is written any more.
  void finish();

  /// The findings, with the keys' numbers behind `prefix`.
  reports::AdmissionChecks checks(const std::string& prefix) const;

 private:
  struct Finding {
    std::uint32_t key;
    oracle::Exceeded exceeded;
  };
  /// The number of those that are described; all are counted.
  static constexpr std::size_t most_findings = 8;
  /// The most admissions that wait for a lane that tells nothing. Beyond these, the latest are not
  /// judged.
  static constexpr std::size_t most_waiting = std::size_t{1} << 23;

  std::int64_t collect();
  void judge_before(std::int64_t end_ns);

  oracle::AdmissionBounds bounds_;
  std::vector<std::unique_ptr<AdmissionLane>> lanes_;
  std::int64_t start_ns_;
  std::vector<Admission> waiting_;
  std::vector<Admission> taken_;
  std::uint64_t judged_ = 0;
  std::uint64_t not_judged_ = 0;
  std::uint64_t exceeded_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace hallmark::loadgen::store
