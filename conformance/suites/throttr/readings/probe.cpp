#include "conformance/suites/throttr/readings/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hallmark::conformance {
namespace {

std::string of_manner(std::string_view name, bool together) {
  return fmt::format("{}:{}", name, together ? "together" : "one-by-one");
}

std::vector<ReadingProbe> all_probes() {
  std::vector<ReadingProbe> all;
  for (const auto section :
       {pair_probes, record_probes, ttl_probes, channel_probes, unlisted_probes})
    std::ranges::move(section(), std::back_inserter(all));
  return all;
}

}  // namespace

std::string Inquiry::key(std::string_view name) { return stage_.key(of_manner(name, together())); }

std::string Inquiry::channel(std::string_view name) const {
  return stage_.channel(of_manner(name, together()));
}

std::vector<Message> Inquiry::ask(std::span<const Request> requests) {
  std::vector<Message> replies;
  if (!together()) {
    for (const Request& request : requests) replies.push_back(ask(request));
    return replies;
  }
  std::vector<Outgoing> outgoing;
  for (const Request& request : requests) outgoing.push_back(encoded(format(), request));
  connection().send_together(outgoing);
  for (std::size_t i = 0; i < requests.size(); ++i) replies.push_back(connection().reply());
  return replies;
}

std::optional<Message> Inquiry::ask_or_be_closed(const Request& request) {
  try {
    return ask(request);
  } catch (const CaseEnded& ended) {
    if (ended.judgement().refused_operation.empty()) throw;
    stage_.close(connection().name());
    return std::nullopt;
  }
}

Told Inquiry::first_of(std::initializer_list<Claim> claims, const std::string& what) {
  std::string answers;
  for (const Claim& claim : claims) {
    if (claim.holds) return {claim.answer, {}};
    answers += fmt::format("{}{}", answers.empty() ? "" : ", ", claim.answer);
  }
  stage_.fail(fmt::format("{}: none of the answers {}", what, answers));
}

Danger danger_of_reading(std::string_view reading) {
  static const std::vector<ReadingProbe> all = all_probes();
  const auto found = std::ranges::find(all, reading, &ReadingProbe::reading);
  return found == all.end() ? Danger::documented : found->danger;
}

std::vector<ReadingProbe> behaviour_probes(const protocol::Dialect& dialect) {
  const bool has_keys = protocol::find_operation(dialect, "SET") != nullptr;
  std::vector<ReadingProbe> all;
  for (const ReadingProbe& probe : all_probes()) {
    const std::size_t index = protocol::Readings::index_of(dialect, probe.reading);
    if (index == protocol::Readings::most || dialect.readings[index].answers.size() < 2) continue;
    if (probe.names == (has_keys ? ReadingProbe::For::pairs : ReadingProbe::For::keys)) continue;
    all.push_back(probe);
  }
  return all;
}

}  // namespace hallmark::conformance
