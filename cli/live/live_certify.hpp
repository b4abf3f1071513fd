#pragma once
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "cli/html/page_size.hpp"
#include "cli/live/live_source.hpp"
#include "conformance/engine/certify.hpp"

namespace hallmark::cli {

/// A certification for its live page: the cases that have been judged.
class LiveCertify final : public LiveSource {
 public:
  explicit LiveCertify(const conformance::CertifyOptions& options);

  /// Adds cases that were judged; those that were played once more are added again.
  void add(std::span<const reports::CaseResult> cases);
  void add(const conformance::Progress& progress);

  std::optional<std::string> news(LivePosition& seen) override;

 private:
  std::mutex mutex_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::uint64_t version_ = 1;
  conformance::Progress progress_;
  std::size_t evidence_left_ = most_evidence_bytes;
  reports::CertifyResult result_;
};

}  // namespace hallmark::cli
