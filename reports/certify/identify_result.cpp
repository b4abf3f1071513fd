#include "reports/certify/identify_result.hpp"

namespace hallmark::reports {

ExitCode exit_code(const IdentifyResult& result) {
  if (!result.stranger.empty()) return ExitCode::failures;
  const bool known = !result.header.dialect.empty() && !result.header.width.empty();
  return known ? ExitCode::as_expected : ExitCode::indeterminate;
}

}  // namespace hallmark::reports
