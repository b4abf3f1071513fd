#include "conformance/certificate/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/endpoint.hpp"
#include "conformance/record/played_network.hpp"

namespace hallmark::certificate {
namespace {

using base::Error;
using conformance::CertifyOptions;
using conformance::CertifyOutcome;
using conformance::Divergence;
using conformance::Links;
using conformance::Playback;
using conformance::WireFormat;
using protocol::Transport;
using reports::CaseResult;
using reports::CertifyResult;

using Ids = std::set<std::string>;

Transport transport_of(const Commission& commission) {
  const protocol::Dialect* const dialect = commission.asked.dialect;
  return dialect == nullptr ? Transport::stream : dialect->transport;
}

template <class Cases>
std::vector<std::string> ids_of(const Cases& cases) {
  std::vector<std::string> ids;
  for (const auto& one : cases) {
    if constexpr (requires { one.cases; }) {
      for (const auto& entry : one.cases) ids.push_back(entry.id);
    } else {
      ids.push_back(one.entry.id);
    }
  }
  return ids;
}

/// The ids of the whole suite. Errors: one line.
boost::system::result<std::vector<std::string>, std::string> all_ids(const Suites& suites,
                                                                     const Commission& commission,
                                                                     const WireFormat& format) {
  const auto ids = [](const auto& made) -> decltype(all_ids(suites, commission, format)) {
    if (!made) return made.error();
    return ids_of(*made);
  };
  switch (transport_of(commission)) {
    case Transport::stream: return ids(suites.streams(format));
    case Transport::datagram: return ids(suites.datagrams(format, commission));
    case Transport::at_rest: return ids(suites.adapters(format));
  }
  return std::string("the dialect is spoken over no transport");
}

/// Keeps the cases that were played: of an interrupted suite, there is nothing else to judge.
template <class Cases>
void keep_recorded(Cases& cases, const CertifyResult& recorded) {
  if (!recorded.interrupted) return;
  Ids ids;
  for (const CaseResult& one : recorded.cases) ids.insert(one.id);
  std::erase_if(cases, [&](const auto& one) {
    if constexpr (requires { one.cases; }) {
      return !ids.contains(one.cases.front().id);
    } else {
      return !ids.contains(one.entry.id);
    }
  });
}

/// The run once more, over its record.
class Replay {
 public:
  Replay(const Certificate& certificate, const Suites& suites, CertifyOptions options)
      : certificate_(certificate), suites_(suites), options_(std::move(options)) {}

  CertifyOutcome play() {
    switch (transport_of(certificate_.commission)) {
      case Transport::stream: return streams();
      case Transport::datagram: return datagrams();
      case Transport::at_rest: return adapters();
    }
    return std::string("the dialect is spoken over no transport");
  }

  std::vector<Divergence> divergences() { return std::move(divergences_); }

 private:
  template <class Made>
  Made chosen(Made made) const {
    if (!made) return made;
    made = choose(std::move(*made));
    if (made) keep_recorded(*made, certificate_.result);
    return made;
  }

  boost::system::result<conformance::Suite, std::string> choose(conformance::Suite suite) const {
    return conformance::chosen(std::move(suite), certificate_.commission.filter);
  }
  template <class Case>
  boost::system::result<std::vector<Case>, std::string> choose(std::vector<Case> cases) const {
    return conformance::chosen_of(std::move(cases), certificate_.commission.filter);
  }

  CertifyOutcome streams() {
    Playback playback(certificate_.parts, Links::of_part);
    conformance::PlayedNetwork network(playback);
    auto outcome = conformance::certify_over(
        network, [&](const WireFormat& format) { return chosen(suites_.streams(format)); },
        options_);
    divergences_ = playback.finish();
    return outcome;
  }

  CertifyOutcome datagrams() {
    Playback playback(certificate_.parts, Links::of_run);
    conformance::PlayedDatagrams network(playback);
    const bool awaited = base::has_scheme_of<base::ExecEndpoint>(options_.target_text);
    auto outcome = conformance::certify_datagrams_over(
        network,
        [&](const WireFormat& format) {
          return chosen(suites_.datagrams(format, certificate_.commission));
        },
        options_, awaited);
    divergences_ = playback.finish();
    return outcome;
  }

  CertifyOutcome adapters() {
    const WireFormat format(protocol::Width::none,
                            conformance::adapter_readings(certificate_.commission.asked));
    const auto cases = chosen(suites_.adapters(format));
    if (!cases) return cases.error();
    Playback playback(certificate_.parts, Links::of_run);
    conformance::PlayedHost host(playback);
    CertifyResult result = conformance::certify_adapter_over(host, *cases, options_);
    divergences_ = playback.finish();
    return result;
  }

  const Certificate& certificate_;
  const Suites& suites_;
  CertifyOptions options_;
  std::vector<Divergence> divergences_;
};

std::string in_words(const CaseResult& one) {
  return one.reason.empty() ? std::string(name_of(one.verdict))
                            : fmt::format("{} ({})", name_of(one.verdict), one.reason);
}

/// The difference between the case as it is certified and as its transcript shows it; empty if they
/// are the same.
std::string difference(const CaseResult& recorded, const CaseResult& judged) {
  if (recorded == judged) return {};
  if (recorded.verdict != judged.verdict || recorded.reason != judged.reason)
    return fmt::format("is certified as {}, and judged: {}", in_words(recorded), in_words(judged));
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
  if (recorded.run_error != judged.run_error && recorded.deaths.empty())
    return fmt::format("the run is certified to have ended by '{}', and ends by '{}'",
                       recorded.run_error, judged.run_error);
  if (recorded.missing_operations != judged.missing_operations)
    return "the target is found to lack other operations";
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
    for (const CaseResult& one : recorded_.cases) {
      if (not_judged_.contains(one.id)) verification_.not_judged.push_back(one.id);
    }
    return std::move(verification_);
  }

 private:
  /// A target that died and was started afresh in the middle is in no record: what goes another way
  /// then is left open.
  void refute(const std::string& id, std::string what) {
    refuted_.insert(id);
    if (!recorded_.deaths.empty()) {
      not_judged_.insert(id);
    } else {
      verification_.refutations.push_back({id, std::move(what)});
    }
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
  Ids not_judged_;
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
  auto ids = all_ids(suites, commission, format);
  if (!ids) return Error{ids.error()};
  return identity_of(suites.vectors_directory, format.dialect(), std::move(*ids));
}

base::Result<Verification> verify(const Certificate& certificate, const Suites& suites) {
  const auto checked = check_suite(certificate, suites);
  if (!checked) return checked.error();
  auto options = options_of(certificate.commission, certificate.result.header);
  if (!options) return options.error();
  Verification verification;
  // A run that found nobody to talk to has nothing to be played.
  if (!certificate.parts.empty() || certificate.result.run_error.empty()) {
    Replay replay(certificate, suites, std::move(*options));
    const CertifyOutcome judged = replay.play();
    if (!judged) return Error{judged.error()};
    verification = Comparison(certificate).of(*judged, replay.divergences());
  }
  Ids certified;
  for (const CaseResult& one : certificate.result.cases) certified.insert(one.id);
  for (const std::string& id : certificate.suite.cases) {
    if (!certified.contains(id)) verification.missing.push_back(id);
  }
  verification.suite_cases = certificate.suite.cases.size();
  verification.whole_choice = is_whole(certificate.commission.filter);
  return verification;
}

reports::ExitCode exit_code(const Certificate& certificate, const Verification& verification) {
  using reports::ExitCode;
  if (!verification.refutations.empty() || !certificate.result.deaths.empty())
    return ExitCode::failures;
  const ExitCode of_run = reports::exit_code(certificate.result);
  const bool complete = verification.missing.empty() && verification.whole_choice;
  return complete ? of_run : reports::worst(of_run, ExitCode::indeterminate);
}

}  // namespace hallmark::certificate
