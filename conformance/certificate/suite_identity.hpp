#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/json_reader.hpp"
#include "protocol/readings.hpp"

namespace hallmark::certificate {

/// A file of golden vectors: where it is below their directory, and what is in it.
struct VectorFileHash {
  std::string path;
  std::string sha256;
  bool operator==(const VectorFileHash&) const = default;
};

/// The identity of a whole suite, to tell two apart: its vectors, and the ids of all its cases.
struct SuiteIdentity {
  std::vector<VectorFileHash> vectors;  ///< in order of their paths
  std::vector<std::string> cases;       ///< in alphabetical order
  bool operator==(const SuiteIdentity&) const = default;

  /// SHA-256 of `HASH  PATH` for each file, as sha256sum writes it, and then each id: all of them
  /// lines.
  std::string digest() const;
};

/// The files of a dialect, or the one file that is given in the place of their directory, and those
/// ids; an empty path: the files that the program carries. Errors: one line, a file cannot be read.
base::Result<SuiteIdentity> identity_of(const std::string& vectors_directory,
                                        const protocol::Dialect& dialect,
                                        std::vector<std::string> cases);

/// The first difference, in words; empty: there is none.
std::string difference(const SuiteIdentity& recorded, const SuiteIdentity& here);

base::Json to_json(const SuiteIdentity& identity);
/// Throws base::JsonMismatch, also where the digest is not that of what it stands with.
SuiteIdentity read_identity(const base::JsonReader& reader);

}  // namespace hallmark::certificate
