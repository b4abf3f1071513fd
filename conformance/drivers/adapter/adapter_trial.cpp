#include <fmt/format.h>

#include "base/text.hpp"
#include "conformance/drivers/adapter/adapter_case.hpp"

namespace hallmark::conformance {
namespace {

using base::Json;

constexpr std::size_t longest_quoted = 120;

std::string shown(const Json& answer) { return base::excerpt(answer.dump(), longest_quoted); }

}  // namespace

Json AdapterTrial::ask_listed(const Json& request, const std::vector<std::string>& formats) {
  const std::string lack = missing(supports_, request, formats);
  if (!lack.empty()) {
    require_unsupported(request, lack);
    end_case(reports::Verdict::unsupported,
             fmt::format("the adapter does not list {}, and answers so", lack));
  }
  Json answer = ask(request);
  if (answer.contains("unsupported"))
    fail(fmt::format("answered as unsupported, though the hello lists it: {}", shown(answer)));
  return answer;
}

void AdapterTrial::require_unsupported(const Json& request, const std::string& lack,
                                       bool or_error) {
  const Json answer = ask(request);
  if (or_error && answer.contains("error")) return;
  const Json* const why = answer.find("unsupported");
  if (why == nullptr)
    fail(fmt::format("the adapter has not {}, and does not say 'unsupported' but {}", lack,
                     shown(answer)));
  if (!why->is_string() || why->string().empty())
    fail(fmt::format("'unsupported' is no text that says why: {}", shown(answer)));
}

}  // namespace hallmark::conformance
