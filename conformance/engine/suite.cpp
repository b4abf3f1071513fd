#include "conformance/engine/suite.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/glob.hpp"
#include "base/text.hpp"
#include "conformance/drivers/stream/variants.hpp"
#include "conformance/suites/throttr/readings/probe.hpp"

namespace hallmark::conformance {
namespace {

std::string title_of(const vectors::Vector& vector, Delivery delivery) {
  switch (delivery) {
    case Delivery::whole: return vector.title;
    case Delivery::bytewise: return vector.title + ", a byte at a time";
    case Delivery::split: return vector.title + ", cut in two at every place";
    case Delivery::pipelined: return vector.title + ", all requests in one segment";
  }
  return vector.title;
}

/// The documents do not say whether a length may be 0.
bool has_length_0(const vectors::Send& send) {
  return std::ranges::any_of(send.fields.fields(), [](const auto& field) {
    const auto* const bytes = std::get_if<base::Bytes>(&field.second);
    return bytes != nullptr && bytes->empty();
  });
}

Danger danger_of_step(const vectors::Step& step) {
  const auto* const send = std::get_if<vectors::Send>(&step.action);
  if (send == nullptr) return Danger::documented;
  if (send->operation.empty()) return Danger::malformed;
  return has_length_0(*send) ? Danger::open : Danger::documented;
}

CaseEntry entry_of(const vectors::Vector& vector, Delivery delivery) {
  CaseEntry entry{vector.id + std::string(suffix_of(delivery)),
                  title_of(vector, delivery),
                  vector.operation,
                  vector.level,
                  vector.clauses,
                  delivery,
                  danger_of(vector, danger_of_reading)};
  if (delivery == Delivery::bytewise || delivery == Delivery::split)
    entry.clauses.emplace_back("stream.framing");
  if (delivery == Delivery::pipelined) entry.clauses.emplace_back("stream.reply-order");
  return entry;
}

/// The part of a name that every target takes for what it is: some end a name at a byte of zero, or
/// take all for one that are not text.
std::string_view surely_told(const base::Bytes& name) {
  const auto odd = std::ranges::find_if(name, [](std::uint8_t c) { return c <= ' ' || c > '~'; });
  return base::as_text(name).substr(0, static_cast<std::size_t>(odd - name.begin()));
}

/// Joins the parts of a record's name: some targets tell records apart by nothing else.
std::string joined(const protocol::Record& name) {
  std::string all;
  for (const auto& [field, value] : name.fields()) all += surely_told(std::get<base::Bytes>(value));
  return all;
}

std::vector<std::string> resources_of(const vectors::Vector& vector) {
  std::set<std::string> resources;
  for (const protocol::Record& key : vector.keys) resources.insert("key " + joined(key));
  for (const vectors::Step& step : vector.steps) {
    const auto* const send = std::get_if<vectors::Send>(&step.action);
    const protocol::Value* const channel = send == nullptr ? nullptr : send->fields.find("channel");
    const auto* const name = channel == nullptr ? nullptr : std::get_if<base::Bytes>(channel);
    if (name != nullptr) resources.insert("channel " + std::string(surely_told(*name)));
  }
  return {resources.begin(), resources.end()};
}

Unit unit_of(const std::shared_ptr<const vectors::Vector>& shared, const WireFormat& format) {
  const vectors::Vector& vector = *shared;
  Unit unit;
  unit.vector = shared;
  unit.name = vector.id;
  for (const Delivery delivery : all_deliveries) {
    if (can_deliver(format, vector, delivery)) unit.cases.push_back(entry_of(vector, delivery));
  }
  unit.needs.exclusive = !vector.preconditions.empty();
  unit.empty = std::ranges::find(vector.preconditions, vectors::Precondition::empty) !=
               vector.preconditions.end();
  unit.resources = resources_of(vector);
  for (const auto& [reading, answer] : vector.readings) unit.rests_on.insert(reading);
  return unit;
}

template <class Predicate>
std::size_t count_cases(const Suite& suite, const Predicate& predicate) {
  std::size_t count = 0;
  for (const Unit& unit : suite)
    count += static_cast<std::size_t>(std::ranges::count_if(unit.cases, predicate));
  return count;
}

template <class Predicate>
void keep(Suite& suite, const Predicate& predicate) {
  for (Unit& unit : suite) std::erase_if(unit.cases, std::not_fn(predicate));
  std::erase_if(suite, [](const Unit& unit) { return unit.cases.empty(); });
}

template <class Project>
std::set<std::string> values(const Suite& suite, const Project& project) {
  std::set<std::string> found;
  for (const Unit& unit : suite) {
    for (const CaseEntry& entry : unit.cases) project(entry, found);
  }
  return found;
}

std::string some_of(const std::set<std::string>& all) {
  constexpr std::size_t most = 24;
  std::vector<std::string> shown(
      all.begin(), std::next(all.begin(), static_cast<std::ptrdiff_t>(std::min(most, all.size()))));
  return fmt::format("{}{}", fmt::join(shown, ", "), all.size() > most ? ", …" : "");
}

/// One part of a filter: which option it is, which cases a value names, and what is allowed.
struct FilterPart {
  std::string_view option;
  const std::vector<std::string>& wanted;
  std::function<bool(const std::string&, const CaseEntry&)> names;
  std::function<void(const CaseEntry&, std::set<std::string>&)> allowed;
};

/// The directories of the ids: there are too many ids to list.
void id_patterns(const CaseEntry& entry, std::set<std::string>& into) {
  into.insert(entry.id.substr(0, entry.id.rfind('/')) + "/*");
}

bool has_id(const std::string& glob, const CaseEntry& entry) {
  return base::glob_matches(glob, entry.id);
}

FilterPart exclusion(const Filter& filter) {
  return {"--exclude", filter.excluded, has_id, id_patterns};
}

std::vector<FilterPart> parts_of(const Filter& filter) {
  return {
      {"--filter", filter.ids, has_id, id_patterns},
      {"--operation", filter.operations,
       [](const std::string& name, const CaseEntry& entry) {
         return base::equal_ignoring_case(name, entry.operation);
       },
       [](const CaseEntry& entry, std::set<std::string>& into) { into.insert(entry.operation); }},
      {"--level", filter.levels,
       [](const std::string& name, const CaseEntry& entry) {
         return base::upper_case(name) == protocol::name_of(entry.level);
       },
       [](const CaseEntry& entry, std::set<std::string>& into) {
         into.insert(std::string(protocol::name_of(entry.level)));
       }},
      {"--clause", filter.clauses,
       [](const std::string& glob, const CaseEntry& entry) {
         return std::ranges::any_of(entry.clauses, [&](const std::string& clause) {
           return base::glob_matches(glob, clause);
         });
       },
       [](const CaseEntry& entry, std::set<std::string>& into) {
         into.insert(entry.clauses.begin(), entry.clauses.end());
       }},
  };
}

/// True if one of the part's values names the case.
bool is_named(const FilterPart& part, const CaseEntry& entry) {
  return std::ranges::any_of(part.wanted,
                             [&](const std::string& wanted) { return part.names(wanted, entry); });
}

/// Error: the first value that names no case.
base::Expected<void, std::string> check(const FilterPart& part, const Suite& all) {
  for (const std::string& wanted : part.wanted) {
    const auto named = [&](const CaseEntry& entry) { return part.names(wanted, entry); };
    if (count_cases(all, named) > 0) continue;
    const std::string wider = "*" + wanted + "*";
    const auto nearly_named = [&](const CaseEntry& entry) { return part.names(wider, entry); };
    const bool is_literal = wanted.find_first_of("*?") == std::string::npos;
    if (is_literal && count_cases(all, nearly_named) > 0)
      return fmt::format("{0} {1} matches no case; {0} '{2}' does", part.option, wanted, wider);
    return fmt::format("{} {} matches no case; allowed: {}", part.option, wanted,
                       some_of(values(all, part.allowed)));
  }
  return {};
}

}  // namespace

Danger danger_of(const vectors::Vector& vector, Danger (*danger_of_reading)(std::string_view)) {
  Danger danger = Danger::documented;
  for (const vectors::Step& step : vector.steps) danger = std::max(danger, danger_of_step(step));
  for (const auto& [reading, answer] : vector.readings)
    danger = std::max(danger, danger_of_reading(reading));
  return danger;
}

std::size_t cases_in(const Suite& suite) {
  return count_cases(suite, [](const CaseEntry&) { return true; });
}

std::set<std::string> readings_of(const Suite& suite) {
  std::set<std::string> readings;
  for (const Unit& unit : suite) readings.insert(unit.rests_on.begin(), unit.rests_on.end());
  return readings;
}

Suite in_order_of_danger(Suite suite) {
  std::ranges::stable_sort(suite, {}, &Unit::danger);
  return suite;
}

VectorSuite suite_of_vectors(const std::vector<vectors::VectorFile>& files,
                             const WireFormat& format) {
  Variants variants = variants_for(files, format);
  VectorSuite made{{}, std::move(variants.left_out)};
  for (const auto& vector : variants.playable) made.suite.push_back(unit_of(vector, format));
  return made;
}

Suite suite_of_all_vectors(const std::vector<vectors::VectorFile>& files,
                           const WireFormat& format) {
  Suite suite;
  for (const vectors::VectorFile& file : files) {
    for (const vectors::Vector& vector : file.vectors)
      suite.push_back(unit_of(std::make_shared<vectors::Vector>(vector), format));
  }
  return suite;
}

Suite suite_of_behaviours(const BehaviourCases& cases, const std::string& prefix) {
  Suite suite;
  for (const BehaviourCase& one : cases) {
    Unit unit;
    unit.name = one.name;
    unit.run = one.run;
    unit.needs = one.needs;
    unit.rests_on.insert(one.needs.readings.begin(), one.needs.readings.end());
    unit.cases.push_back({fmt::format("{}/behaviour/{}", prefix, one.name), one.title,
                          std::string(one.operation), one.level, one.clauses, Delivery::whole,
                          one.danger});
    suite.push_back(std::move(unit));
  }
  return suite;
}

bool is_whole(const Filter& filter) {
  return filter.ids.empty() && filter.operations.empty() && filter.levels.empty() &&
         filter.clauses.empty() && filter.excluded.empty();
}

base::Expected<Suite, std::string> chosen(Suite suite, const Filter& filter) {
  const Suite all = suite;
  for (const FilterPart& part : parts_of(filter)) {
    if (auto matched = check(part, all); !matched) return matched.error();
    if (part.wanted.empty()) continue;
    keep(suite, [&](const CaseEntry& entry) { return is_named(part, entry); });
  }
  const FilterPart excluded = exclusion(filter);
  if (auto matched = check(excluded, all); !matched) return matched.error();
  keep(suite, [&](const CaseEntry& entry) { return !is_named(excluded, entry); });
  if (suite.empty())
    return std::string(
        "no case is chosen by all of --filter, --operation, --level and --clause together, and "
        "left by --exclude");
  return suite;
}

}  // namespace hallmark::conformance
