#include "conformance/findings/traits.hpp"

#include <fmt/format.h>

#include <vector>

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Code;
using reports::Verdict;

bool is_decided(const CaseResult& one) {
  return one.verdict == Verdict::pass || one.verdict == Verdict::known || is_failure(one);
}

/// A vector in any delivery.
std::string without_delivery(const std::string& id) { return id.substr(0, id.find('#')); }

/// "behaviour/resources" of "throttr-7.1/u16/behaviour/resources/churn".
std::string group_of(const std::string& id) {
  const std::size_t behind = id.find("/behaviour/");
  if (behind == id.npos) return {};
  return id.substr(behind + 1, id.rfind('/') - behind - 1);
}

struct Named {
  std::string name;
  double weight;
};

/// Of a case, whatever became of it.
std::vector<Named> places(const CaseResult& one) {
  std::vector<Named> all{{"operation " + one.operation, 1},
                         {"vector " + without_delivery(one.id), 1}};
  for (const std::string& clause : one.clauses) all.push_back({"clause " + clause, 1});
  if (const std::string group = group_of(one.id); !group.empty())
    all.push_back({"group " + group, 1});
  return all;
}

/// Of a failure: as exactly as it is known, and less exactly.
std::vector<Named> symptoms(const CaseResult& one) {
  const Code& code = *one.code;
  const std::string kind(reports::name_of(code.kind));
  if (ends_process(one))
    return {{fmt::format("end {} {}", kind, code.message), 1}, {"end " + kind, 0.7}};
  std::vector<Named> all{{"symptom " + reports::text_of(code), 1}};
  if (code.message.empty()) return all;
  all.push_back({fmt::format("symptom {} {}.{}", kind, code.message, code.field), 1});
  all.push_back({fmt::format("symptom {} {}", kind, code.message), 1});
  all.push_back({"message " + code.message, 1});
  return all;
}

}  // namespace

/// A process ends or hangs of something rare, whatever else is wrong with the same messages.
bool ends_process(const CaseResult& one) {
  return one.code && (one.code->kind == Code::Kind::crash || one.code->kind == Code::Kind::hang);
}

bool is_growth(const CaseResult& one) {
  return one.code && (one.code->kind == Code::Kind::leak || one.code->kind == Code::Kind::busy);
}

bool is_failure(const CaseResult& one) {
  return one.verdict == Verdict::fail || one.verdict == Verdict::unstable;
}

Traits traits_of(const reports::CertifyResult& result) {
  Traits traits;
  std::map<std::string, std::set<std::size_t>> about;  // by operation: all that were decided
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const CaseResult& one = result.cases[i];
    if (!is_decided(one)) continue;
    about[one.operation].insert(i);
    // Where a case stands says nothing of the second thing that is wrong with it.
    const bool is_further = i > 0 && result.cases[i - 1].id == one.id;
    if (ends_process(one) || is_further) continue;
    for (const Named& place : places(one)) {
      Trait& trait = traits[place.name];
      ++trait.decided;
      trait.weight = place.weight;
      if (is_failure(one)) trait.failed.insert(i);
    }
  }
  std::map<std::string, std::string> message_of;  // of the symptoms
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const CaseResult& one = result.cases[i];
    if (!is_failure(one) || !one.code) continue;
    for (const Named& symptom : symptoms(one)) {
      Trait& trait = traits[symptom.name];
      trait.weight = symptom.weight;
      trait.failed.insert(i);
      message_of[symptom.name] = one.code->message;
    }
  }
  // A wrong message could have been seen in every case about that message.
  for (const auto& [name, message] : message_of) {
    if (name.starts_with("end ")) {
      traits[name].decided = traits[name].failed.size();
      continue;
    }
    std::set<std::size_t> could = traits[name].failed;
    if (const auto found = about.find(message); found != about.end())
      could.insert(found->second.begin(), found->second.end());
    traits[name].decided = could.size();
  }
  std::erase_if(traits, [](const auto& one) { return one.second.failed.empty(); });
  return traits;
}

}  // namespace hallmark::conformance
