#pragma once

#include <string>

#include "cli/certify/expectations.hpp"
#include "cli/decode/format_options.hpp"
#include "cli/options/verbosity.hpp"
#include "conformance/engine/certify.hpp"
#include "conformance/engine/suite.hpp"

namespace hallmark::cli {

class Command;

/// The command line as it was typed; everything is checked when the command runs.
struct CertifyArguments {
  std::string target;
  FormatArguments format{.dialect = std::string(automatic), .profile = std::string(automatic)};
  std::string vectors;
  conformance::Filter filter;
  unsigned jobs = 8;  // most of what a case does is wait for the target
  std::string deadline = "5s";
  std::string rules;
  std::string estimator;
  std::vector<std::string> key_patterns;
  bool list = false;
  bool slow = false;
  bool exclusive = false;
  bool polite = false;
  std::string ports;  ///< empty: those of ExecEndpoint
  std::uint64_t seed = 0;
  std::string json;
  Verbosity verbosity;
  std::string html;
  std::string live;  ///< the address of the live page; empty: none
  std::string junit;
  std::string tap;
  std::string badge;
  bool github = false;
  std::string certificate;
  std::string packets;  ///< a pcapng file; empty: none
  std::string reproductions;
  ExpectationArguments expectations;
};

/// The options of `hallmark certify`.
void add_certify_options(Command& command, CertifyArguments& arguments);

/// Reads the options of a certify run. Error: one line with what came and what is allowed.
base::Expected<conformance::CertifyOptions, std::string> read_certify_options(
    const CertifyArguments& arguments);

}  // namespace hallmark::cli
