#include "conformance/drivers/reproduced.hpp"

#include <algorithm>

#include "vectors/format/json.hpp"

namespace hallmark::conformance {
namespace {

/// The answers that are not those of the deployed profile.
std::map<std::string, std::string> answers_of(const WireFormat& format) {
  const protocol::Readings deployed(format.dialect(), protocol::Profile::deployed);
  std::map<std::string, std::string> answers;
  for (const protocol::Reading& reading : format.dialect().readings) {
    const std::string_view answer = format.readings().answer(reading);
    if (answer != deployed.answer(reading)) answers.emplace(reading.id, answer);
  }
  return answers;
}

}  // namespace

Reproduced reproduced(const WireFormat& format, const Reproduction& reproduction) {
  vectors::VectorFile file;
  file.dialect = format.dialect().name;
  file.answers = answers_of(format);
  file.width = format.width();
  file.operation = reproduction.vector.operation;
  file.vectors = {reproduction.vector};
  // The file that the vector comes from says what a flag means.
  file.vectors.front().flags.clear();
  return {reproduction.case_id, vectors::write_json(file), hex_script(reproduction)};
}

bool has_failed(const reports::CertifyResult& result, const std::string& id) {
  return std::ranges::any_of(result.cases, [&](const reports::CaseResult& one) {
    return one.id == id && one.verdict == reports::Verdict::fail;
  });
}

CertifyOptions options_to_reproduce(const CertifyOptions& options) {
  CertifyOptions own = options;
  own.schedule.on_progress = nullptr;
  own.schedule.on_judged = nullptr;
  own.recorder = nullptr;
  own.failures = nullptr;
  return own;
}

}  // namespace hallmark::conformance
