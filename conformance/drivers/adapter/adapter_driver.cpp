#include <fmt/format.h>

#include "conformance/drivers/adapter/adapter_certify.hpp"
#include "conformance/drivers/transports.hpp"
#include "conformance/drivers/vector_files.hpp"
#include "conformance/record/played_network.hpp"
#include "vectors/format/state_json.hpp"

namespace hallmark::conformance {
namespace {

using vectors::StateVector;
using vectors::StateVectorFile;

/// An adapter is held to this whatever it answers: it is asked for no readings.
WireFormat held_to(const Asked& asked) { return {protocol::Width::none, adapter_readings(asked)}; }

/// Every step of a vector as a vector, since steps do not depend on each other.
std::vector<StateVectorFile> in_steps(const std::vector<StateVectorFile>& files) {
  std::vector<StateVectorFile> single;
  for (const StateVectorFile& file : files) {
    for (const StateVector& vector : file.vectors) {
      for (std::size_t step = 0; step < vector.steps.size(); ++step) {
        StateVector alone = vector;
        alone.steps = {vector.steps[step]};
        if (vector.steps.size() > 1) alone.id += fmt::format("/{}", step + 1);
        single.push_back({file.strategy, file.flags, {std::move(alone)}});
      }
    }
  }
  return single;
}

/// Returns the request line that an adapter reads.
std::string request_line(const StateVector& vector) {
  base::Json line = {{"id", 1}};
  line.update(vector.steps.front().request);
  return line.dump();
}

class AdapterDriver final : public Driver {
 public:
  std::string prefix(const protocol::Dialect& dialect, protocol::Width) const override {
    return std::string(dialect.name);
  }

  OrReason<Cases> cases(const CaseSources& sources, const WireFormat& format) const override {
    const auto files = state_vector_files(sources.vectors);
    if (!files) return files.error();
    StateVectorCases of_vectors = adapter_vector_cases(*files, format);
    if (is_one_file(sources.vectors)) return Cases{std::move(of_vectors.cases)};
    const std::string start = prefix(format.dialect(), format.width());
    AdapterCases cases = line_protocol_cases(start);
    std::ranges::move(of_vectors.cases, std::back_inserter(cases));
    std::ranges::move(property_cases(start, format), std::back_inserter(cases));
    return Cases{std::move(cases), std::move(of_vectors.left_out)};
  }

  std::vector<protocol::Readings> possible_readings(const Asked& asked) const override {
    return {adapter_readings(asked)};
  }

  CertifyOutcome certify(const CasesMaker& make_cases,
                         const CertifyOptions& options) const override {
    const auto made = make_cases(held_to(options.asked));
    if (!made) return made.error();
    return certify_adapter(std::get<AdapterCases>(made->all), options);
  }

  reports::CertifyResult certify_as(const WireFormat&, const Cases& cases,
                                    const CertifyOptions& options) const override {
    return *certify_adapter(std::get<AdapterCases>(cases.all), options);
  }

  Replayed replay(const std::vector<Part>& parts, const CasesMaker& make_cases,
                  const CertifyOptions& options) const override {
    const auto made = make_cases(held_to(options.asked));
    if (!made) return {made.error(), {}};
    return replayed_over<PlayedHost>(parts, Links::of_run, [&](AdapterHost& host) {
      return certify_adapter_over(host, std::get<AdapterCases>(made->all), options);
    });
  }

  OrReason<std::vector<Reproduced>> reproduce(const CaseSources& sources, const Failures&,
                                              const CertifyOptions& options,
                                              reports::CertifyResult& result) const override {
    auto files = state_vector_files(sources.vectors);
    if (!files) return files.error();
    const auto single = in_steps(failed_of(std::move(*files), result));
    const auto outcome = certify_adapter(adapter_vector_cases(single, held_to(options.asked)).cases,
                                         options_to_reproduce(options));
    if (!outcome) return outcome.error();
    std::vector<Reproduced> found;
    for (const StateVectorFile& file : single) {
      const StateVector& vector = file.vectors.front();
      if (has_failed(*outcome, vector.id))
        found.push_back({vector.id, vectors::write_json(file), {request_line(vector)}});
    }
    return found;
  }

  std::string_view script_extension() const override { return ".txt"; }
};

}  // namespace

const Driver& adapter_driver() {
  static const AdapterDriver driver;
  return driver;
}

}  // namespace hallmark::conformance
