#include "reference/faults/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/dialects.hpp"
#include "reference/faults/bugs.hpp"

namespace hallmark::faults {

const Bugs& all_bugs() {
  static const Bugs all = [] {
    Bugs joined;
    for (const auto bugs : {number_bugs,
                            status_bugs,
                            request_bugs,
                            record_reply_bugs,
                            listing_bugs,
                            info_bugs,
                            connection_reply_bugs,
                            delivery_bugs,
                            stream_bugs,
                            ttl_bugs,
                            record_bugs,
                            update_bugs,
                            channel_bugs,
                            resource_bugs,
                            counter_race_bugs,
                            removal_race_bugs,
                            delivery_race_bugs,
                            death_bugs,
                            hang_bugs,
                            loss_bugs,
                            leak_bugs,
                            id_bugs,
                            command_bugs,
                            datagram_reply_bugs,
                            rate_bugs,
                            datagram_process_bugs,
                            state_text_bugs,
                            state_reading_bugs,
                            adapter_bugs,
                            strategy_bugs,
                            window_bugs,
                            composite_bugs,
                            adapter_process_bugs}) {
      std::ranges::move(bugs(), std::back_inserter(joined));
    }
    return joined;
  }();
  return all;
}

const Bug* find(std::string_view id) {
  const auto found = std::ranges::find(all_bugs(), id, &Bug::id);
  return found == all_bugs().end() ? nullptr : &*found;
}

protocol::Transport transport_of(const Bug& bug) {
  const auto found = std::ranges::find(protocol::all_dialects, bug.violates.front().dialect,
                                       &protocol::Dialect::name);
  return (*found)->transport;
}

std::string why_exclusive(const Bug& one, const Bug& other) {
  if (transport_of(one) != transport_of(other)) {
    return fmt::format("{} is a bug of {}, {} one of {}", one.id, one.violates.front().dialect,
                       other.id, other.violates.front().dialect);
  }
  if (one.settles.empty() || one.settles != other.settles) return {};
  return fmt::format("both settle {}", one.settles);
}

base::Result<ChosenBugs> choose(const std::vector<std::string>& ids) {
  ChosenBugs chosen;
  for (const std::string& id : ids) {
    const Bug* const bug = find(id);
    if (bug == nullptr) {
      return base::Error{
          fmt::format("unknown mutant '{}'; `hallmark serve --list-mutants` shows them all", id)};
    }
    for (const Bug* const other : chosen) {
      if (other == bug)
        return base::Error{fmt::format("--mutant {} is given twice; give it once", id)};
      const std::string why = why_exclusive(*other, *bug);
      if (why.empty()) continue;
      return base::Error{
          fmt::format("--mutant {} and --mutant {} exclude each other: {}; give "
                      "one of them",
                      other->id, bug->id, why)};
    }
    chosen.push_back(bug);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace hallmark::faults
