#include "clients/perturb/pauses.hpp"
#include "clients/perturb/perturbation.hpp"

/// Connections that end between two requests.
namespace hallmark::clients {
namespace {

class Ending final : public Disturbance {
 public:
  Ending(std::uint64_t seed, Step::Kind how) : left_(first + seed % spread), how_(how) {}

  Treatment treat(const Message& message) override {
    Treatment treatment = untouched(message.bytes);
    // If other requests wait behind this one, the connection would not end between two requests.
    if (message.push != nullptr || message.bytes.empty() || !message.last) return treatment;
    if (--left_ > 0) return treatment;
    left_ = later;
    // The reply is taken before the end comes: a reset would lose it.
    treatment.steps.push_back(pause(pauses_.take(std::chrono::milliseconds(10))));
    treatment.steps.push_back(ended_by(how_));
    treatment.reach = Reach::performed;
    treatment.what = "the connection ended after it";
    return treatment;
  }

 private:
  static constexpr std::uint64_t first = 1;   ///< replies before the first end, at least
  static constexpr std::uint64_t spread = 3;  ///< as many more, by the seed
  static constexpr std::uint64_t later = 6;   ///< replies before each further end

  std::uint64_t left_;
  Step::Kind how_;
  Pauses pauses_;
};

Perturbation ending(const std::string& name, std::string title, Step::Kind how) {
  Perturbation made{"connection/" + name, "connection",    "", std::move(title), true,
                    Demand::ends,         "client.endings"};
  made.make = [how](const Format&, std::uint64_t seed) {
    return std::make_unique<Ending>(seed, how);
  };
  return made;
}

}  // namespace

std::vector<Perturbation> ending_perturbations(const Format& format) {
  if (format.over_datagrams()) return {};
  using Kind = Step::Kind;
  return {ending("closed", "the server closes connections between requests", Kind::close),
          ending("reset", "the server resets connections between requests", Kind::reset),
          ending("half-closed", "the server ends its sending between requests", Kind::half_close),
          ending("restarted", "the server restarts between requests, and has lost its records",
                 Kind::restart)};
}

std::vector<Perturbation> reading_perturbations(const Format& format) {
  std::vector<Perturbation> all;
  for (const protocol::Reading& reading : format.dialect().readings) {
    for (const protocol::Answer& answer : reading.answers) {
      if (answer.served == protocol::Served::no) continue;
      if (answer.id == format.readings.answer(reading)) continue;
      protocol::Readings readings = format.readings;
      if (!readings.set(reading.id, answer.id)) continue;
      const std::string name = std::string(reading.id) + "=" + std::string(answer.id);
      Perturbation made{
          "reading/" + name, "reading",           name, "the server answers " + name, true,
          Demand::ends,      "client.assumptions"};
      made.make = [](const Format&, std::uint64_t) { return std::make_unique<Disturbance>(); };
      made.readings = readings;
      all.push_back(std::move(made));
    }
  }
  return all;
}

}  // namespace hallmark::clients
