#include "loadgen/drivers/datagram/server_counts.hpp"

#include <fmt/format.h>

namespace hallmark::loadgen::datagram {
namespace {

struct Asked {
  std::string_view key;
  GroupUses uses;
};

std::vector<Asked> to_ask(const Keys& keys, std::span<const LimitWatch* const> watches) {
  std::vector<Asked> asked;
  for (std::uint32_t group = 0; group < keys.groups().size(); ++group) {
    const KeyGroup& of = keys.groups()[group];
    if (!of.limited || !of.limit.statistics || !of.fresh) continue;
    for (const LimitWatch* watch : watches) {
      const GroupUses* uses = watch->uses_of(group);
      if (uses != nullptr) asked.push_back({of.counted, *uses});
    }
  }
  return asked;
}

/// Empty where the target's count can be right.
std::string disagreement(const Asked& asked, const StatisticsSaid& said, bool doubled) {
  const std::uint64_t most = asked.uses.sent * (doubled ? 2 : 1);
  const std::uint64_t unknown = most - asked.uses.answered;
  const auto outside = [](std::uint64_t n, std::uint64_t low, std::uint64_t high) {
    return n < low || n > high;
  };
  if (outside(said.n_req, asked.uses.answered, most)) {
    return fmt::format("\"{}\": n_req {}; {} answered, {} sent", asked.key, said.n_req,
                       asked.uses.answered, asked.uses.sent);
  }
  if (outside(said.n_over, asked.uses.over, asked.uses.over + unknown)) {
    return fmt::format("\"{}\": n_over {}; {} answered with Y, {} of {} sent not answered",
                       asked.key, said.n_over, asked.uses.over,
                       asked.uses.sent - asked.uses.answered, asked.uses.sent);
  }
  return {};
}

}  // namespace

std::optional<reports::ServerCounts> compare_with_server(Asker& asker, const Requests& requests,
                                                         std::span<const LimitWatch* const> watches,
                                                         bool doubled,
                                                         const std::function<bool()>& interrupted) {
  const std::vector<Asked> asked = to_ask(requests.keys(), watches);
  if (asked.empty()) return std::nullopt;
  reports::ServerCounts counts{.keys = asked.size(), .unanswered = asked.size()};
  const auto question = [&](std::size_t i, std::uint64_t id) {
    return requests.ask_statistics(asked[i].key, id);
  };
  const auto answered = [&](std::size_t i, base::ByteView reply) {
    const auto said = requests.statistics_in(reply);
    if (!said) return;
    --counts.unanswered;
    counts.n_req += said->n_req;
    counts.at_least += asked[i].uses.answered;
    counts.at_most += asked[i].uses.sent;
    const std::string wrong = disagreement(asked[i], *said, doubled);
    if (wrong.empty()) return;
    ++counts.disagreeing;
    if (counts.example.empty()) counts.example = wrong;
  };
  asker.ask(asked.size(), question, answered, interrupted);
  return counts;
}

}  // namespace hallmark::loadgen::datagram
