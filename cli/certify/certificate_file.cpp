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

base::Result<CertificateFile> CertificateFile::create(const std::string& path,
                                                      const std::string& vectors_directory) {
  CertificateFile made;
  if (path.empty()) return made;
  auto writer = certificate::Writer::create(path, HALLMARK_VERSION);
  if (!writer) return writer.error();
  made.vectors_directory_ = vectors_directory;
  made.writer_ = std::move(*writer);
  made.recorder_ = std::make_unique<conformance::Recorder>(*made.writer_);
  return made;
}

base::Result<void> CertificateFile::finish(const Commission& commission,
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
