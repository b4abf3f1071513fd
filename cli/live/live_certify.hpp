#pragma once
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/html/page_size.hpp"
#include "cli/live/live_source.hpp"
#include "conformance/engine/certify.hpp"

namespace hallmark::cli {

/// A certification for its live page: the cases that have been judged, and their failures by cause
/// as far as they go. These findings are provisional: a failure that is not confirmed is none.
class LiveCertify final : public LiveSource {
 public:
  explicit LiveCertify(const conformance::CertifyOptions& options);

  /// Adds cases that were judged; those that were played once more are added again.
  void add(std::span<const reports::CaseResult> cases);
  void add(const conformance::Progress& progress);

  std::optional<std::string> news(LivePosition& seen) override;

 private:
  const std::vector<reports::CertifyFinding>& findings();

  std::mutex mutex_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::uint64_t version_ = 1;
  conformance::Progress progress_;
  std::size_t evidence_left_ = most_evidence_bytes;
  reports::CertifyResult result_;
  std::vector<reports::CertifyFinding> findings_;
  std::size_t grouped_cases_ = 0;  ///< of `result_.cases`, those that `findings_` knows
};

}  // namespace hallmark::cli
