#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "protocol/dialect.hpp"

/// Vectors of state strings: requests of the line protocol (docs/adapter.md) and what has to be in
/// the answers. The files under vectors/ratelimit-state hold them, one for each strategy
/// (vectors/schema/state_vectors.schema.json); docs/vectors.md explains them to writers of runners.
namespace hallmark::vectors {

/// Dialect of these vectors, and the folder that they are in.
inline constexpr std::string_view state_dialect = "ratelimit-state";

/// The flag of vectors in whose answers floats may be off by rounding.
inline constexpr std::string_view rounding_flag = "rounding";

/// One exchange. `request` is whole but for its `id`. Every member of `answer` has to be in the
/// answer and be equal, but
/// - `{"match": "any"}` stands for any value that is there,
/// - `{"match": "range", "min": "1", "max": "3"}` for a whole number in a string from 1 to 3,
/// - `error` for any error: its offset, field and reason tell people what is wrong,
/// - with the flag `rounding`, floats may differ by a relative 1e-9.
struct StateStep {
  base::Json request;
  base::Json answer;
  bool operator==(const StateStep&) const = default;
};

/// It is right for every implementation of its readings. An implementation that lacks something of
/// what its requests name, or one of `formats`, has to answer `unsupported`.
struct StateVector {
  std::string id;  ///< stable; e.g. `ratelimit-state/token-bucket/decode/fraction`
  std::string title;
  std::string operation;  ///< `decode`, `encode` or `decide`: the row of the report
  protocol::Level level = protocol::Level::must;
  std::vector<std::string> clauses;
  std::vector<std::string> flags;               ///< explained in StateVectorFile::flags
  std::map<std::string, std::string> readings;  ///< the answers on which it depends, by reading
  /// The formats of the states that its requests hold, `token-bucket/12`; of a composite also those
  /// within. Empty: the states are of none.
  std::vector<std::string> formats;
  std::vector<StateStep> steps;  ///< independent of each other: an adapter remembers nothing
  bool operator==(const StateVector&) const = default;
};

/// The vectors of one strategy.
struct StateVectorFile {
  std::string strategy;                      ///< `token-bucket`; also the name of the file
  std::map<std::string, std::string> flags;  ///< meanings by flag
  std::vector<StateVector> vectors;
  bool operator==(const StateVectorFile&) const = default;
};

}  // namespace hallmark::vectors
