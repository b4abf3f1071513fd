#pragma once

#include <string>
#include <vector>

#include "conformance/engine/certify.hpp"
#include "conformance/reduction/reduce.hpp"

namespace hallmark::conformance {

/// A failure that came again, cut down.
struct Reproduced {
  std::string case_id;
  std::string vector;                 ///< text of a vector file
  std::vector<std::string> requests;  ///< one line each
};

/// The reproduction with the file of its vector, laid out in that format.
Reproduced reproduced(const WireFormat& format, const Reproduction& reproduction);

bool has_failed(const reports::CertifyResult& result, const std::string& id);

/// The options of a run that plays failures again: without progress, or a certificate.
CertifyOptions options_to_reproduce(const CertifyOptions& options);

/// Leaves out the vectors that did not fail.
template <class File>
std::vector<File> failed_of(std::vector<File> files, const reports::CertifyResult& result) {
  for (File& file : files)
    std::erase_if(file.vectors, [&](const auto& one) { return !has_failed(result, one.id); });
  std::erase_if(files, [](const File& file) { return file.vectors.empty(); });
  return files;
}

}  // namespace hallmark::conformance
