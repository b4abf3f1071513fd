#include "conformance/record/recording_supervisor.hpp"

#include "conformance/record/process_answers.hpp"

namespace hallmark::conformance {

void RecordingSupervisor::note(std::string_view question, std::uint64_t number,
                               std::string_view text) {
  Crossing crossing;
  crossing.kind = Crossing::Kind::process;
  crossing.name = question;
  crossing.number = number;
  crossing.bytes = Packed(base::as_bytes(text));
  recorder_.add(std::move(crossing), real_.now());
}

template <class Number>
Number RecordingSupervisor::keep(std::string_view question, Number answer) {
  note(question, answer, {});
  return answer;
}

std::string RecordingSupervisor::keep_text(std::string_view question, std::string answer) {
  note(question, 0, answer);
  return answer;
}

base::Expected<void, std::string> RecordingSupervisor::renew() {
  auto renewed = real_.renew();
  keep_text(questions::renewed, renewed ? std::string() : renewed.error());
  return renewed;
}

unsigned RecordingSupervisor::generation() {
  return keep(questions::generation, real_.generation());
}

std::string RecordingSupervisor::given_up() {
  return keep_text(questions::given_up, real_.given_up());
}

bool RecordingSupervisor::end_case(bool passed) {
  return keep(questions::disturbed, real_.end_case(passed));
}

Watched RecordingSupervisor::watch() {
  Watched watched = real_.watch();
  keep(questions::running, watched.running);
  return watched;
}

bool RecordingSupervisor::starved(const Watched& watched) {
  return keep(questions::starved, real_.starved(watched));
}

bool RecordingSupervisor::stuck(const Watched& watched) {
  return keep(questions::stuck, real_.stuck(watched));
}

bool RecordingSupervisor::end_hung(const Watched& watched) {
  return keep(questions::hung, real_.end_hung(watched));
}

bool RecordingSupervisor::has_died() { return keep(questions::died, real_.has_died()); }

bool RecordingSupervisor::is_gone() { return keep(questions::gone, real_.is_gone()); }
std::size_t RecordingSupervisor::deaths() { return keep(questions::deaths, real_.deaths()); }
bool RecordingSupervisor::last_hung() { return keep(questions::last_hung, real_.last_hung()); }

base::Expected<void, std::string> RecordingSupervisor::revive() {
  auto revived = real_.revive();
  keep_text(questions::revived, revived ? std::string() : revived.error());
  return revived;
}

std::string RecordingSupervisor::end_within(Time lived) {
  return keep_text(questions::ended, real_.end_within(lived));
}

ProcessFigures RecordingSupervisor::figures(Thoroughness how) {
  const ProcessFigures figures = real_.figures(how);
  keep_text(questions::figures, text_of(figures));
  return figures;
}

/// Each is told once; from then on its place in their order names it.
std::vector<Casualty> RecordingSupervisor::casualties() {
  std::vector<Casualty> all = real_.casualties();
  const std::lock_guard lock(mutex_);
  for (; told_ < all.size(); ++told_) keep_text(questions::casualty, text_of(all[told_]));
  keep(questions::casualties, all.size());
  return all;
}

std::size_t RecordingSupervisor::examined() { return keep(questions::examined, real_.examined()); }

}  // namespace hallmark::conformance
