#include "conformance/certificate/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/drivers/driver.hpp"

namespace hallmark::certificate {
namespace {

using base::Error;
using conformance::Cases;
using conformance::CertifyOptions;
using conformance::Divergence;
using conformance::Replayed;
using conformance::WireFormat;
using reports::CaseResult;
using reports::CertifyResult;

using Ids = std::set<std::string>;

/// If the suite was interrupted, keeps only the cases that were played: no others can be judged.
void keep_recorded(Cases& cases, const CertifyResult& recorded) {
  if (!recorded.interrupted) return;
  Ids ids;
  for (const CaseResult& one : recorded.cases) ids.insert(one.id);
  keep(cases, ids);
}

/// The run once more, over its record.
Replayed replay(const Certificate& certificate, const Suites& suites,
                const CertifyOptions& options) {
  const auto make_cases = [&](const WireFormat& format) -> conformance::OrReason<Cases> {
    auto made = suites.cases(format, certificate.commission);
    if (made) made = chosen(std::move(*made), certificate.commission.filter);
    if (made) keep_recorded(*made, certificate.result);
    return made;
  };
  return conformance::driver_of(options.asked).replay(certificate.parts, make_cases, options);
}

std::string in_words(const CaseResult& one) {
  return one.reason.empty() ? std::string(name_of(one.verdict))
                            : fmt::format("{} ({})", name_of(one.verdict), one.reason);
}

std::string text_of(const std::optional<reports::Code>& code) {
  return code ? reports::text_of(*code) : "none";
}

/// The difference between the case as it is certified and as its transcript shows it; empty if they
/// are the same.
std::string difference(const CaseResult& recorded, const CaseResult& judged) {
  if (recorded == judged) return {};
  if (recorded.verdict != judged.verdict || recorded.reason != judged.reason)
    return fmt::format("is certified as {}, and judged: {}", in_words(recorded), in_words(judged));
  if (recorded.code != judged.code)
    return fmt::format("is certified with the code '{}', and judged with '{}'",
                       text_of(recorded.code), text_of(judged.code));
  if (recorded.duration != judged.duration)
    return fmt::format("is certified to take {} ns, and takes {}", recorded.duration.count(),
                       judged.duration.count());
  return "is certified with another title, clause, cause or evidence than it is judged with";
}

/// The difference between two runs as a whole. Facts that only the run itself could know are taken
/// from its record.
std::string difference(const CertifyResult& recorded, const CertifyResult& judged) {
  const reports::RunHeader& ours = recorded.header;
  const reports::RunHeader& theirs = judged.header;
  const auto held = [](const reports::RunHeader& header) {
    return std::tie(header.dialect, header.width, header.profile, header.readings, header.answers);
  };
  if (held(ours) != held(theirs)) return "the target is found to be held to something else";
  if (ours.options != theirs.options) return "the options are others";
  if (ours.duration != theirs.duration) return "the run is found to take another time";
  if (recorded.run_error != judged.run_error)
    return fmt::format("the run is certified to have ended by '{}', and ends by '{}'",
                       recorded.run_error, judged.run_error);
  if (recorded.missing_operations != judged.missing_operations)
    return "the target is found to lack other operations";
  if (recorded.deaths != judged.deaths) return "the target is found to have died otherwise";
  if (recorded.process != judged.process) return "the target is found to have used something else";
  if (recorded.interrupted != judged.interrupted) return "it is not interrupted where it was";
  // The note on skipped vectors stands behind the others.
  const bool same_notes = theirs.notes.size() <= ours.notes.size() &&
                          std::equal(theirs.notes.begin(), theirs.notes.end(), ours.notes.begin());
  return same_notes ? "" : "the notes are others";
}

/// Gathers what is different.
class Comparison {
 public:
  explicit Comparison(const Certificate& certificate) : recorded_(certificate.result) {
    for (const conformance::Part& part : certificate.parts)
      verification_.crossings += part.crossings.size();
  }

  Verification of(const CertifyResult& judged, const std::vector<Divergence>& divergences) {
    for (const Divergence& one : divergences) refute(one);
    compare_cases(judged);
    if (const std::string what = difference(recorded_, judged); !what.empty() && refuted_.empty())
      refute("run", what);
    return std::move(verification_);
  }

 private:
  void refute(const std::string& id, std::string what) {
    refuted_.insert(id);
    verification_.refutations.push_back({id, std::move(what)});
  }

  void refute(const Divergence& one) {
    refute(one.part, one.at == 0 ? one.what : fmt::format("at crossing {}: {}", one.at, one.what));
  }

  void compare_cases(const CertifyResult& judged) {
    std::map<std::string, const CaseResult*> left;
    for (const CaseResult& one : judged.cases) left[one.id] = &one;
    for (const CaseResult& one : recorded_.cases) {
      const auto found = left.find(one.id);
      if (found == left.end()) {
        refute(one.id, "is certified, and is no case of the run, or is certified twice");
        continue;
      }
      compare(one, *found->second);
      left.erase(found);
    }
    for (const auto& [id, one] : left) refute(id, "has no verdict in the certificate");
    if (left.empty() && refuted_.empty() &&
        !std::ranges::equal(recorded_.cases, judged.cases, {}, &CaseResult::id, &CaseResult::id))
      refute("run", "the cases are certified in another order");
  }

  void compare(const CaseResult& recorded, const CaseResult& judged) {
    const std::string what = difference(recorded, judged);
    if (what.empty()) ++verification_.judged;
    if (!what.empty() && !refuted_.contains(recorded.id)) refute(recorded.id, what);
  }

  const CertifyResult& recorded_;
  Ids refuted_;
  Verification verification_;
};

/// The suite has to be the one that the certificate is of. Errors: one line.
base::Result<void> check_suite(const Certificate& certificate, const Suites& suites) {
  const auto held = held_in(certificate.result.header);
  if (!held) return {};  // nothing was found out, so no suite was made
  const WireFormat format(held->width, held->readings);
  const auto here = identity_of(suites, certificate.commission, format);
  if (!here) return here.error();
  if (*here == certificate.suite) return {};
  return Error{fmt::format(
      "the certificate is of another suite than this program's: {}; verify it with hallmark {}",
      difference(certificate.suite, *here), certificate.tool)};
}

}  // namespace

base::Result<SuiteIdentity> identity_of(const Suites& suites, const Commission& commission,
                                        const WireFormat& format) {
  const auto cases = suites.cases(format, commission);
  if (!cases) return Error{cases.error()};
  std::vector<std::string> ids;
  for (const conformance::CaseEntry& entry : entries_of(*cases)) ids.push_back(entry.id);
  return identity_of(suites.vectors_directory, format.dialect(), std::move(ids));
}

base::Result<Verification> verify(const Certificate& certificate, const Suites& suites) {
  const auto checked = check_suite(certificate, suites);
  if (!checked) return checked.error();
  auto options = options_of(certificate.commission, certificate.result.header);
  if (!options) return options.error();
  if (suites.readings_needed) {
    options->readings_needed = [&](const WireFormat& format) {
      return suites.readings_needed(format, certificate.commission);
    };
  }
  Verification verification;
  // A run that found nobody to talk to has nothing to be played.
  if (!certificate.parts.empty() || certificate.result.run_error.empty()) {
    const auto [judged, divergences] = replay(certificate, suites, *options);
    if (!judged) return Error{judged.error()};
    verification = Comparison(certificate).of(*judged, divergences);
  }
  Ids certified;
  for (const CaseResult& one : certificate.result.cases) certified.insert(one.id);
  for (const std::string& id : certificate.suite.cases) {
    if (!certified.contains(id)) verification.missing.push_back(id);
  }
  verification.suite_cases = certificate.suite.cases.size();
  verification.whole_choice =
      conformance::is_whole(certificate.commission.filter) && !options->schedule.polite;
  return verification;
}

reports::ExitCode exit_code(const Certificate& certificate, const Verification& verification) {
  using reports::ExitCode;
  if (!verification.refutations.empty()) return ExitCode::failures;
  const ExitCode of_run = reports::exit_code(certificate.result);
  const bool complete = verification.missing.empty() && verification.whole_choice;
  return complete ? of_run : reports::worst(of_run, ExitCode::indeterminate);
}

}  // namespace hallmark::certificate
