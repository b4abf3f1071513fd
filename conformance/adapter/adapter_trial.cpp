#include <fmt/format.h>

#include "conformance/adapter/adapter_case.hpp"
#include "reports/text.hpp"

namespace hallmark::conformance {
namespace {

constexpr std::size_t longest_quoted = 120;

std::string shown(const AdapterJson& answer) {
  return reports::shorten(
      reports::printable(answer.dump(-1, ' ', false, AdapterJson::error_handler_t::replace)),
      longest_quoted);
}

}  // namespace

AdapterJson AdapterTrial::ask_listed(const AdapterJson& request,
                                     const std::vector<std::string>& formats) {
  const std::string lack = missing(supports_, request, formats);
  if (!lack.empty()) {
    require_unsupported(request, lack);
    end_case(reports::Verdict::unsupported,
             fmt::format("the adapter does not list {}, and answers so", lack));
  }
  AdapterJson answer = ask(request);
  if (answer.contains("unsupported"))
    fail(fmt::format("answered as unsupported, though the hello lists it: {}", shown(answer)));
  return answer;
}

void AdapterTrial::require_unsupported(const AdapterJson& request, const std::string& lack,
                                       bool or_error) {
  const AdapterJson answer = ask(request);
  if (or_error && answer.contains("error")) return;
  const auto why = answer.find("unsupported");
  if (why == answer.end())
    fail(fmt::format("the adapter has not {}, and does not say 'unsupported' but {}", lack,
                     shown(answer)));
  if (!why->is_string() || why->get<std::string>().empty())
    fail(fmt::format("'unsupported' is no text that says why: {}", shown(answer)));
}

}  // namespace hallmark::conformance
