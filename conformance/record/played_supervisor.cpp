#include "conformance/record/played_supervisor.hpp"

#include "conformance/record/process_answers.hpp"

namespace hallmark::conformance {
namespace {

std::string text_in(const Crossing& crossing) {
  return std::string(base::as_text(crossing.bytes.unpacked()));
}

}  // namespace

std::uint64_t PlayedSupervisor::number(std::string_view question) {
  const Crossing* const answer = playback_.answer(question);
  return answer == nullptr ? 0 : answer->number;
}

std::string PlayedSupervisor::text(std::string_view question) {
  const Crossing* const answer = playback_.answer(question);
  return answer == nullptr ? std::string() : text_in(*answer);
}

base::Expected<void, std::string> PlayedSupervisor::renew() { return started(questions::renewed); }

base::Expected<void, std::string> PlayedSupervisor::revive() { return started(questions::revived); }

/// The answer tells why there is no process.
base::Expected<void, std::string> PlayedSupervisor::started(std::string_view question) {
  const Crossing* const answer = playback_.answer(question);
  if (answer == nullptr) return std::string("the record has no such process");
  if (std::string why_not = text_in(*answer); !why_not.empty()) return why_not;
  return {};
}

unsigned PlayedSupervisor::generation() {
  return static_cast<unsigned>(number(questions::generation));
}

std::string PlayedSupervisor::given_up() { return text(questions::given_up); }
bool PlayedSupervisor::end_case(bool) { return number(questions::disturbed) != 0; }
Watched PlayedSupervisor::watch() { return {nullptr, number(questions::running) != 0}; }
bool PlayedSupervisor::starved(const Watched&) { return number(questions::starved) != 0; }
bool PlayedSupervisor::stuck(const Watched&) { return number(questions::stuck) != 0; }
bool PlayedSupervisor::end_hung(const Watched&) { return number(questions::hung) != 0; }
bool PlayedSupervisor::has_died() { return number(questions::died) != 0; }
bool PlayedSupervisor::is_gone() { return number(questions::gone) != 0; }
std::size_t PlayedSupervisor::deaths() { return number(questions::deaths); }
bool PlayedSupervisor::last_hung() { return number(questions::last_hung) != 0; }
std::string PlayedSupervisor::end_within(Time) { return text(questions::ended); }

ProcessFigures PlayedSupervisor::figures(Thoroughness) {
  const auto figures = figures_in(text(questions::figures));
  if (!figures) playback_.diverge("takes figures of a process where the record has none");
  return figures.value_or(ProcessFigures());
}

std::vector<Casualty> PlayedSupervisor::casualties() {
  const std::lock_guard lock(mutex_);
  while (const Crossing* const told = playback_.next_answer(questions::casualty)) {
    auto casualty = casualty_in(text_in(*told));
    if (!casualty) {
      playback_.diverge("learns of a death that is not written as one");
      break;
    }
    casualties_.push_back(std::move(*casualty));
  }
  if (number(questions::casualties) != casualties_.size())
    playback_.diverge("counts other deaths than the record tells");
  return casualties_;
}

std::size_t PlayedSupervisor::examined() { return number(questions::examined); }

}  // namespace hallmark::conformance
