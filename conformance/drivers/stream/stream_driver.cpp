#include "conformance/drivers/transports.hpp"
#include "conformance/drivers/vector_files.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/judgement/basis.hpp"
#include "conformance/record/played_network.hpp"
#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/readings/survey.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Profile;

class StreamDriver final : public Driver {
 public:
  std::string prefix(const protocol::Dialect& dialect, protocol::Width width) const override {
    return id_prefix(&dialect, width);
  }

  OrReason<Cases> cases(const CaseSources& sources, const WireFormat& format) const override {
    const auto files = vector_files(sources.vectors, format);
    if (!files) return files.error();
    VectorSuite of_vectors = suite_of_vectors(*files, format);
    if (is_one_file(sources.vectors)) return Cases{std::move(of_vectors.suite)};
    const std::string start = prefix(format.dialect(), format.width());
    Suite suite = suite_of_readings(format.dialect(), start);
    std::ranges::move(of_vectors.suite, std::back_inserter(suite));
    std::ranges::move(suite_of_behaviours(behaviour_cases(format), start),
                      std::back_inserter(suite));
    return Cases{std::move(suite), std::move(of_vectors.left_out)};
  }

  std::optional<std::set<std::string>> readings_needed(const CaseSources& sources,
                                                       const Filter& filter,
                                                       const WireFormat& format) const override {
    if (is_whole(filter)) return std::nullopt;
    const auto files = vector_files(sources.vectors, format);
    if (!files) return std::nullopt;
    Suite suite = suite_of_all_vectors(*files, format);
    if (!is_one_file(sources.vectors)) {
      const std::string start = prefix(format.dialect(), format.width());
      std::ranges::move(suite_of_readings(format.dialect(), start), std::back_inserter(suite));
      std::ranges::move(suite_of_behaviours(possible_behaviour_cases(format), start),
                        std::back_inserter(suite));
    }
    const auto chosen = conformance::chosen(std::move(suite), filter);
    return chosen ? std::optional(readings_of(*chosen)) : std::nullopt;
  }

  /// Whatever its profile: the target may answer otherwise.
  std::vector<protocol::Readings> possible_readings(const Asked& asked) const override {
    return {readings_with_pins(asked, Profile::literal),
            readings_with_pins(asked, Profile::deployed)};
  }

  CertifyOutcome certify(const CasesMaker& make_cases,
                         const CertifyOptions& options) const override {
    return conformance::certify(suite_maker(make_cases), options);
  }

  reports::CertifyResult certify_as(const WireFormat& format, const Cases& cases,
                                    const CertifyOptions& options) const override {
    return conformance::certify(format, std::get<Suite>(cases.all), options);
  }

  Replayed replay(const std::vector<Part>& parts, const CasesMaker& make_cases,
                  const CertifyOptions& options) const override {
    return replayed_over<PlayedNetwork>(parts, Links::of_part, [&](Network& network) {
      return certify_over(network, suite_maker(make_cases), options);
    });
  }

  OrReason<std::vector<Reproduced>> reproduce(const CaseSources&, const Failures& failures,
                                              const CertifyOptions& options,
                                              reports::CertifyResult& result) const override {
    std::vector<Reproduced> found;
    for (const Reproduction& one : reduce_failures(failures, options, result))
      found.push_back(reproduced(*failures.format(), one));
    return found;
  }

  std::string_view script_extension() const override { return ".hex"; }

 private:
  static SuiteMaker suite_maker(const CasesMaker& make_cases) {
    return [&make_cases](const WireFormat& format) -> OrReason<Suite> {
      auto made = make_cases(format);
      if (!made) return made.error();
      return std::get<Suite>(std::move(made->all));
    };
  }
};

}  // namespace

const Driver& stream_driver() {
  static const StreamDriver driver;
  return driver;
}

}  // namespace hallmark::conformance
