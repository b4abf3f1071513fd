#include "cli/certify/suites.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "conformance/engine/basis.hpp"
#include "conformance/suites/ratelimit_udp/datagram_readings.hpp"
#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/readings/survey.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/state_json.hpp"

namespace hallmark::cli {
namespace {

bool is_one_file(const std::string& directory) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(directory, ignored);
}

/// "throttr-7.1 u16", or "ratelimit-udp".
std::string in_words(std::string_view dialect, protocol::Width width) {
  if (width == protocol::Width::none) return std::string(dialect);
  return fmt::format("{} {}", dialect, protocol::name_of(width));
}

}  // namespace

boost::system::result<std::vector<vectors::VectorFile>, std::string> vector_files_of(
    const std::string& directory, const conformance::WireFormat& format) {
  if (!is_one_file(directory)) {
    auto files = vectors::load_directory(directory, format.dialect().name, format.width());
    if (!files) return files.error().message;
    return std::move(*files);
  }
  auto files = vectors::load_file(directory);
  if (!files) return files.error().message;
  const std::string expected = in_words(format.dialect().name, format.width());
  std::vector<std::string> held;
  for (vectors::VectorFile& file : *files) {
    held.push_back(in_words(file.dialect, file.width));
    if (held.back() == expected) return std::vector{std::move(file)};
  }
  return fmt::format("{} has vectors of {}; expected {}, which the target is held to", directory,
                     fmt::join(held, ", "), expected);
}

boost::system::result<std::vector<vectors::StateVectorFile>, std::string> state_vector_files_of(
    const std::string& directory) {
  if (!is_one_file(directory)) {
    auto files = vectors::load_state_directory(directory);
    if (!files) return files.error().message;
    return std::move(*files);
  }
  auto file = vectors::load_state_file(directory);
  if (!file) return file.error().message;
  return std::vector<vectors::StateVectorFile>{std::move(*file)};
}

boost::system::result<conformance::Suite, std::string> whole_suite(
    const std::string& directory, const conformance::WireFormat& format, LeftOut* left_out) {
  const auto files = vector_files_of(directory, format);
  if (!files) return files.error();
  conformance::VectorSuite of_vectors = conformance::suite_of_vectors(*files, format);
  if (is_one_file(directory)) return std::move(of_vectors.suite);
  if (left_out != nullptr) *left_out = std::move(of_vectors.left_out);
  const std::string prefix = conformance::id_prefix(&format.dialect(), format.width());
  conformance::Suite suite = conformance::suite_of_readings(format.dialect(), prefix);
  std::ranges::move(of_vectors.suite, std::back_inserter(suite));
  std::ranges::move(conformance::suite_of_behaviours(conformance::behaviour_cases(format), prefix),
                    std::back_inserter(suite));
  return suite;
}

boost::system::result<conformance::DatagramCases, std::string> all_datagram_cases(
    const std::string& directory, const conformance::WireFormat& format,
    const conformance::KnownRules& known) {
  const auto files = vector_files_of(directory, format);
  if (!files) return files.error();
  conformance::DatagramCases of_vectors = conformance::vector_cases(*files, format);
  if (is_one_file(directory)) return of_vectors;
  const std::string prefix(format.dialect().name);
  conformance::DatagramCases cases = conformance::reading_cases(format.dialect(), prefix);
  for (const auto& part : {of_vectors, conformance::transaction_cases(prefix),
                           conformance::rule_cases(prefix, known)}) {
    cases.insert(cases.end(), part.begin(), part.end());
  }
  return cases;
}

boost::system::result<conformance::AdapterCases, std::string> all_adapter_cases(
    const std::string& directory, const conformance::WireFormat& format, LeftOut* left_out) {
  const auto files = state_vector_files_of(directory);
  if (!files) return files.error();
  conformance::StateVectorCases of_vectors = conformance::adapter_vector_cases(*files, format);
  if (is_one_file(directory)) return std::move(of_vectors.cases);
  const std::string prefix(format.dialect().name);
  conformance::AdapterCases cases = conformance::line_protocol_cases(prefix);
  if (left_out != nullptr) *left_out = std::move(of_vectors.left_out);
  std::ranges::move(of_vectors.cases, std::back_inserter(cases));
  std::ranges::move(conformance::property_cases(prefix, format), std::back_inserter(cases));
  return cases;
}

namespace {

template <class Cases>
void add_ids(const Cases& cases, std::set<std::string>& ids) {
  for (const auto& one : cases) ids.insert(one.entry.id);
}

/// Those of one set of answers.
boost::system::result<void, std::string> add_ids_of(const std::string& directory,
                                                    const conformance::WireFormat& format,
                                                    const conformance::KnownRules& known,
                                                    std::set<std::string>& ids) {
  switch (format.dialect().transport) {
    case protocol::Transport::datagram: {
      const auto cases = all_datagram_cases(directory, format, known);
      if (!cases) return cases.error();
      add_ids(*cases, ids);
      return {};
    }
    case protocol::Transport::at_rest: {
      const auto cases = all_adapter_cases(directory, format);
      if (!cases) return cases.error();
      add_ids(*cases, ids);
      return {};
    }
    default: break;
  }
  const auto suite = whole_suite(directory, format);
  if (!suite) return suite.error();
  for (const conformance::Unit& unit : *suite) {
    for (const conformance::CaseEntry& entry : unit.cases) ids.insert(entry.id);
  }
  return {};
}

}  // namespace

boost::system::result<std::set<std::string>, std::string> all_case_ids(
    const std::string& directory, const protocol::Dialect& dialect, protocol::Width width,
    const std::vector<conformance::Pin>& pins, const conformance::KnownRules& known) {
  const bool has_width = dialect.transport == protocol::Transport::stream;
  const std::string prefix =
      has_width ? conformance::id_prefix(&dialect, width) : std::string(dialect.name);
  std::set<std::string> ids;
  for (const char* const always :
       {"/sanity/dialect", "/sanity/before", "/sanity/after", "/adapter/hello"})
    ids.insert(prefix + always);
  for (const protocol::Profile profile :
       {protocol::Profile::literal, protocol::Profile::deployed}) {
    protocol::Readings readings(dialect, profile);
    for (const conformance::Pin& pin : pins)
      static_cast<void>(readings.set(pin.reading, pin.answer));
    const auto added = add_ids_of(directory, {width, readings}, known, ids);
    if (!added) return added.error();
  }
  return ids;
}

}  // namespace hallmark::cli
