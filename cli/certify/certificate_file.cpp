#include "cli/certify/certificate_file.hpp"

#include <list>

#include "cli/certify/target_rules.hpp"
#include "conformance/drivers/driver.hpp"

namespace hallmark::cli {

using certificate::Commission;
using certificate::Suites;
using conformance::WireFormat;

Suites suites_of(const std::string& vectors_directory) {
  Suites suites;
  suites.vectors_directory = vectors_directory;
  // The cases refer to the rules that they were made for.
  suites.cases = [vectors_directory, kept = std::make_shared<std::list<TargetRules>>()](
                     const WireFormat& format,
                     const Commission& commission) -> conformance::OrReason<conformance::Cases> {
    const auto rules = TargetRules::of(commission.rules, commission.estimator,
                                       commission.key_patterns, commission.asked);
    if (!rules) return rules.error();
    kept->push_back(*rules);
    return conformance::driver_of(format.dialect().transport)
        .cases({vectors_directory, kept->back().known()}, format);
  };
  suites.readings_needed = [vectors_directory](const WireFormat& format,
                                               const Commission& commission) {
    return conformance::driver_of(format.dialect().transport)
        .readings_needed({vectors_directory}, commission.filter, format);
  };
  return suites;
}

class CertificateFile::Both : public conformance::PartSink {
 public:
  Both(conformance::PartSink* first, conformance::PartSink* second)
      : first_(first), second_(second) {}

  void take(conformance::Part part) override {
    if (first_ != nullptr && second_ != nullptr) first_->take(part);
    (second_ != nullptr ? second_ : first_)->take(std::move(part));
  }

 private:
  conformance::PartSink* first_;
  conformance::PartSink* second_;
};

base::Result<CertificateFile> CertificateFile::create(const std::string& path,
                                                      const std::string& packets,
                                                      const std::string& vectors_directory) {
  CertificateFile made;
  made.vectors_directory_ = vectors_directory;
  if (!path.empty()) {
    auto writer = certificate::Writer::create(path, HALLMARK_VERSION);
    if (!writer) return writer.error();
    made.writer_ = std::move(*writer);
  }
  if (!packets.empty()) {
    auto file = certificate::PacketFile::create(packets, HALLMARK_VERSION);
    if (!file) return file.error();
    made.packets_ = std::move(*file);
  }
  if (made.writer_ == nullptr && made.packets_ == nullptr) return made;
  made.both_ = std::make_unique<Both>(made.writer_.get(), made.packets_.get());
  made.recorder_ = std::make_unique<conformance::Recorder>(*made.both_);
  return made;
}

base::Result<void> CertificateFile::finish(const Commission& commission,
                                           const reports::CertifyResult& result) {
  const auto certified = finish_certificate(commission, result);
  if (packets_ == nullptr) return certified;
  const auto written = packets_->finish(result);
  return certified ? written : certified;
}

base::Result<void> CertificateFile::finish_certificate(const Commission& commission,
                                                       const reports::CertifyResult& result) {
  if (writer_ == nullptr) return {};
  certificate::SuiteIdentity identity;
  if (const auto held = certificate::held_in(result.header)) {
    auto made = certificate::identity_of(suites_of(vectors_directory_), commission,
                                         WireFormat(held->width, held->readings));
    if (!made) return made.error();
    identity = std::move(*made);
  }
  return writer_->finish(commission, identity, result);
}

}  // namespace hallmark::cli
