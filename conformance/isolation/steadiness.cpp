#include "conformance/isolation/steadiness.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/text.hpp"
#include "conformance/judgement/verdict.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::CertifyResult;
using reports::Death;
using reports::DeathCause;
using reports::Verdict;

/// How many cases are named.
constexpr std::size_t most_named = 8;

void add_unstable(CertifyResult& result, std::string_view name, std::string_view title,
                  std::string reason, Code code) {
  const reports::RunHeader& header = result.header;
  CaseResult added;
  added.id = header.width.empty()
                 ? fmt::format("{}/sanity/{}", header.dialect, name)
                 : fmt::format("{}/{}/sanity/{}", header.dialect, header.width, name);
  added.title = title;
  Judgement judgement{Verdict::unstable, std::move(reason), {}, {}};
  judgement.code = std::move(code);
  conclude(added, std::move(judgement));
  result.cases.push_back(std::move(added));
}

std::string in_words(const Wavering& one) {
  return one.code.empty() ? one.id : fmt::format("{} ({})", one.id, one.code);
}

bool is_stray(const Death& death) { return death.cause == DeathCause::unknown; }

}  // namespace

void tell_wavering(CertifyResult& result, const std::vector<Wavering>& wavering) {
  if (wavering.empty()) return;
  std::vector<std::string> named;
  for (const Wavering& one : std::span(wavering).first(std::min(wavering.size(), most_named)))
    named.push_back(in_words(one));
  const std::size_t more = wavering.size() - named.size();
  add_unstable(result, "steady", "a case that fails also fails alone, on a fresh process",
               fmt::format("{} failed once, and passed alone on a fresh process: {}{}",
                           base::counted(wavering.size(), "case", "cases"), fmt::join(named, ", "),
                           more == 0 ? "" : fmt::format(" and {} more", more)),
               {.kind = Code::Kind::broken_promise, .promise = "what fails once fails again"});
}

std::vector<std::string> wavering_of(const CertifyResult& result, const CaseResult& one) {
  std::vector<std::string> wavering;
  if (!one.id.ends_with("/sanity/steady")) return wavering;
  for (const CaseResult& other : result.cases) {
    if (other.verdict == Verdict::pass && other.repeated.played > 0) wavering.push_back(other.id);
  }
  return wavering;
}

void tell_stray_deaths(CertifyResult& result) {
  const auto first = std::ranges::find_if(result.deaths, is_stray);
  // Nobody looked for the cause of a death at which the run was cut off.
  if (first == result.deaths.end() || result.interrupted) return;
  const auto times = static_cast<std::size_t>(std::ranges::count_if(result.deaths, is_stray));
  std::string reason = fmt::format("the target {} during the run: {}; {}",
                                   first->hung ? "hung" : "died", first->how, first->conclusion);
  if (times > 1) reason += fmt::format("; the first of {} such ends", times);
  // Some of them may be hangs: one code for both, so that it is the same whichever came.
  add_unstable(result, "lives", "the target lives as long as the run", std::move(reason),
               {.kind = Code::Kind::crash});
}

}  // namespace hallmark::conformance
