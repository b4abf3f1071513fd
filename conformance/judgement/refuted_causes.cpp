#include "conformance/judgement/refuted_causes.hpp"

#include <map>

#include "conformance/judgement/diagnosis.hpp"
#include "conformance/judgement/evidence.hpp"
#include "reports/result.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Code;

bool is_right(const Evidence::Passed& passed) {
  return passed.direction == reports::Direction::received && passed.layout && !passed.broken &&
         passed.omitted == 0 && passed.mismatches.empty();
}

bool has_wrong_field(const CaseResult& one) {
  return one.code && one.code->kind == Code::Kind::wrong_field;
}

std::pair<std::string, std::string> field_of(const CaseResult& one) {
  return {one.code->message, one.code->field};
}

}  // namespace

void RefutedCauses::see(const WireFormat& format, const Evidence& evidence) {
  for (const Evidence::Passed& passed : evidence.passed()) {
    if (!is_right(passed)) continue;
    const std::string message(passed.layout->name());
    const std::lock_guard lock(mutex_);
    if (!seen_.emplace(message, passed.bytes.size()).second) continue;
    for (std::string& cause : refuted_causes(format, *passed.layout, passed.bytes))
      refuted_.emplace(message, std::move(cause));
  }
}

void RefutedCauses::take_back(reports::CertifyResult& result, const std::string& of_target) const {
  const auto own_cause = [&](const CaseResult& one) {
    return one.likely_cause == of_target ? std::string() : one.likely_cause;
  };
  std::map<std::pair<std::string, std::string>, std::set<std::string>> claimed;  // by field
  for (const CaseResult& one : result.cases) {
    if (has_wrong_field(one)) claimed[field_of(one)].insert(own_cause(one));
  }
  for (CaseResult& one : result.cases) {
    if (!one.code || own_cause(one).empty()) continue;
    const bool refuted = refuted_.contains({one.code->message, one.likely_cause});
    const bool disputed = has_wrong_field(one) && claimed[field_of(one)].size() > 1;
    if (refuted || disputed) one.likely_cause.clear();
  }
}

}  // namespace hallmark::conformance
