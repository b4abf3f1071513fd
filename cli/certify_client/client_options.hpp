#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/decode/format_options.hpp"
#include "cli/options/verbosity.hpp"
#include "clients/run/certify_client.hpp"

namespace hallmark::cli {

/// The options of `hallmark certify-client`, as they were typed.
struct CertifyClientArguments {
  FormatArguments format;
  std::vector<std::string> command;
  std::vector<std::string> filters;
  bool list = false;
  unsigned jobs = 2;
  std::uint64_t seed = 1;
  std::string timeout;  ///< empty: by the baseline
  std::string json;
  std::string junit;
  std::string html;
  std::string packets;  ///< a pcapng file; empty: none
  Verbosity verbosity;
};

void add_certify_client_options(Command& command, CertifyClientArguments& arguments);

/// Checks everything that can be checked before the command is run. Error: one line.
base::Result<clients::RunOptions> read_certify_client_options(
    const CertifyClientArguments& arguments);

}  // namespace hallmark::cli
