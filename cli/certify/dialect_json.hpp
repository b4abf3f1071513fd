#pragma once

#include "base/json.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::cli {

/// The readings of a dialect, as reports/schema/readings.schema.json has them.
base::Json readings_json(const protocol::Dialect& dialect);

/// A clause, as reports/schema/clauses.schema.json has it, without the cases that cite it.
base::Json clause_json(const protocol::Clause& clause);

}  // namespace hallmark::cli
