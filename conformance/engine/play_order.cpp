#include "conformance/engine/play_order.hpp"

#include <algorithm>
#include <iterator>

#include "conformance/judgement/basis.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;

bool same_answers(const protocol::Readings& one, const protocol::Readings& other) {
  return std::ranges::all_of(one.dialect().readings, [&](const protocol::Reading& reading) {
    return one.answer(reading) == other.answer(reading);
  });
}

std::string_view part_of(Danger danger) {
  switch (danger) {
    case Danger::documented: return "documented readings";
    case Danger::open: return "open readings";
    case Danger::unlisted: return "readings of unlisted codes";
    case Danger::malformed: return "readings of malformed input";
    case Danger::resources: return "readings of resources";
  }
  return "readings";
}

/// A target that is lost in one of them is lost in the other.
void tell_of_loss(RunContext& from, RunContext& to) {
  if (from.given_up() == Loss::none) return;
  to.give_up(from.given_up());
  for (const std::string& suspect : from.suspects) to.suspect(suspect);
}

/// Before all other cases, and after them.
enum class Place : std::uint8_t { dialect, readings, before, suite, after };

}  // namespace

void PlayOrder::ask(RunContext& context, Danger danger) {
  if (survey_ == nullptr || danger == Danger::documented) return;
  context.network.begin_part(part_of(danger));
  tell_of_loss(context, survey_->context());
  survey_->ask(danger);
  tell_of_loss(survey_->context(), context);
  format_.hold_to(held_to(asked_, survey_->told()));
}

void PlayOrder::make() {
  if (made_for_ && same_answers(*made_for_, format_.readings())) return;
  made_for_ = format_.readings();
  auto made = make_suite_(format_);
  error_ = made ? std::string() : made.error();
  if (!made) return;
  suite_ = std::move(*made);
  order_.clear();
  for (const Unit& unit : suite_)
    std::ranges::transform(unit.cases, std::back_inserter(order_), &CaseEntry::id);
  if (survey_ == nullptr) return;
  chosen_readings_.clear();
  const std::set<std::string> asked = survey_->cases();
  std::erase_if(suite_, [&](const Unit& unit) {
    const std::string& id = unit.cases.front().id;
    if (asked.contains(id)) chosen_readings_.insert(id);
    return asked.contains(id);
  });
}

void PlayOrder::take_readings(reports::CertifyResult& result) const {
  if (survey_ == nullptr) return;
  for (const Answered* const one : survey_->answered()) {
    const std::string& id = one->result.id;
    const bool is_there =
        std::ranges::find(result.cases, id, &CaseResult::id) != result.cases.end();
    if (chosen_readings_.contains(id) && !is_there) result.cases.push_back(one->result);
  }
}

void PlayOrder::leave_out_rest(const std::string& reason, reports::CertifyResult& result) {
  if (survey_ == nullptr) return;
  survey_->leave_out_rest(reason);
  take_readings(result);
}

void PlayOrder::sort(std::vector<CaseResult>& cases) const {
  std::map<std::string, std::size_t> places;
  for (const std::string& id : order_) places.emplace(id, places.size());
  const auto place = [&](const CaseResult& one) -> std::pair<Place, std::size_t> {
    if (one.id.ends_with("/sanity/dialect")) return {Place::dialect, 0};
    if (one.id.ends_with("/sanity/before")) return {Place::before, 0};
    if (one.id.ends_with("/sanity/after")) return {Place::after, 0};
    const auto known = places.find(one.id);
    const std::size_t at = known == places.end() ? places.size() : known->second;
    return {chosen_readings_.contains(one.id) ? Place::readings : Place::suite, at};
  };
  std::ranges::stable_sort(cases, {}, place);
}

}  // namespace hallmark::conformance
