#include "cli/suites.hpp"

#include <algorithm>
#include <iterator>

#include "conformance/basis.hpp"
#include "conformance/cases/cases.hpp"
#include "conformance/datagram/datagram_readings.hpp"
#include "conformance/readings/survey.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/state_json.hpp"

namespace hallmark::cli {

boost::system::result<conformance::Suite, std::string> whole_suite(
    const std::string& directory, const conformance::WireFormat& format, LeftOut* left_out) {
  const auto files = vectors::load_directory(directory, format.dialect().name, format.width());
  if (!files) return files.error().message;
  const std::string prefix = conformance::id_prefix(&format.dialect(), format.width());
  conformance::Suite suite = conformance::suite_of_readings(format.dialect(), prefix);
  const auto append = [&](conformance::Suite part) {
    std::ranges::move(part, std::back_inserter(suite));
  };
  conformance::VectorSuite of_vectors = conformance::suite_of_vectors(*files, format);
  append(std::move(of_vectors.suite));
  if (left_out != nullptr) *left_out = std::move(of_vectors.left_out);
  append(conformance::suite_of_behaviours(conformance::behaviour_cases(format), prefix));
  return suite;
}

boost::system::result<conformance::DatagramCases, std::string> all_datagram_cases(
    const std::string& directory, const conformance::WireFormat& format,
    const conformance::KnownRules& known) {
  const auto files = vectors::load_directory(directory, format.dialect().name, format.width());
  if (!files) return files.error().message;
  const std::string prefix(format.dialect().name);
  conformance::DatagramCases cases = conformance::reading_cases(format.dialect(), prefix);
  for (const auto& part :
       {conformance::vector_cases(*files, format), conformance::transaction_cases(prefix),
        conformance::rule_cases(prefix, known)}) {
    cases.insert(cases.end(), part.begin(), part.end());
  }
  return cases;
}

boost::system::result<conformance::AdapterCases, std::string> all_adapter_cases(
    const std::string& directory, const conformance::WireFormat& format, LeftOut* left_out) {
  const auto files = vectors::load_state_directory(directory);
  if (!files) return files.error().message;
  const std::string prefix(format.dialect().name);
  conformance::AdapterCases cases = conformance::line_protocol_cases(prefix);
  conformance::StateVectorCases of_vectors = conformance::adapter_vector_cases(*files, format);
  if (left_out != nullptr) *left_out = std::move(of_vectors.left_out);
  std::ranges::move(of_vectors.cases, std::back_inserter(cases));
  std::ranges::move(conformance::property_cases(prefix, format), std::back_inserter(cases));
  return cases;
}

}  // namespace hallmark::cli
