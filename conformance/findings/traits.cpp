#include "conformance/findings/traits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "conformance/judgement/verdict.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Code;
using reports::Verdict;

bool is_decided(const CaseResult& one) {
  return one.verdict == Verdict::pass || one.verdict == Verdict::known || is_failure(one);
}

/// A vector in any delivery and at any width: "get/value" of "throttr-7.1/u16/get/value#split".
std::string vector_of(const std::string& id, const reports::RunHeader& header) {
  std::string prefix = header.dialect + '/';
  if (!header.width.empty()) prefix += header.width + '/';
  const std::size_t begin = id.starts_with(prefix) ? prefix.size() : 0;
  return id.substr(begin, id.find('#') - begin);
}

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

/// The traits of a case, whatever became of it.
std::vector<Named> places(const CaseResult& one, const reports::RunHeader& header) {
  std::vector<Named> all{{"operation " + one.operation, 1},
                         {"vector " + vector_of(one.id, header), 1}};
  for (const std::string& clause : one.clauses) all.push_back({"clause " + clause, 1});
  if (const std::string group = group_of(one.id); !group.empty())
    all.push_back({"group " + group, 1});
  return all;
}

/// True of a symptom that a connection shows whatever it was asked: a server that stops to answer,
/// or that sends too much, does so after requests of every kind.
bool is_of_connections(const Code& code) {
  switch (code.kind) {
    case Code::Kind::silent:
    case Code::Kind::closed:
    case Code::Kind::unread:
    case Code::Kind::surplus:
    case Code::Kind::desynchronised:
    case Code::Kind::refused_connection: return code.message != "DELIVERY";
    default: return false;
  }
}

constexpr std::string_view of_connections = "connections ";
constexpr std::string_view of_processes = "end ";
/// Seen in fewer messages, a symptom is that of each of them.
constexpr std::size_t least_messages = 3;

/// The symptoms of a failure, as exactly as they are known and less exactly.
std::vector<Named> symptoms(const CaseResult& one) {
  const Code& code = *one.code;
  const std::string kind(reports::name_of(code.kind));
  if (ends_process(one))
    return {{fmt::format("{}{} {}", of_processes, kind, code.message), 1},
            {fmt::format("{}{}", of_processes, kind), 0.7}};
  std::vector<Named> all{{"symptom " + reports::text_of(code), 1}};
  if (is_of_connections(code)) all.push_back({fmt::format("{}{}", of_connections, kind), 0.7});
  if (code.message.empty()) return all;
  all.push_back({fmt::format("symptom {} {}.{}", kind, code.message, code.field), 1});
  all.push_back({fmt::format("symptom {} {}", kind, code.message), 1});
  all.push_back({"message " + code.message, 1});
  return all;
}

}  // namespace

bool is_growth(const CaseResult& one) {
  return one.code && (one.code->kind == Code::Kind::leak || one.code->kind == Code::Kind::busy);
}

std::string symptom_of(const CaseResult& one) {
  if (!one.code) return {};
  Code code = *one.code;
  code.input.clear();
  return reports::text_of(code);
}

bool is_plain(const CaseResult& one) {
  if (!one.code) return false;
  switch (one.code->kind) {
    case Code::Kind::wrong_order:
    case Code::Kind::broken_promise:
    case Code::Kind::undecided: return false;
    default: return true;
  }
}

std::string usual_symptom(const reports::CertifyResult& result, const Places& places) {
  std::map<std::string, std::pair<std::size_t, bool>> counts;  // and whether they are plain
  for (const std::size_t at : places) {
    const CaseResult& one = result.cases[at];
    if (!one.code) continue;
    auto& [count, plain] = counts[symptom_of(one)];
    ++count;
    plain = is_plain(one);
  }
  if (counts.empty()) return {};
  const auto value = &std::pair<const std::string, std::pair<std::size_t, bool>>::second;
  return std::ranges::max_element(counts, {}, value)->first;
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
    // The place of a case says nothing of the second thing that is wrong with it, and nothing of an
    // end: a process ends or hangs of something rare, whatever else is wrong with the same
    // messages.
    const bool is_further = i > 0 && result.cases[i - 1].id == one.id;
    if (ends_process(one) || is_further) continue;
    for (const Named& place : places(one, result.header)) {
      Trait& trait = traits[place.name];
      ++trait.decided;
      trait.weight = place.weight;
      if (is_failure(one)) trait.failed.insert(i);
    }
  }
  std::map<std::string, std::set<std::string>> messages_of;  // of the symptoms
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const CaseResult& one = result.cases[i];
    if (!is_failure(one) || !one.code) continue;
    for (const Named& symptom : symptoms(one)) {
      Trait& trait = traits[symptom.name];
      trait.weight = symptom.weight;
      trait.failed.insert(i);
      messages_of[symptom.name].insert(one.code->message);
    }
  }
  for (const auto& [name, messages] : messages_of) {
    Trait& trait = traits[name];
    trait.decided = trait.failed.size();
    if (name.starts_with(of_processes)) continue;
    if (name.starts_with(of_connections)) {
      if (messages.size() < least_messages) trait.failed.clear();
      continue;
    }
    // A wrong message could have been seen in every case about that message.
    std::set<std::size_t> could = trait.failed;
    if (const auto found = about.find(*messages.begin()); found != about.end())
      could.insert(found->second.begin(), found->second.end());
    trait.decided = could.size();
  }
  std::erase_if(traits, [](const auto& one) { return one.second.failed.empty(); });
  return traits;
}

}  // namespace hallmark::conformance
