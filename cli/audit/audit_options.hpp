#pragma once

#include <cstdint>
#include <string>

#include "audit/run.hpp"

namespace hallmark::cli {

class Command;

/// The options of `hallmark audit` as they were typed; everything is checked when they are read.
struct AuditArguments {
  std::string store;
  std::string match = "*";
  stores::Table table{};
  std::string timeout = "5s";
  std::size_t batch = 1000;
  std::size_t remember = 4'000'000;
  std::string config;
  std::string strategy, primary, secondary;
  std::string quota;
  std::string now;  ///< empty: the clock's
  std::string skew = "5s";
  std::string horizon = "365d";
  std::string oldest = "365d";
  std::size_t examples = 5;
  std::string list;
  std::string json;
  std::string html;
  bool migrate = false;
  bool dry_run = false;
  bool allow_empty = false;
};

void add_audit_options(Command& command, AuditArguments& arguments);

/// The options of an audit, checked.
struct AuditOptions {
  audit::Source source{};
  audit::Rules rules{};
  audit::RunOptions run{};
};

/// Error: one line that says what came and what is allowed.
base::Result<AuditOptions> read_audit_options(const AuditArguments& arguments);

/// Returns nanoseconds. Reads what base::parse_duration reads and also whole days (`30d`), up to
/// 100,000 of them.
base::Result<std::int64_t> parse_age(const std::string& text);

}  // namespace hallmark::cli
