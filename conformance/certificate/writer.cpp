#include "conformance/certificate/writer.hpp"

#include <fmt/format.h>

#include "conformance/certificate/lines.hpp"
#include "reports/json_report.hpp"

namespace hallmark::certificate {
namespace {

using base::Json;

std::string line(const char* kind, Json content) {
  const Json object = {{kind, std::move(content)}};
  return object.dump() + '\n';
}

/// The result on a line, without what follows from the rest of it; then each case on one.
std::string lines_of(const reports::CertifyResult& result) {
  Json document = reports::json_of(result);
  const Json cases = std::exchange(document["cases"], Json::array());
  for (const char* key : {"format", "format_version", "exit_code", "verdict", "summary"})
    document.erase(key);
  std::string lines = line("result", std::move(document));
  for (const Json& one : cases.items()) lines += line("case", one);
  return lines;
}

}  // namespace

base::Result<std::unique_ptr<Writer>> Writer::create(const std::string& path,
                                                     const std::string& tool) {
  auto file = base::OutputFile::create(path);
  if (!file) return file.error();
  std::unique_ptr<Writer> writer(new Writer(std::move(*file), path));
  const Json first = {{"hallmark_certificate", format_version}, {"tool", tool}};
  writer->add(first.dump() + '\n');
  return writer;
}

void Writer::take(conformance::Part part) { add(lines_of(part)); }

void Writer::add(std::string_view lines) {
  if (!error_.empty()) return;
  text_ += lines.size();
  if (text_ > Limits{}.text) {
    error_ = fmt::format("{}: the transcripts take more than {} MiB; certify with a --filter",
                         path_, Limits{}.text >> 20);
    return;
  }
  digest_.add(lines);
  write(compressor_.add(lines));
}

void Writer::write(std::string_view compressed) {
  if (compressed.empty() || !error_.empty()) return;
  const auto written = file_.write(compressed);
  if (!written) error_ = written.error().message;
}

base::Result<void> Writer::finish(const Commission& commission, const SuiteIdentity& suite,
                                  const reports::CertifyResult& result) {
  add(line("commission", to_json(commission)));
  add(line("suite", to_json(suite)));
  add(lines_of(result));
  add(line("end", {{"sha256", digest_.hex()}}));
  write(compressor_.finish());
  if (!error_.empty()) return base::Error{error_};
  return file_.commit();
}

}  // namespace hallmark::certificate
