#pragma once

#include "base/output_file.hpp"
#include "conformance/certificate/certificate.hpp"
#include "conformance/certificate/sha256.hpp"
#include "conformance/certificate/zstd_stream.hpp"
#include "conformance/record/recorder.hpp"

namespace hallmark::certificate {

/// Writes a certificate while the run goes on: of its parts, only those that are being played are
/// in memory. The file appears at the end, whole.
class Writer : public conformance::PartSink {
 public:
  /// Errors: one line, nothing can be written there.
  static base::Result<std::unique_ptr<Writer>> create(const std::string& path,
                                                      const std::string& tool);

  void take(conformance::Part part) override;

  /// Writes the commission, the suite and the result, and completes the file. Error: one line, also
  /// if an earlier write failed.
  base::Result<void> finish(const Commission& commission, const SuiteIdentity& suite,
                            const reports::CertifyResult& result);

 private:
  Writer(base::OutputFile file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}
  void add(std::string_view lines);
  void write(std::string_view compressed);

  base::OutputFile file_;
  std::string path_;
  Compressor compressor_;
  Sha256 digest_;
  std::size_t text_ = 0;
  std::string error_;  ///< the first; nothing is written any more
};

}  // namespace hallmark::certificate
