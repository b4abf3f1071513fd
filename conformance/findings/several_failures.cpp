#include "conformance/findings/several_failures.hpp"

#include <string_view>

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Code;

/// Takes the sentence up to the next "; ".
std::string_view take_sentence(std::string_view& text) {
  constexpr std::string_view separator = "; ";
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view sentence = text.substr(0, end);
  text.remove_prefix(std::min(end + separator.size(), text.size()));
  return sentence;
}

}  // namespace

reports::CertifyResult one_failure_a_case(const reports::CertifyResult& run) {
  reports::CertifyResult apart = run;
  apart.cases.clear();
  for (const CaseResult& one : run.cases) {
    if (!one.code || one.code->further.empty()) {
      apart.cases.push_back(one);
      continue;
    }
    std::string_view rest = one.reason;
    std::vector<Code> codes{*one.code};
    codes.front().further.clear();
    codes.insert(codes.end(), one.code->further.begin(), one.code->further.end());
    for (Code& code : codes) {
      CaseResult& failure = apart.cases.emplace_back(one);
      failure.code = std::move(code);
      failure.reason = take_sentence(rest);
    }
  }
  return apart;
}

}  // namespace hallmark::conformance
