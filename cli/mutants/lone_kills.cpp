#include "cli/mutants/lone_kills.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/json_reader.hpp"

namespace hallmark::cli {
namespace {

struct KnownKills {
  BugPlace place;
  CaseIds cases;
};

KnownKills read_known_kills(base::JsonReader reader) {
  base::JsonMembers members(reader);
  KnownKills known;
  known.place = {members["id"].printable_string(), members["dialect"].printable_string(),
                 members["width"].printable_string()};
  for (std::string& id : members["killed_by"].printable_strings())
    known.cases.insert(std::move(id));
  return known;
}

}  // namespace

base::Result<void> LoneKills::read(std::string_view text) {
  const auto known = base::read_json(text, [](base::JsonReader reader) {
    std::vector<KnownKills> all;
    base::JsonMembers members(reader);
    for (const base::JsonReader& item : members["mutants"].items())
      all.push_back(read_known_kills(item));
    return all;
  });
  if (!known) return known.error();
  for (const auto& [place, cases] : *known) {
    std::promise<std::optional<CaseIds>> answer;
    answer.set_value(cases);
    answers_.insert_or_assign(place, answer.get_future().share());
  }
  return {};
}

std::optional<CaseIds> LoneKills::of(const BugPlace& place, const Play& play) {
  std::promise<std::optional<CaseIds>> found;
  std::unique_lock lock(mutex_);
  const auto [entry, first] = answers_.try_emplace(place);
  if (first) entry->second = found.get_future().share();
  const Answer answer = entry->second;
  lock.unlock();
  if (first) found.set_value(play());
  return answer.get();
}

base::Json LoneKills::json() const {
  base::Json all = base::Json::array();
  for (const auto& [place, answer] : answers_) {
    const std::optional<CaseIds>& cases = answer.get();
    if (!cases) continue;
    all.push_back({{"id", place.bug},
                   {"dialect", place.dialect},
                   {"width", place.width},
                   {"killed_by", *cases}});
  }
  return all;
}

}  // namespace hallmark::cli
