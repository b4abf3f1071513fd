#pragma once

#include <optional>
#include <set>

#include "base/json_reader.hpp"
#include "protocol/codec/layout.hpp"
#include "vectors/format/vector.hpp"

/// Checks that a vector file agrees with itself and with its dialect, beside its members. Each
/// check refuses the place that is wrong, and says what is allowed there.
namespace hallmark::vectors {

/// Readings of the dialect, each with one of its answers.
std::map<std::string, std::string> read_answers(const base::JsonReader& reader,
                                                const protocol::Dialect& dialect);

/// Clauses of the dialect.
std::vector<std::string> read_clauses(const base::JsonReader& reader,
                                      const protocol::Dialect& dialect);

/// Flags that the file explains.
std::vector<std::string> read_flags(const base::JsonReader& reader,
                                    const std::map<std::string, std::string>& explained);

/// The values that a request was made from are those that its bytes hold, where these are a whole
/// request. `fields`: where they stand.
void check_values(const base::JsonReader& fields, const Send& send, const protocol::Layout& layout);
/// The same of a message that is expected. Places lie within the bytes.
void check_example(const base::JsonReader& fields, const Expected& expected,
                   const protocol::Layout& layout);

/// A substitution takes the place of its field, as far as the bytes are a request.
void check_substitution(const base::JsonReader& at, const Substitution& substitution,
                        base::ByteView request, const protocol::Layout& layout);

/// Every name that a step needs was captured by a step before it. `steps`: all of the vector.
void check_captures(const Vector& vector, const base::JsonReader& steps);

/// A lifetime refers to a step before its own that sends. `steps`: all of the vector.
void check_lifetimes(const Vector& vector, const base::JsonReader& steps);

}  // namespace hallmark::vectors
