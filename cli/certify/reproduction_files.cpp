#include "cli/certify/reproduction_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/output_file.hpp"
#include "cli/certify/suites.hpp"
#include "cli/options/or_reason.hpp"
#include "conformance/drivers/adapter/adapter_certify.hpp"
#include "conformance/drivers/datagram/datagram_certify.hpp"
#include "conformance/drivers/stream/variants.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/state_json.hpp"

namespace hallmark::cli {
namespace {

namespace fs = std::filesystem;
using conformance::CertifyOptions;
using conformance::Reproduction;
using conformance::WireFormat;
using reports::CaseResult;
using reports::CertifyResult;
using vectors::StateVector;
using vectors::StateVectorFile;
using vectors::Vector;
using vectors::VectorFile;

/// A failure that came again.
struct Reproduced {
  std::string case_id;
  std::string vector;                 ///< text of its file
  std::vector<std::string> requests;  ///< as lines
};

/// "throttr-7.1.u16.behaviour.insert.adds-a-counter", whatever the id holds.
std::string stem_of(const std::string& case_id) {
  std::string stem = case_id;
  std::ranges::replace_if(
      stem, [](char c) { return c == '/' || c == '#' || c == ':' || c == ' '; }, '.');
  return stem;
}

/// The answers that are not those of the deployed profile.
std::map<std::string, std::string> answers_of(const WireFormat& format) {
  const protocol::Readings deployed(format.dialect(), protocol::Profile::deployed);
  std::map<std::string, std::string> answers;
  for (const protocol::Reading& reading : format.dialect().readings) {
    const std::string_view answer = format.readings().answer(reading.id);
    if (answer != deployed.answer(reading.id)) answers.emplace(reading.id, answer);
  }
  return answers;
}

std::string vector_text(const WireFormat& format, const Vector& vector) {
  VectorFile file;
  file.dialect = format.dialect().name;
  file.answers = answers_of(format);
  file.width = format.width();
  file.operation = vector.operation;
  file.vectors = {vector};
  return vectors::write_json(file);
}

Reproduced reproduced(const WireFormat& format, const Reproduction& reproduction) {
  return {reproduction.case_id, vector_text(format, reproduction.vector),
          conformance::hex_script(reproduction)};
}

std::vector<Reproduced> of_streams(const conformance::Failures& failures,
                                   const CertifyOptions& options, CertifyResult& result) {
  std::vector<Reproduced> found;
  for (const Reproduction& one : conformance::reduce_failures(failures, options, result))
    found.push_back(reproduced(*failures.format(), one));
  return found;
}

bool has_failed(const CertifyResult& result, const std::string& id) {
  return std::ranges::any_of(result.cases, [&](const CaseResult& one) {
    return one.id == id && one.verdict == reports::Verdict::fail;
  });
}

/// Without the vectors that did not fail.
template <class File>
std::vector<File> failed_of(std::vector<File> files, const CertifyResult& result) {
  for (File& file : files)
    std::erase_if(file.vectors, [&](const auto& one) { return !has_failed(result, one.id); });
  std::erase_if(files, [](const File& file) { return file.vectors.empty(); });
  return files;
}

/// As a run of its own: without progress, or a certificate.
CertifyOptions again(const CertifyOptions& options) {
  CertifyOptions own = options;
  own.schedule.on_progress = nullptr;
  own.recorder = nullptr;
  own.failures = nullptr;
  return own;
}

/// One request each: nothing can be left out.
OrReason<std::vector<Reproduced>> of_datagrams(const std::string& directory,
                                               const CertifyOptions& options,
                                               const CertifyResult& result) {
  std::vector<Reproduced> all;
  const auto outcome = conformance::certify_datagrams(
      [&](const WireFormat& format) -> OrReason<conformance::DatagramCases> {
        auto files = vector_files_of(directory, format);
        if (!files) return files.error();
        const auto failed = failed_of(std::move(*files), result);
        for (const auto& vector : conformance::variants_for(failed, format).playable)
          all.push_back(reproduced(format, {vector->id, 1, 1, *vector}));
        return conformance::vector_cases(failed, format);
      },
      again(options));
  if (!outcome) return outcome.error();
  std::erase_if(all, [&](const Reproduced& one) { return !has_failed(*outcome, one.case_id); });
  return all;
}

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

/// As an adapter reads it.
std::string request_line(const StateVector& vector) {
  base::Json line = {{"id", 1}};
  line.update(vector.steps.front().request);
  return line.dump();
}

OrReason<std::vector<Reproduced>> of_states(const std::string& directory,
                                            const CertifyOptions& options,
                                            const CertifyResult& result) {
  auto files = state_vector_files_of(directory);
  if (!files) return files.error();
  const auto single = in_steps(failed_of(std::move(*files), result));
  const WireFormat format(protocol::Width::none, conformance::adapter_readings(options.asked));
  const auto outcome = conformance::certify_adapter(
      conformance::adapter_vector_cases(single, format).cases, again(options));
  if (!outcome) return outcome.error();
  std::vector<Reproduced> found;
  for (const StateVectorFile& file : single) {
    const StateVector& vector = file.vectors.front();
    if (has_failed(*outcome, vector.id))
      found.push_back({vector.id, vectors::write_json(file), {request_line(vector)}});
  }
  return found;
}

base::Result<void> write(const fs::path& path, const std::string& text) {
  return base::write_file(path.string(), text);
}

std::string text_of(const std::vector<std::string>& lines) {
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

/// True if one of the files is of that case, whole or a step of it.
bool is_among(const std::vector<Reproduced>& found, const std::string& id) {
  return std::ranges::any_of(found, [&](const Reproduced& one) {
    return one.case_id == id || one.case_id.starts_with(id + "/");
  });
}

}  // namespace

base::Result<ReproductionFiles> write_reproductions(const std::string& directory,
                                                    const std::string& directory_of_vectors,
                                                    const conformance::Failures& failures,
                                                    const CertifyOptions& options,
                                                    CertifyResult& result) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return base::Error{fmt::format("{}: {}", directory, error.message())};
  const auto transport = options.asked.dialect == nullptr ? protocol::Transport::stream
                                                          : options.asked.dialect->transport;
  OrReason<std::vector<Reproduced>> found = std::vector<Reproduced>();
  switch (transport) {
    case protocol::Transport::stream: found = of_streams(failures, options, result); break;
    case protocol::Transport::datagram:
      found = of_datagrams(directory_of_vectors, options, result);
      break;
    case protocol::Transport::at_rest:
      found = of_states(directory_of_vectors, options, result);
      break;
  }
  if (!found) return base::Error{found.error()};
  const std::string_view extension = transport == protocol::Transport::at_rest ? ".txt" : ".hex";
  ReproductionFiles files;
  for (const Reproduced& one : *found) {
    const std::string stem = (fs::path(directory) / stem_of(one.case_id)).string();
    for (const auto& [path, text] :
         {std::pair(stem + ".json", one.vector),
          std::pair(fmt::format("{}{}", stem, extension), text_of(one.requests))}) {
      if (const auto written = write(path, text); !written) return written.error();
    }
    ++files.cut_down;
  }
  for (const CaseResult& one : result.cases) {
    if (one.verdict != reports::Verdict::fail || one.reproduction.empty()) continue;
    if (is_among(*found, one.id)) continue;
    const std::string stem = (fs::path(directory) / stem_of(one.id)).string();
    const auto written = write(fmt::format("{}{}", stem, extension), text_of(one.reproduction));
    if (!written) return written.error();
    ++files.scripts;
  }
  return files;
}

}  // namespace hallmark::cli
