#include "conformance/record/recorder.hpp"

namespace hallmark::conformance {

void Recorder::start(Links links, Time now) {
  links_ = links;
  started_ = now;
  begin_part("basis", now);
}

void Recorder::begin_part(std::string_view name, Time now) {
  Current& current = parts_.here();
  end(current);
  current.part = Part{std::string(name), now - started_, now - started_, {}};
  current.now = now;
  current.told = {};
  if (links_ == Links::of_part) current.links = 0;
}

Recorder::Current& Recorder::here() {
  Current& current = parts_.here();
  if (!current.part) {
    current.part = Part{"thread", 0, 0, {}};
    current.now = started_;
  }
  return current;
}

std::uint32_t Recorder::next_link() { return ++here().links; }

void Recorder::add(Crossing crossing, Time at) {
  Current& current = here();
  crossing.took = at - current.now;
  current.now = at;
  current.part->crossings.push_back(std::move(crossing));
}

std::uint64_t Recorder::shared(Shared what, std::uint64_t current_value) {
  Current& current = here();
  auto& told = current.told[static_cast<std::size_t>(what)];
  const std::size_t behind = current.part->crossings.size();
  if (what != Shared::serial) {
    // Played again, the value changes at a crossing: between two of them it is the same.
    if (told.behind == behind) return told.value;
    told.behind = behind;
    if (told.value == current_value) return current_value;
  }
  Crossing crossing;
  crossing.kind = Crossing::Kind::shared;
  crossing.what = what;
  crossing.number = current_value;
  add(std::move(crossing), current.now);
  told = {current_value, behind + 1};
  return current_value;
}

void Recorder::end(Current& current) {
  if (!current.part) return;
  current.part->ended = current.now - started_;
  const std::lock_guard lock(sinking_);
  sink_.take(std::move(*current.part));
  current.part.reset();
}

void Recorder::judged(std::string_view message, base::ByteView bytes) {
  Crossing crossing;
  crossing.kind = Crossing::Kind::judged;
  crossing.name = message;
  crossing.bytes = Packed(bytes);
  add(std::move(crossing), now());
}

void Recorder::finish() {
  parts_.for_each([this](Current& current) { end(current); });
}

}  // namespace hallmark::conformance
