#pragma once

#include "base/json_reader.hpp"

/// Checks of the steps of state vectors, after vectors/schema/state_vectors.schema.json.
namespace hallmark::vectors {

void check_state_request(const base::JsonReader& request);
void check_state_answer(const base::JsonReader& answer);

/// The name of a strategy.
const std::string& read_strategy(const base::JsonReader& reader);

}  // namespace hallmark::vectors
