#pragma once
#include <span>
#include <string>

namespace hallmark::cli {

class Command;
struct LoadProcess;

/// Adds `hallmark report FILE…`; sets `exit_code` to that of the worst result when it runs.
void add_report_command(Command& app, int& exit_code);

/// Adds `hallmark serve`; sets `exit_code` to 0 after a signal stopped it, 2 when it could not
/// start.
void add_serve_command(Command& app, int& exit_code);

/// Adds `hallmark load TARGET`; sets `exit_code` when it runs.
void add_load_command(Command& app, int& exit_code);
/// The same for one of several processes that are one run.
void add_load_command(Command& app, int& exit_code, const LoadProcess& process);

/// Adds `hallmark vectors generate|check|list|show|convert`; sets `exit_code` when one of them
/// runs: 1 when `check` finds a difference.
void add_vectors_command(Command& app, int& exit_code);

/// Adds `hallmark decode [INPUT]`; sets `exit_code` when it runs: 1 when something could not be
/// decoded or paired.
void add_decode_command(Command& app, int& exit_code);

/// Adds `hallmark audit STORE`; sets `exit_code` when it runs.
void add_audit_command(Command& app, int& exit_code);

/// Adds `hallmark identify TARGET`; sets `exit_code` when it runs: 1 for what is no Throttr.
void add_identify_command(Command& app, int& exit_code);

/// Adds `hallmark readings [DIALECT]`; sets `exit_code` when it runs.
void add_readings_command(Command& app, int& exit_code);

/// Adds `hallmark certify TARGET`; sets `exit_code` when it runs.
void add_certify_command(Command& app, int& exit_code);

/// Adds `hallmark certify-client -- COMMAND…`; sets `exit_code` when it runs.
void add_certify_client_command(Command& app, int& exit_code);

/// Adds `hallmark verify FILE`; sets `exit_code` when it runs: 1 when the certificate is refuted or
/// the target had failed.
void add_verify_command(Command& app, int& exit_code);

/// Adds `hallmark proxy`; sets `exit_code` to 0 after a signal stopped it, 2 when it could not
/// start, 3 when what it was to write could not be written.
void add_proxy_command(Command& app, int& exit_code);

/// Adds `hallmark observe`; sets `exit_code` when a signal has ended it: 1 when a violation was
/// seen.
void add_observe_command(Command& app, int& exit_code);

/// Adds `hallmark export kaitai|wireshark`; sets `exit_code` when one of them runs.
void add_export_command(Command& app, int& exit_code);

/// Adds `hallmark clauses`; sets `exit_code` when it runs: 1 when a MUST has no case.
void add_clauses_command(Command& app, int& exit_code);

/// Adds `hallmark mutants run|localize`; sets `exit_code` when one of them runs: 1 when a mutant
/// survives, or when findings do not tell bugs apart.
void add_mutants_command(Command& app, int& exit_code);

/// Adds `hallmark schema [NAME]`; sets `exit_code` when it runs.
void add_schema_command(Command& app, int& exit_code);

/// Adds `hallmark man [COMMAND]`, whose pages are those of all commands of `app`, which has to
/// outlive the parsing; sets `exit_code` when it runs: 3 when a page cannot be written.
void add_man_command(Command& app, int& exit_code);

/// Adds `hallmark completion SHELL`; sets `exit_code` when it runs.
void add_completion_command(Command& app, int& exit_code);

/// True for `complete-words WORD…`, which the scripts of completion call. It is not a command: its
/// words are those of an unfinished command line, which nothing may parse.
bool completes_words(std::span<const std::string> arguments);
/// Prints what may follow such words.
void print_candidates(const Command& app, std::span<const std::string> arguments);

}  // namespace hallmark::cli
