#pragma once
#include <string>
#include <string_view>

#include "audit/migration_result.hpp"

namespace hallmark::audit {

/// Puts together what a migration did.
class MigrationLog {
 public:
  explicit MigrationLog(bool dry_run) { result_.dry_run = dry_run; }

  void rewritten(FormatSet from, Rewritten&& one);
  void merged_part(FormatSet from, Rewritten&& one);
  void merged_key() { ++result_.merged_keys; }
  void overtaken() { ++result_.overtaken; }
  void repaired(std::uint64_t entries = 1) { result_.repaired += entries; }
  void not_done(std::string_view key, std::string_view reason);

  const MigrationResult& result() const { return result_; }

 private:
  MigrationResult result_;
};

}  // namespace hallmark::audit
