#include "conformance/record/playback.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/annotate.hpp"

namespace hallmark::conformance {
namespace {

using Kind = Crossing::Kind;

/// The first place where the bytes differ, and a few of them from there.
std::string difference(std::string_view verb, base::ByteView recorded, base::ByteView now) {
  const auto [ours, theirs] = std::ranges::mismatch(now, recorded);
  const auto offset = static_cast<std::size_t>(ours - now.begin());
  const auto from = [&](base::ByteView bytes) {
    const auto rest = bytes.subspan(offset);
    return rest.empty() ? std::string("nothing more") : protocol::printable(rest, 8);
  };
  return fmt::format("{} {} bytes where the record has {}; from byte {}: {}, recorded {}", verb,
                     now.size(), recorded.size(), offset, from(now), from(recorded));
}

std::string of_link(Kind kind, std::uint32_t link) {
  return link == 0 ? std::string(name_of(kind)) : fmt::format("{} on {}", name_of(kind), link);
}

bool tell_of_a_process(const std::vector<Part>& parts) {
  return std::ranges::any_of(parts, [](const Part& part) {
    return std::ranges::find(part.crossings, Kind::process, &Crossing::kind) !=
           part.crossings.end();
  });
}

}  // namespace

Playback::Playback(const std::vector<Part>& parts, Links links)
    : links_(links), started_here_(tell_of_a_process(parts)) {
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    waiting_[part->name].push_back(&*part);
  begin_part("basis");
}

const Part* Playback::take(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = waiting_.find(name);
  if (found == waiting_.end() || found->second.empty()) return nullptr;
  const Part* const part = found->second.back();
  found->second.pop_back();
  return part;
}

void Playback::begin_part(std::string_view name) {
  Current& current = current_.here();
  end(current);
  current.name = name;
  current.part = take(current.name);
  current.next = 0;
  current.told = {};
  current.dead = current.part == nullptr;
  if (links_ == Links::of_part) current.links = 0;
  if (current.part != nullptr) {
    current.now = current.part->began;
  } else {
    const std::lock_guard lock(mutex_);
    divergences_.push_back({current.name, 0, "has no transcript"});
  }
}

Time Playback::now() {
  Current& current = current_.here();
  // A loop that waits for a time ends, whatever else it looks at.
  return current.dead ? ++current.now : current.now;
}

std::uint32_t Playback::next_link() { return ++current_.here().links; }

const Crossing* Playback::peek(const Current& current) const {
  return current.next < current.part->crossings.size() ? &current.part->crossings[current.next]
                                                       : nullptr;
}

const Crossing& Playback::consume(Current& current) {
  const Crossing& crossing = current.part->crossings[current.next++];
  current.now += crossing.took;
  return crossing;
}

const Crossing* Playback::cross(Kind kind, std::uint32_t link, base::ByteView handed) {
  Current& current = current_.here();
  if (current.dead) return nullptr;
  const Crossing* const recorded = peek(current);
  if (recorded == nullptr) {
    diverge(current, fmt::format("goes on with {} where the transcript ends", of_link(kind, link)));
    return nullptr;
  }
  if (recorded->kind != kind || recorded->link != link) {
    diverge(current, fmt::format("goes on with {}, recorded is {}", of_link(kind, link),
                                 of_link(recorded->kind, recorded->link)));
    return nullptr;
  }
  if ((kind == Kind::send || kind == Kind::offer) && !recorded->bytes.is(handed)) {
    diverge(current, difference("sends", recorded->bytes.unpacked(), handed));
    return nullptr;
  }
  return &consume(current);
}

std::uint64_t Playback::shared(Shared what, std::uint64_t current_value) {
  Current& current = current_.here();
  if (current.dead) return current_value;
  auto& told = current.told[static_cast<std::size_t>(what)];
  const Crossing* const recorded = peek(current);
  if (recorded != nullptr && recorded->kind == Kind::shared && recorded->what == what) {
    told = consume(current).number;
  } else if (what == Shared::serial) {
    diverge(current, fmt::format("takes a {} where the transcript has none", name_of(what)));
    return current_value;
  }
  return told;
}

const Crossing* Playback::next_answer(std::string_view question) {
  Current& current = current_.here();
  if (current.dead) return nullptr;
  const Crossing* const recorded = peek(current);
  const bool fits =
      recorded != nullptr && recorded->kind == Kind::process && recorded->name == question;
  return fits ? &consume(current) : nullptr;
}

const Crossing* Playback::answer(std::string_view question) {
  const Crossing* const recorded = next_answer(question);
  if (recorded == nullptr)
    diverge(fmt::format("asks for the process ({}) where the record does not", question));
  return recorded;
}

void Playback::judged(std::string_view message, base::ByteView bytes) {
  Current& current = current_.here();
  if (current.dead) return;
  const Crossing* const recorded = peek(current);
  if (recorded == nullptr || recorded->kind != Kind::judged) {
    diverge(current, fmt::format("takes what came for {} {}, where none was judged", message,
                                 protocol::printable(bytes, 16)));
  } else if (recorded->name != message) {
    diverge(current, fmt::format("takes what came for {}, judged was {}", message, recorded->name));
  } else if (!recorded->bytes.is(bytes)) {
    diverge(current,
            difference(fmt::format("takes for {}", message), recorded->bytes.unpacked(), bytes));
  } else {
    consume(current);
  }
}

void Playback::pass(Time until) {
  Current& current = current_.here();
  current.now = std::max(current.now, until);
}

void Playback::diverge(std::string what) { diverge(current_.here(), std::move(what)); }

void Playback::diverge(Current& current, std::string what) {
  if (current.dead) return;
  current.dead = true;
  const std::lock_guard lock(mutex_);
  divergences_.push_back({current.name, current.next + 1, std::move(what)});
}

void Playback::end(Current& current) {
  if (current.dead) return;
  const std::size_t left = current.part->crossings.size() - current.next;
  if (left > 0) {
    diverge(current, fmt::format("ends, and {} crossings are left over, the first: {}", left,
                                 of_link(peek(current)->kind, peek(current)->link)));
  } else if (current.now != current.part->ended) {
    diverge(current,
            fmt::format("ends after {} ns, recorded are {}", current.now - current.part->began,
                        current.part->ended - current.part->began));
  }
}

std::vector<Divergence> Playback::finish() {
  current_.for_each([this](Current& current) { end(current); });
  for (const auto& [name, parts] : waiting_) {
    for (std::size_t i = 0; i < parts.size(); ++i)
      divergences_.push_back({name, 0, "was recorded and is not played"});
  }
  return std::move(divergences_);
}

}  // namespace hallmark::conformance
