#include "conformance/drivers/adapter/adapter_attendant.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::conformance {

AdapterAttendant::AdapterAttendant(AdapterHost& host, AdapterClient& client)
    : host_(host), client_(client), begun_(host.now()) {}

base::Expected<void, std::string> AdapterAttendant::renew() {
  client_.renew();
  if (now() < until_) return {};
  return std::string("the run takes too long");
}

/// A death takes no time; a hang is waited for.
std::string AdapterAttendant::given_up() {
  const auto hung_from = [this](std::size_t first) {
    return static_cast<std::size_t>(
        std::count_if(casualties_.begin() + static_cast<std::ptrdiff_t>(first), casualties_.end(),
                      [](const Casualty& one) { return one.death.hung; }));
  };
  if (hung_from(examined_) < most_deaths && hung_from(0) < most_deaths_in_all) return {};
  return fmt::format("the target died {} times", casualties_.size());
}

void AdapterAttendant::add(reports::Death death, bool alone) {
  death.at = std::chrono::nanoseconds(static_cast<std::int64_t>(now() - begun_));
  if (!running_.empty()) death.running = {running_};
  casualties_.push_back({std::move(death), {}, alone});
}

void AdapterAttendant::begin_case(const std::string& id) {
  running_ = id;
  client_.begin();
}

bool AdapterAttendant::end_case(bool) {
  const bool died = client_.death() && !client_.never_ran();
  if (died) add(*client_.death(), client_.began_fresh());
  running_.clear();
  return died;
}

std::string AdapterAttendant::end_within(Time lived) {
  const Time started = now();
  const auto link = host_.start();
  reports::Death death;
  death.how = link ? (*link)->how_it_ended(started + lived) : link.error();
  if (death.how.empty()) return {};
  death.lived = std::chrono::nanoseconds(static_cast<std::int64_t>(now() - started));
  add(death, false);
  return death.how;
}

}  // namespace hallmark::conformance
