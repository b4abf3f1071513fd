#include "cli/mutants/lone_kills.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/json_reader.hpp"

namespace hallmark::cli {
namespace {

struct KnownKills {
  BugPlace place;
  Kills kills;
};

CaseIds read_ids(base::JsonReader reader) {
  CaseIds ids;
  for (std::string& id : reader.printable_strings()) ids.insert(std::move(id));
  return ids;
}

KnownKills read_known_kills(base::JsonReader reader) {
  base::JsonMembers members(reader);
  KnownKills known;
  known.place = {members["id"].printable_string(), members["dialect"].printable_string(),
                 members["width"].printable_string()};
  known.kills.killed_by = read_ids(members["killed_by"]);
  known.kills.tried.reset();
  if (const auto tried = members.find("tried")) known.kills.tried = read_ids(*tried);
  return known;
}

/// Returns false if there is nothing to add.
bool add(Kills& known, std::optional<Kills> found) {
  if (!found) return false;
  known.killed_by.merge(found->killed_by);
  if (!found->tried) known.tried.reset();
  if (known.tried) known.tried->merge(*found->tried);
  return true;
}

}  // namespace

base::Result<void> LoneKills::read(std::string_view text) {
  auto known = base::read_json(text, [](base::JsonReader reader) {
    std::vector<KnownKills> all;
    base::JsonMembers members(reader);
    for (const base::JsonReader& item : members["mutants"].items())
      all.push_back(read_known_kills(item));
    return all;
  });
  if (!known) return known.error();
  for (KnownKills& one : *known) entry_of(one.place).kills = std::move(one.kills);
  return {};
}

LoneKills::Entry& LoneKills::entry_of(const BugPlace& place) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Entry>& entry = known_[place];
  if (!entry) entry = std::make_unique<Entry>();
  return *entry;
}

std::optional<bool> LoneKills::is_found(const BugPlace& place, LonePlayer& player) {
  Entry& entry = entry_of(place);
  const std::lock_guard lock(entry.mutex);
  Kills& kills = entry.kills;
  if (kills.killed_by.empty() && kills.tried && !add(kills, player.play_likely()))
    return std::nullopt;
  if (kills.killed_by.empty() && kills.tried && !add(kills, player.play_all())) return std::nullopt;
  return !kills.killed_by.empty();
}

std::optional<CaseIds> LoneKills::among(const BugPlace& place, const CaseIds& ids,
                                        LonePlayer& player) {
  Entry& entry = entry_of(place);
  const std::lock_guard lock(entry.mutex);
  Kills& kills = entry.kills;
  CaseIds untried;
  if (kills.tried)
    std::ranges::set_difference(ids, *kills.tried, std::inserter(untried, untried.end()));
  if (!untried.empty() && !add(kills, player.play(untried))) return std::nullopt;
  CaseIds killing;
  std::ranges::set_intersection(ids, kills.killed_by, std::inserter(killing, killing.end()));
  return killing;
}

std::optional<CaseIds> LoneKills::all(const BugPlace& place, LonePlayer& player) {
  Entry& entry = entry_of(place);
  const std::lock_guard lock(entry.mutex);
  if (entry.kills.tried && !add(entry.kills, player.play_all())) return std::nullopt;
  return entry.kills.killed_by;
}

base::Json LoneKills::json() const {
  base::Json all = base::Json::array();
  for (const auto& [place, entry] : known_) {
    const Kills& kills = entry->kills;
    if (kills.tried && kills.tried->empty()) continue;  // it was interrupted
    base::Json one{{"id", place.bug},
                   {"dialect", place.dialect},
                   {"width", place.width},
                   {"killed_by", kills.killed_by}};
    if (kills.tried) one["tried"] = *kills.tried;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace hallmark::cli
