#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hallmark::reports {

/// The outcomes of the decisions in the measured part of a run on a store.
struct StoreCounts {
  std::uint64_t allowed = 0;
  std::uint64_t denied = 0;
  std::uint64_t conflicts = 0;  ///< somebody else had written between the read and the write
  std::uint64_t retries = 0;    ///< decided again after a conflict
  std::uint64_t gave_up = 0;    ///< requests that met with nothing but conflicts: failed
  bool operator==(const StoreCounts&) const = default;
};

/// More was admitted of a key than its limit allows. Times are nanoseconds from the start of the
/// run.
struct AdmissionFinding {
  std::string key;
  std::uint64_t from_ns = 0, to_ns = 0;
  std::uint64_t admitted = 0;  ///< in the window
  std::uint64_t allowed = 0;   ///< at most
  std::string reason;          ///< one line: the limit
  bool operator==(const AdmissionFinding&) const = default;
};

/// The findings of the oracle about the admissions of a run, warm-up included.
struct AdmissionChecks {
  std::uint64_t judged = 0;
  std::uint64_t not_judged = 0;                 ///< too many waited to be judged
  std::uint64_t exceeded = 0;                   ///< admissions beyond a limit
  std::vector<AdmissionFinding> findings = {};  ///< the first ones
  bool operator==(const AdmissionChecks&) const = default;
};

/// Results that only a run on a store has.
struct StoreLoad {
  StoreCounts counts;
  AdmissionChecks admissions;
  bool operator==(const StoreLoad&) const = default;
};

/// True if a limit was shown to be exceeded.
inline bool proven_wrong(const StoreLoad& load) { return load.admissions.exceeded != 0; }

}  // namespace hallmark::reports
