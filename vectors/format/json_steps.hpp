#pragma once

#include "base/json_reader.hpp"
#include "protocol/readings.hpp"
#include "vectors/format/vector.hpp"

/// Steps of vectors in vector files, at one width.
namespace hallmark::vectors {

base::Json step_json(const Step& step, const protocol::Dialect& dialect);

/// `readings`: the answers by which its messages are laid out.
Step read_step(const base::JsonReader& reader, protocol::Width width,
               const protocol::Readings& readings);

}  // namespace hallmark::vectors
