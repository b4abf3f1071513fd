#include "base/endpoint.hpp"
#include "conformance/drivers/datagram/datagram_certify.hpp"
#include "conformance/drivers/stream/variants.hpp"
#include "conformance/drivers/transports.hpp"
#include "conformance/drivers/vector_files.hpp"
#include "conformance/record/played_network.hpp"
#include "conformance/suites/ratelimit_udp/datagram_readings.hpp"

namespace hallmark::conformance {
namespace {

class DatagramDriver final : public Driver {
 public:
  std::string prefix(const protocol::Dialect& dialect, protocol::Width) const override {
    return std::string(dialect.name);
  }

  OrReason<Cases> cases(const CaseSources& sources, const WireFormat& format) const override {
    const auto files = vector_files(sources.vectors, format);
    if (!files) return files.error();
    DatagramCases of_vectors = vector_cases(*files, format);
    if (is_one_file(sources.vectors)) return Cases{std::move(of_vectors)};
    const std::string start = prefix(format.dialect(), format.width());
    DatagramCases cases = reading_cases(format.dialect(), start);
    for (const auto& part :
         {of_vectors, transaction_cases(start), rule_cases(start, sources.limits)})
      cases.insert(cases.end(), part.begin(), part.end());
    return Cases{std::move(cases)};
  }

  /// Vectors say which readings they rest on. Other cases may ask for statistics, and those of
  /// rules judge rates.
  std::optional<std::set<std::string>> readings_needed(const CaseSources& sources,
                                                       const Filter& filter,
                                                       const WireFormat& format) const override {
    if (is_whole(filter)) return std::nullopt;
    const auto files = vector_files(sources.vectors, format);
    if (!files) return std::nullopt;
    Suite suite = suite_of_all_vectors(*files, format);
    if (!is_one_file(sources.vectors)) {
      const std::string start = prefix(format.dialect(), format.width());
      for (const DatagramCase& one : reading_cases(format.dialect(), start))
        add(suite, one, {one.entry.id.substr(one.entry.id.rfind('/') + 1)});
      for (const DatagramCase& one : rule_cases(start, sources.limits))
        add(suite, one, {"default-key", "over-when", "stats-field"});
      for (const DatagramCase& one : transaction_cases(start)) add(suite, one, {"stats-field"});
    }
    const auto chosen = conformance::chosen(std::move(suite), filter);
    return chosen ? std::optional(readings_of(*chosen)) : std::nullopt;
  }

  std::vector<protocol::Readings> possible_readings(const Asked& asked) const override {
    return {protocol::Readings(*asked.dialect, protocol::Profile::deployed)};
  }

  CertifyOutcome certify(const CasesMaker& make_cases,
                         const CertifyOptions& options) const override {
    return certify_datagrams(datagram_maker(make_cases), options);
  }

  reports::CertifyResult certify_as(const WireFormat&, const Cases& cases,
                                    const CertifyOptions& options) const override {
    return *certify([&](const WireFormat&) -> OrReason<Cases> { return cases; }, options);
  }

  Replayed replay(const std::vector<Part>& parts, const CasesMaker& make_cases,
                  const CertifyOptions& options) const override {
    const bool awaited = base::has_scheme_of<base::ExecEndpoint>(options.target_text);
    return replayed_over<PlayedDatagrams>(parts, Links::of_run, [&](DatagramNetwork& network) {
      return certify_datagrams_over(network, datagram_maker(make_cases), options, awaited);
    });
  }

  /// A vector of datagrams has one request: nothing can be left out.
  OrReason<std::vector<Reproduced>> reproduce(const CaseSources& sources, const Failures&,
                                              const CertifyOptions& options,
                                              reports::CertifyResult& result) const override {
    std::vector<Reproduced> all;
    const auto outcome = certify_datagrams(
        [&](const WireFormat& format) -> OrReason<DatagramCases> {
          auto files = vector_files(sources.vectors, format);
          if (!files) return files.error();
          const auto failed = failed_of(std::move(*files), result);
          for (const auto& vector : variants_for(failed, format).playable)
            all.push_back(reproduced(format, {vector->id, 1, 1, *vector}));
          return vector_cases(failed, format);
        },
        options_to_reproduce(options));
    if (!outcome) return outcome.error();
    std::erase_if(all, [&](const Reproduced& one) { return !has_failed(*outcome, one.case_id); });
    return all;
  }

  std::string_view script_extension() const override { return ".hex"; }

 private:
  static void add(Suite& suite, const DatagramCase& one, std::set<std::string> readings) {
    Unit& unit = suite.emplace_back();
    unit.cases = {one.entry};
    unit.rests_on = std::move(readings);
  }

  static DatagramCaseMaker datagram_maker(const CasesMaker& make_cases) {
    return [&make_cases](const WireFormat& format) -> OrReason<DatagramCases> {
      auto made = make_cases(format);
      if (!made) return made.error();
      return std::get<DatagramCases>(std::move(made->all));
    };
  }
};

}  // namespace

const Driver& datagram_driver() {
  static const DatagramDriver driver;
  return driver;
}

}  // namespace hallmark::conformance
