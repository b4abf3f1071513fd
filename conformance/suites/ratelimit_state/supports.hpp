#pragma once

#include <set>
#include <string>
#include <vector>

#include "conformance/drivers/adapter/adapter_session.hpp"
#include "vectors/format/state_vector.hpp"

namespace hallmark::conformance {

/// The abilities that an adapter lists in its hello.
struct Supports {
  std::set<std::string> decode;  ///< formats
  std::set<std::string> encode;  ///< strategies
  std::set<std::string> decide;  ///< strategies
  bool operator==(const Supports&) const = default;
};

/// Reads what the answer to hello lists, whatever else it says. Error: one line that says what is
/// wrong with the list.
base::Expected<Supports, std::string> read_supports(const base::Json& answer);

/// Reads the answer to hello. Error: one line that says what is wrong with it.
base::Expected<Supports, std::string> read_hello(const base::Json& answer);

/// The first thing that a request needs and an adapter does not list, `decode token-bucket/v1`;
/// empty: it lists all. `formats`: of the states that the request holds.
std::string missing(const Supports& supports, const base::Json& request,
                    const std::vector<std::string>& formats);

/// Returns what an adapter does not list of the document, in the document's order. An operation for
/// which it lists nothing stands alone, `decide`; otherwise each missing format or strategy follows
/// its operation, `decide gcra`.
std::vector<std::string> lacking(const Supports& supports);

}  // namespace hallmark::conformance
