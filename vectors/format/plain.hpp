#pragma once

#include <span>

#include "base/error.hpp"
#include "base/json.hpp"
#include "protocol/readings.hpp"
#include "vectors/format/invalid.hpp"
#include "vectors/format/state_vector.hpp"
#include "vectors/format/vector.hpp"

/// Plain vectors: what the vector files of a dialect say to servers of one width that give certain
/// answers, with nothing left to look up or to work out (vectors/schema/plain.schema.json). A
/// runner needs a codec, a socket and a clock. docs/vectors.md explains them to writers of runners.
namespace hallmark::vectors {

/// Plain vectors are made from these.
struct PlainSource {
  std::span<const VectorFile> files;  ///< of both profiles, at the width
  std::span<const InvalidMessage> invalid;
  std::span<const StateVectorFile> states;
};

/// The vectors that are right for a server with these answers. What a codec has to refuse is left
/// out unless they are those of released servers, for which it was made. Errors: a message of a
/// vector is not one of the dialect, or is none under these answers.
base::Result<base::Json> plain_vectors(const protocol::Readings& readings, protocol::Width width,
                                       const PlainSource& source);

/// `plain/DIALECT-WIDTH.json`; without a width where messages are text.
std::string plain_path_of(std::string_view dialect, protocol::Width width,
                          protocol::Profile profile);

}  // namespace hallmark::vectors
