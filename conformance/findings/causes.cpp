#include "conformance/findings/causes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "conformance/findings/traits.hpp"
#include "conformance/judgement/lapses.hpp"
#include "conformance/judgement/verdict.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Code;

Places common(const Places& a, const Places& b) {
  Places both;
  std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
  return both;
}

/// Explains the more, the more failures are left that have the trait, and the fewer cases pass in
/// spite of it. The fourth power prefers few failures of a narrow trait to many of a broad one,
/// half of whose cases pass.
double score(const Trait& trait, std::size_t explained) {
  const double purity =
      static_cast<double>(trait.failed.size()) / static_cast<double>(trait.decided);
  return trait.weight * static_cast<double>(explained) * std::pow(purity, 4);
}

Places failures_in(const reports::CertifyResult& result) {
  Places all;
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    if (is_failure(result.cases[i])) all.insert(i);
  }
  return all;
}

/// True if both are about one operation, by what they test or by the message that was wrong.
bool are_akin(const CaseResult& a, const CaseResult& b) {
  const auto names = [](const CaseResult& one) {
    return std::array{one.operation, one.code ? one.code->message : one.operation};
  };
  if (ends_process(a) != ends_process(b) || a.id == b.id || is_growth(a) || is_growth(b))
    return false;
  const auto of_a = names(a);
  const auto of_b = names(b);
  return std::ranges::find_first_of(of_a, of_b) != of_a.end();
}

bool show_the_same(const Code& a, const Code& b) { return a.kind == b.kind && a.field == b.field; }

/// True if one and the same fault may be behind the failure and those of the cause: what it shows
/// plainly, a quarter of them shows as well.
bool may_explain(const reports::CertifyResult& result, const Cause& cause, const CaseResult& one) {
  constexpr std::ptrdiff_t least_share = 4;
  if (!is_plain(one)) return true;
  const auto alike = std::ranges::count_if(cause.places, [&](std::size_t at) {
    const auto& code = result.cases[at].code;
    return code && show_the_same(*code, *one.code);
  });
  return alike * least_share >= std::ranges::ssize(cause.places);
}

/// A failure that nothing shares its traits with belongs to the cause most of whose failures are
/// about the same operation, of those that may explain it. Null: there is none.
Cause* nearest(const reports::CertifyResult& result, std::vector<Cause>& causes,
               const CaseResult& one) {
  const auto share = [&](const Cause& cause) {
    if (!may_explain(result, cause, one)) return 0.0;
    const auto akin = std::ranges::count_if(
        cause.places, [&](std::size_t at) { return are_akin(result.cases[at], one); });
    return static_cast<double>(akin) / static_cast<double>(cause.places.size());
  };
  const auto best = std::ranges::max_element(causes, {}, share);
  return best == causes.end() || share(*best) == 0 ? nullptr : &*best;
}

bool are_ends(const reports::CertifyResult& result, const Places& places) {
  return ends_process(result.cases[*places.begin()]);
}

/// True if two of the failures at least show one thing plainly that none of the cause shows.
bool show_something_else(const reports::CertifyResult& result, const Cause& cause,
                         const Places& failures) {
  std::map<std::string, std::size_t> unexplained;  // by symptom
  return std::ranges::any_of(failures, [&](std::size_t at) {
    const CaseResult& one = result.cases[at];
    return !may_explain(result, cause, one) && ++unexplained[symptom_of(one)] == 2;
  });
}

/// The cause that the rest of a trait belongs to, if most failures with the trait are explained:
/// the one that explains the most of them, and may explain the rest. Null: there is none.
Cause* explained_already(const reports::CertifyResult& result, std::vector<Cause>& causes,
                         const Trait& trait, const Places& left) {
  constexpr std::size_t most_share = 4;  // a quarter
  if (left.size() * most_share >= trait.failed.size()) return nullptr;
  const auto shared = [&](const Cause& cause) {
    if (are_ends(result, cause.places) != are_ends(result, left)) return std::size_t{0};
    if (show_something_else(result, cause, left)) return std::size_t{0};
    return common(cause.places, trait.failed).size();
  };
  const auto best = std::ranges::max_element(causes, {}, shared);
  return best == causes.end() || shared(*best) == 0 ? nullptr : &*best;
}

/// Adds failures that are causes of their own to the causes that are nearest to them, those last
/// that show nothing plainly.
std::vector<Cause> with_lone_ones(const reports::CertifyResult& result, std::vector<Cause> causes) {
  const auto lone = std::ranges::stable_partition(
      causes, [](const Cause& cause) { return cause.places.size() > 1; });
  std::ranges::stable_partition(
      lone, [&](const Cause& cause) { return is_plain(result.cases[*cause.places.begin()]); });
  std::vector<Cause> kept(causes.begin(), lone.begin());
  for (const Cause& one : lone) {
    const std::size_t at = *one.places.begin();
    if (Cause* const akin = nearest(result, kept, result.cases[at])) {
      akin->places.insert(at);
    } else {
      kept.push_back(one);
    }
  }
  return kept;
}

/// The usual symptom if half of the failures at least have it; otherwise empty.
std::string shared_symptom(const reports::CertifyResult& result, const Places& places) {
  std::string usual = usual_symptom(result, places);
  const auto having = std::ranges::count_if(
      places, [&](std::size_t at) { return symptom_of(result.cases[at]) == usual; });
  return 2 * static_cast<std::size_t>(having) >= places.size() ? usual : std::string();
}

/// Causes with the same symptom are one: what else they have in common differs with the cases
/// that were played.
std::vector<Cause> by_symptom(const reports::CertifyResult& result, std::vector<Cause> causes) {
  std::vector<Cause> kept;
  for (Cause& cause : causes) {
    if (std::string symptom = shared_symptom(result, cause.places); !symptom.empty())
      cause.name = std::move(symptom);
    const auto same = std::ranges::find(kept, cause.name, &Cause::name);
    if (same == kept.end()) {
      kept.push_back(std::move(cause));
    } else {
      same->places.insert(cause.places.begin(), cause.places.end());
    }
  }
  return kept;
}

/// Takes the case that shows lapses from what is left: it is a cause of its own, whatever else is
/// silent or wrong.
std::vector<Cause> lapses_in(const reports::CertifyResult& result, Places& left) {
  std::vector<Cause> lapses;
  for (const std::size_t at : left) {
    if (lapses_shown_by(result.cases[at]) != Lapses::none)
      lapses.push_back({"symptom " + symptom_of(result.cases[at]), {at}});
  }
  for (const Cause& one : lapses) left.erase(*one.places.begin());
  return lapses;
}

/// Takes the case that says how many replies a connection has from what is left.
std::optional<std::size_t> lifetimes_in(const reports::CertifyResult& result, Places& left) {
  const auto found = std::ranges::find_if(
      left, [&](std::size_t at) { return tells_of_every_connection(result.cases[at]); });
  if (found == left.end()) return std::nullopt;
  const std::size_t at = *found;
  left.erase(found);
  return at;
}

/// Adds it to the cause with the most silences, of those that consist of little else; where there
/// is none, it is a cause of its own.
void add_to_silences(const reports::CertifyResult& result, std::vector<Cause>& causes,
                     std::size_t lifetimes) {
  const auto silences = [&](const Cause& cause) {
    const auto silent = std::ranges::count_if(cause.places, [&](std::size_t at) {
      const auto& code = result.cases[at].code;
      return code && code->kind == Code::Kind::silent;
    });
    return 2 * silent > std::ranges::ssize(cause.places) ? silent : 0;
  };
  const auto most = std::ranges::max_element(causes, {}, silences);
  if (most != causes.end() && silences(*most) > 0) {
    most->places.insert(lifetimes);
  } else {
    causes.push_back({"symptom " + symptom_of(result.cases[lifetimes]), {lifetimes}});
  }
}

}  // namespace

std::vector<Cause> causes_of(const reports::CertifyResult& result) {
  const Traits traits = traits_of(result);
  Places left = failures_in(result);
  const std::vector<Cause> lapses = lapses_in(result, left);
  const std::optional<std::size_t> lifetimes = lifetimes_in(result, left);
  std::vector<Cause> causes;
  while (!left.empty()) {
    const auto worth = [&](const auto& one) {
      return score(one.second, common(one.second.failed, left).size());
    };
    const auto& [name, trait] = *std::ranges::max_element(traits, {}, worth);
    const Places explained = common(trait.failed, left);
    for (const std::size_t at : explained) left.erase(at);
    Cause* const known = explained_already(result, causes, trait, explained);
    if (known == nullptr) {
      causes.push_back({name, explained});
    } else {
      known->places.insert(explained.begin(), explained.end());
    }
  }
  std::vector<Cause> found = by_symptom(result, with_lone_ones(result, std::move(causes)));
  if (lifetimes) add_to_silences(result, found, *lifetimes);
  std::ranges::move(lapses, std::back_inserter(found));
  return found;
}

}  // namespace hallmark::conformance
