#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "loadgen/engine/run.hpp"

namespace hallmark::cli {

class Command;

/// The options for how the client of a load run uses its machine, as typed.
struct ClientArguments {
  std::uint64_t most_in_flight = 0;  ///< 0: no limit
  bool pinned = false;
  bool spinning = false;
  std::vector<std::string> sources = {};
};

/// Adds --max-in-flight, --pin, --spin and --from.
void add_client_options(Command& command, ClientArguments& arguments);

/// `options` has its target already. Errors: one line.
base::Result<void> read_client_options(const ClientArguments& arguments,
                                       loadgen::LoadOptions& options);

}  // namespace hallmark::cli
