#pragma once

#include <memory>
#include <string>

#include "conformance/certificate/packet_file.hpp"
#include "conformance/certificate/verify.hpp"
#include "conformance/certificate/writer.hpp"

namespace hallmark::cli {

/// The suites of this program, with the vectors of that directory.
certificate::Suites suites_of(const std::string& vectors_directory);

/// --certificate and --pcap: keep a run while it is played. Each error is one line.
class CertificateFile {
 public:
  /// An empty path: that file is not wanted.
  static base::Result<CertificateFile> create(const std::string& path, const std::string& packets,
                                              const std::string& vectors_directory);

  /// Null: nothing is kept.
  conformance::Recorder* recorder() const { return recorder_.get(); }

  /// `result`: before anything is known or expected of its failures.
  base::Result<void> finish(const certificate::Commission& commission,
                            const reports::CertifyResult& result);

 private:
  /// Hands each part to both files.
  class Both;

  base::Result<void> finish_certificate(const certificate::Commission& commission,
                                        const reports::CertifyResult& result);

  std::string vectors_directory_;
  std::unique_ptr<certificate::Writer> writer_;
  std::unique_ptr<certificate::PacketFile> packets_;
  std::unique_ptr<conformance::PartSink> both_;
  std::unique_ptr<conformance::Recorder> recorder_;
};

}  // namespace hallmark::cli
