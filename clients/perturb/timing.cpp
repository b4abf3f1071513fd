#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "clients/perturb/layouts.hpp"
#include "clients/perturb/pauses.hpp"
#include "clients/perturb/perturbation.hpp"

/// The same bytes, otherwise cut and at other times.
namespace hallmark::clients {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

/// The offsets at which a message is cut, behind its first and before its last byte.
using Places = std::set<std::size_t>;
using ChoosePlaces = std::function<Places(const Message&, const Format&, base::Random&)>;

Places one_by_one(const Message& message, const Format& /*format*/, base::Random& /*random*/) {
  // The middle of a long message stays whole: a byte at a time, it would take seconds.
  constexpr std::size_t at_the_start = 64;
  constexpr std::size_t at_the_end = 16;
  Places places;
  const std::size_t size = message.bytes.size();
  for (std::size_t at = 1; at < size; ++at) {
    if (at <= at_the_start || at + at_the_end >= size) places.insert(at);
  }
  return places;
}

Places at_fields(const Message& message, const Format& format, base::Random& /*random*/) {
  constexpr std::size_t most = 64;
  Places places;
  for (const protocol::FieldValue& value : fields_of(message, format)) {
    if (places.size() < most) places.insert(value.offset);
  }
  return places;
}

Places inside_fields(const Message& message, const Format& format, base::Random& random) {
  constexpr std::size_t most = 64;
  Places places;
  for (const protocol::FieldValue& value : fields_of(message, format)) {
    if (value.length < 2 || value.field->is<protocol::kinds::Group>()) continue;
    if (places.size() < most) places.insert(value.offset + 1 + random.below(value.length - 1));
  }
  return places;
}

Places after_first(const Message& /*message*/, const Format& /*format*/, base::Random& /*random*/) {
  return {1};
}

Places before_last(const Message& message, const Format& /*format*/, base::Random& /*random*/) {
  return {message.bytes.size() - 1};
}

Places anywhere(const Message& message, const Format& /*format*/, base::Random& random) {
  return {random.below(message.bytes.size())};
}

/// Each piece leaves in a write of its own, a moment after the one before.
class Cutting final : public Disturbance {
 public:
  Cutting(const Format& format, std::uint64_t seed, ChoosePlaces choose, microseconds between)
      : format_(format), random_(seed), choose_(std::move(choose)), between_(between) {}

  Treatment treat(const Message& message) override {
    if (message.bytes.size() < 2) return untouched(message.bytes);
    Places places = choose_(message, format_, random_);
    places.erase(0);
    places.erase(places.lower_bound(message.bytes.size()), places.end());
    if (places.empty()) return untouched(message.bytes);
    Treatment treatment;
    treatment.reach = Reach::begun;
    treatment.what = "it came in " + std::to_string(places.size() + 1) + " pieces";
    places.insert(message.bytes.size());
    std::size_t from = 0;
    for (const std::size_t to : places) {
      if (from != 0) treatment.steps.push_back(pause(pauses_.take(between_)));
      treatment.steps.push_back(send({message.bytes.begin() + static_cast<std::ptrdiff_t>(from),
                                      message.bytes.begin() + static_cast<std::ptrdiff_t>(to)}));
      from = to;
    }
    return treatment;
  }

 private:
  const Format& format_;
  base::Random random_;
  ChoosePlaces choose_;
  microseconds between_;
  Pauses pauses_;
};

/// Messages wait for the next one, and leave in one write with it.
class Joining final : public Disturbance {
 public:
  Treatment treat(const Message& message) override {
    if (message.bytes.empty()) return {};
    return {{hold(message.bytes, pauses_.take(milliseconds(3)))},
            Reach::joined,
            "it came in one segment with another message"};
  }

 private:
  Pauses pauses_;
};

class Lateness final : public Disturbance {
 public:
  enum class How { constant, random, last_byte };
  Lateness(std::uint64_t seed, How how) : random_(seed), how_(how) {}

  Treatment treat(const Message& message) override {
    constexpr microseconds usual = milliseconds(40);
    if (message.bytes.empty()) return {};
    const auto wanted =
        how_ == How::random
            ? microseconds(static_cast<std::int64_t>(random_.below(2 * usual.count())))
            : usual;
    const auto time = pauses_.take(wanted);
    if (time.count() == 0) return untouched(message.bytes);
    Treatment treatment;
    treatment.reach = Reach::begun;
    treatment.what = how_ == How::last_byte ? "its last byte came late" : "it came late";
    base::Bytes rest = message.bytes;
    if (how_ == How::last_byte && rest.size() > 1) {
      treatment.steps.push_back(send({rest.begin(), rest.end() - 1}));
      rest.erase(rest.begin(), rest.end() - 1);
    }
    treatment.steps.push_back(pause(time));
    treatment.steps.push_back(send(std::move(rest)));
    return treatment;
  }

 private:
  base::Random random_;
  How how_;
  Pauses pauses_;
};

Perturbation cut(const std::string& name, std::string title, ChoosePlaces choose,
                 microseconds between) {
  Perturbation made{"cut/" + name,  "cut",           "", std::move(title), true,
                    Demand::passes, "client.framing"};
  made.make = [choose = std::move(choose), between](const Format& format, std::uint64_t seed) {
    return std::make_unique<Cutting>(format, seed, choose, between);
  };
  return made;
}

Perturbation late(const std::string& name, std::string title, Lateness::How how,
                  std::string clause) {
  Perturbation made{"late/" + name, "late",           "", std::move(title), true,
                    Demand::passes, std::move(clause)};
  made.make = [how](const Format& /*format*/, std::uint64_t seed) {
    return std::make_unique<Lateness>(seed, how);
  };
  return made;
}

}  // namespace

std::vector<Perturbation> timing_perturbations(const Format& format) {
  const bool datagrams = format.over_datagrams();
  std::vector<Perturbation> all;
  if (!datagrams) {
    all.push_back(
        cut("one-by-one", "each reply comes byte by byte", one_by_one, microseconds(200)));
    all.push_back(cut("after-first-byte", "each reply comes as its first byte and the rest",
                      after_first, milliseconds(1)));
    all.push_back(cut("before-last-byte", "each reply comes as all but its last byte, and that",
                      before_last, milliseconds(1)));
    all.push_back(
        cut("at-fields", "each reply is cut between its fields", at_fields, microseconds(300)));
    all.push_back(cut("inside-fields", "each reply is cut inside its fields", inside_fields,
                      microseconds(300)));
    all.push_back(
        cut("anywhere", "each reply is cut at a random place", anywhere, milliseconds(1)));
    all.push_back({"joined", "joined", "", "several replies come in one segment", true,
                   Demand::passes, "client.framing",
                   [](const Format&, std::uint64_t) { return std::make_unique<Joining>(); }});
  }
  const std::string clause = datagrams ? "" : "client.framing";
  all.push_back(late("constant", "replies come 40 ms late", Lateness::How::constant, clause));
  all.push_back(late("random", "replies come up to 80 ms late", Lateness::How::random, clause));
  if (!datagrams)
    all.push_back(late("last-byte", "the last byte of replies comes 40 ms late",
                       Lateness::How::last_byte, clause));
  return all;
}

}  // namespace hallmark::clients
