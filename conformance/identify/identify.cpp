#include "conformance/identify/identify.hpp"

#include <algorithm>

#include "conformance/identify/contact.hpp"
#include "conformance/identify/interview.hpp"
#include "conformance/suites/throttr/readings/survey.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Readings;
using protocol::Width;

/// The rest is for taking away what a target that went silent may still hold.
Time most_of(Time deadline) { return deadline / 10 * 9; }

void add_purge_missing(Identification& made, const Contact& contact) {
  const std::size_t index = Readings::index_of(*made.dialect, "purge-missing");
  if (index == Readings::most || contact.purge_missing.empty()) return;
  static_cast<void>(made.readings->set("purge-missing", contact.purge_missing));
  Clue clue = made.find("width")->clues.front();
  clue.shows = "the PURGEs of the keys that were not there";
  made.findings.push_back({"purge-missing", std::string(contact.purge_missing), {std::move(clue)}});
}

/// The findings of readings as the dialect lists them.
void sort_findings(Identification& made) {
  if (made.dialect == nullptr) return;
  const auto rank = [&](const Finding& finding) {
    if (finding.subject == "dialect" || finding.subject == "width") return std::size_t{0};
    return 1 + Readings::index_of(*made.dialect, finding.subject);
  };
  std::ranges::stable_sort(made.findings, {}, rank);
}

void add_transcript(Identification& made, Transcript transcript) {
  Finding& dialect = made.findings.front();
  for (Clue& clue : transcript.dialect_clues) dialect.clues.push_back(std::move(clue));
  made.dialect = transcript.dialect;
  for (const Candidate& each : transcript.candidates) made.possible.push_back(&each.dialect());
  if (made.dialect == nullptr) return;
  dialect.answer = made.dialect->name;
  made.readings = transcript.candidates.front().readings();
  for (Finding& finding : transcript.findings) made.findings.push_back(std::move(finding));
}

std::string joined_hex(const std::vector<reports::Exchange>& exchanges,
                       reports::Direction direction) {
  constexpr std::size_t most = 4;
  std::string text;
  std::size_t count = 0;
  for (const reports::Exchange& exchange : exchanges) {
    if (exchange.direction != direction) continue;
    if (++count > most) return text + " | …";
    text += (text.empty() ? "" : " | ") + in_hex(exchange.bytes);
  }
  return text;
}

Finding finding_of(const protocol::Dialect& dialect, const Answered& answered) {
  Finding finding{std::string(answered.reading), std::string(answered.told.answer), {}};
  if (answered.told.answer.empty()) {
    finding.clues.push_back({"", "", answered.told.reason});
    return finding;
  }
  const protocol::Reading& reading =
      dialect.readings[Readings::index_of(dialect, answered.reading)];
  const auto answer =
      std::ranges::find(reading.answers, answered.told.answer, &protocol::Answer::id);
  finding.clues.push_back({joined_hex(answered.exchanges, reports::Direction::sent),
                           joined_hex(answered.exchanges, reports::Direction::received),
                           std::string(answer->meaning)});
  return finding;
}

void add_behaviour(Identification& made, Network& network, Time until,
                   const IdentifyOptions& options) {
  // Every wait of a target that has gone silent is short beside what is left.
  const Time now = network.now();
  Patience patience((until > now ? until - now : 0) / 4 + 1);
  SurveyOptions how{.nonce = options.nonce, .prefix = std::string(made.dialect->name)};
  how.most = Cost::quick;
  how.stop = options.stop;
  how.until = until;
  for (const Answered& answered :
       survey(network, patience, *made.width, *made.readings, made.findings, how)) {
    if (made.find(answered.reading) == nullptr)
      made.findings.push_back(finding_of(*made.dialect, answered));
  }
}

Identification made_until(Time until, Network& network, const IdentifyOptions& options) {
  const Contact contact = make_contact(network, until, options.nonce, options.stop);
  Identification made;
  made.unreachable = contact.unreachable;
  made.stranger = contact.stranger;
  made.findings = contact.findings;
  if (!contact.throttr()) return made;
  made.width = contact.width;
  made.dialect = contact.dialect;
  if (made.dialect != nullptr) {
    made.readings.emplace(*made.dialect, protocol::Profile::deployed);
  } else {
    add_transcript(made, interview(network, until, options.nonce, contact.width, options.stop));
  }
  if (made.dialect != nullptr) add_purge_missing(made, contact);
  sort_findings(made);
  return made;
}

}  // namespace

Identification identify_layouts(Network& network, const IdentifyOptions& options) {
  const Time until = network.now() + most_of(options.deadline);
  Identification made = made_until(until, network, options);
  made.interrupted = !made.known() && is_over(network, options.stop);
  return made;
}

Identification identify(Network& network, const IdentifyOptions& options) {
  const Time until = network.now() + most_of(options.deadline);
  Identification made = identify_layouts(network, options);
  if (made.known()) add_behaviour(made, network, until, options);
  sort_findings(made);
  return made;
}

}  // namespace hallmark::conformance
