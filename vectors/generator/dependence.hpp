#pragma once

#include <map>
#include <string>

#include "protocol/readings.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::vectors::generator {

/// The answers, among those the vector was written for, on which it depends: each for which the
/// vector is wrong once a model gives another answer and all the others stay. Found by rehearsing
/// it under every answer that can be served, at every pace at which it is right at all, since what
/// two answers differ in may show only once time has passed.
/// Precondition: the vector is right for `readings`.
std::map<std::string, std::string> dependence_of(const Vector& vector, protocol::Width width,
                                                 const protocol::Readings& readings);

}  // namespace hallmark::vectors::generator
