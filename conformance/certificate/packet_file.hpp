#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conformance/certificate/certificate.hpp"
#include "conformance/record/recorder.hpp"
#include "pcapng/writer.hpp"

namespace hallmark::certificate {

/// Writes the transcripts of a run as packets: synthesized frames around the bytes that passed. The
/// first packet of a part names its case and verdict, and the packet that decided a failure the
/// reason and the field. Nothing is written for adapters, which are not reached over a network.
/// `parts` are in any order.
void write_packets(pcapng::Writer& packets, const std::vector<conformance::Part>& parts,
                   const reports::CertifyResult& result);

/// A run as a pcapng file. The verdicts are known at the end only, so the parts are kept in memory
/// until then, at most `most_bytes` of them.
class PacketFile : public conformance::PartSink {
 public:
  static constexpr std::size_t most_bytes = std::size_t{1} << 30;

  /// Errors: one line, nothing can be written there.
  static base::Result<std::unique_ptr<PacketFile>> create(const std::string& path,
                                                          const std::string& tool);

  void take(conformance::Part part) override;

  /// Completes the file. Error: one line, also if the parts were too large.
  base::Result<void> finish(const reports::CertifyResult& result);

 private:
  PacketFile(pcapng::Writer packets, std::string path)
      : packets_(std::move(packets)), path_(std::move(path)) {}

  pcapng::Writer packets_;
  std::string path_;
  std::vector<conformance::Part> parts_;
  std::size_t bytes_ = 0;
};

}  // namespace hallmark::certificate
