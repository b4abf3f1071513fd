#pragma once

#include <string>
#include <vector>

#include "protocol/readings.hpp"
#include "reports/result.hpp"

namespace hallmark::cli {

/// The task of `hallmark decode` where it is given states.
struct StateDecoding {
  std::vector<std::string> input;  ///< strings, or one path, or `-`
  std::string strategy;            ///< empty: found out
  std::vector<std::string> of;  ///< of a composite: strategies of its two parts; empty: found out
  bool json = false;
};

/// True if the input can only be states: each word has a bar, and hex and base64 have none.
bool looks_like_states(const std::vector<std::string>& input);

/// Explains each string. Of a file or standard input a line is a state, or a key, a tab and a
/// state. Error: an unknown strategy, or an input that cannot be read; one line.
base::Result<reports::ExitCode> decode_states(const StateDecoding& asked,
                                              const protocol::Readings& readings);

}  // namespace hallmark::cli
