#include "conformance/engine/run_header.hpp"

#include <fmt/format.h>

namespace hallmark::conformance {

using protocol::Dialect;
using protocol::Profile;
using protocol::Readings;
using reports::CertifyResult;

std::string nonce_of(const CertifyOptions& options) { return fmt::format("{:016x}", options.seed); }

void fill_header(CertifyResult& result, const CertifyOptions& options) {
  reports::RunHeader& header = result.header;
  header.target = options.target_text;
  header.started = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const double seconds = static_cast<double>(options.deadline) / 1e9;
  header.options = {{"seed", std::to_string(options.seed)},
                    {"jobs", std::to_string(options.schedule.jobs)},
                    {"deadline", fmt::format("{}s", seconds)}};
  if (options.schedule.slow) header.options.push_back({"slow", "yes"});
  if (options.schedule.polite) header.options.push_back({"polite", "yes"});
  if (options.exclusive) header.options.push_back({"exclusive", "yes"});
  result.suite = "vectors+behaviour";
}

void fill_format(CertifyResult& result, const Asked& asked) {
  reports::RunHeader& header = result.header;
  header.dialect = asked.dialect == nullptr ? "auto" : asked.dialect->name;
  header.width = asked.width ? protocol::name_of(*asked.width) : "auto";
  header.profile = asked.profile ? protocol::name_of(*asked.profile) : "auto";
}

void fill_format(CertifyResult& result, const WireFormat& format, Profile compared) {
  reports::RunHeader& header = result.header;
  header.dialect = format.dialect().name;
  header.width = format.width() == protocol::Width::none ? "" : protocol::name_of(format.width());
  const Readings usual(format.dialect(), compared);
  for (const protocol::Reading& reading : format.dialect().readings) {
    const protocol::AnswerName answer = format.readings().answer(reading);
    if (answer != usual.answer(reading))
      header.readings.push_back(fmt::format("{}={}", reading.id, answer));
  }
}

std::vector<Pin> pins_of(const Asked& asked, const Dialect& dialect) {
  std::vector<Pin> pins;
  if (asked.profile) {
    const Readings readings(dialect, *asked.profile);
    for (const protocol::Reading& one : dialect.readings)
      pins.push_back({std::string(one.id), std::string(readings.answer(one))});
  }
  pins.insert(pins.end(), asked.pins.begin(), asked.pins.end());
  return pins;
}

Readings readings_with_pins(const Asked& asked, Profile profile) {
  Readings readings(*asked.dialect, profile);
  for (const Pin& pin : asked.pins) static_cast<void>(readings.set(pin.reading, pin.answer));
  return readings;
}

}  // namespace hallmark::conformance
