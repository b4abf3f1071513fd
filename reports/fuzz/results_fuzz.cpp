// Feeds arbitrary text to the readers of saved results, of codes and of objectives. A result that
// is accepted is written as a document that reads back as the same; a refusal is one line.
#include "base/fuzz/requirement.hpp"
#include "reports/certify/code.hpp"
#include "reports/json_report.hpp"
#include "reports/load/slo.hpp"
#include "reports/saved_result.hpp"

namespace hallmark::reports {
namespace {

using fuzz::require;

void read_saved(std::string_view text) {
  const auto result = parse_result(text, "FILE");
  if (!result) return fuzz::require_line(result.error().message);
  const auto render = [](const auto& one) { return render_json(one); };
  const std::string written = std::visit(render, *result);
  const auto again = parse_result(written, "FILE");
  require(again.has_value(), again ? "" : again.error().message, written);
  require(std::visit(render, *again) == written, "a result reads back as the same", written);
}

void read_code(std::string_view text) {
  const auto code = parse_code(text);
  if (code) require(text_of(*code) == text, "a code is written as it was read", text);
}

void read_objectives(std::string_view text) {
  const auto objectives = parse_objectives(text);
  if (!objectives) return fuzz::require_line_about(text, objectives.error().message);
  require(!objectives->empty(), "there is an objective", text);
  for (const Objective& one : *objectives) {
    const auto again = parse_objectives(one.text);
    require(again && again->size() == 1, "an objective reads back", one.text);
    const Objective& same = again->front();
    require(same.metric == one.metric && same.relation == one.relation && same.bound == one.bound,
            "an objective reads back as the same", one.text);
  }
}

}  // namespace
}  // namespace hallmark::reports

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = hallmark::fuzz::Input(data, size).text();
  hallmark::reports::read_saved(text);
  hallmark::reports::read_code(text);
  hallmark::reports::read_objectives(text);
  return 0;
}
