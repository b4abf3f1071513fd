#include "cli/completion/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/certify/case_choice.hpp"
#include "cli/decode/format_options.hpp"
#include "cli/load/workload_file.hpp"
#include "cli/options/names.hpp"
#include "cli/schema/schema.hpp"
#include "cli/vectors/vectors_directory.hpp"
#include "conformance/engine/run_header.hpp"
#include "protocol/dialects.hpp"
#include "reference/faults/catalogue.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/state_json.hpp"

namespace hallmark::cli {
namespace {

using protocol::Dialect;

Candidates fixed_values(std::initializer_list<std::string_view> texts) {
  Candidates made;
  for (const std::string_view text : texts) made.all.push_back({std::string(text)});
  return made;
}

/// The dialect that the line names; without one, all.
std::vector<const Dialect*> dialects_on(const TypedLine& line) {
  const auto named = dialect_named(line.value_of("--dialect"));
  if (named) return {*named};
  return {protocol::all_dialects.begin(), protocol::all_dialects.end()};
}

/// The dialect that the line names; without one, that which `serve` speaks.
const Dialect& dialect_on(const TypedLine& line) {
  const auto named = dialect_named(line.value_of("--dialect"));
  return named ? **named : **dialect_named(FormatArguments().dialect);
}

protocol::Width width_on(const TypedLine& line, const Dialect& dialect) {
  const auto named = width_named(dialect, line.value_of("--width"));
  return named ? *named : default_width(dialect);
}

/// Certify, identify and load find out by themselves what is not pinned.
void add_auto(Candidates& candidates, const TypedLine& line) {
  if (line.command->name.ends_with(" certify") || line.command->name.ends_with(" load"))
    candidates.all.push_back({std::string(automatic), "found out from the target"});
}

Candidates dialect_values(const TypedLine& line) {
  Candidates made;
  for (const Dialect* const dialect : protocol::all_dialects)
    made.all.push_back({std::string(dialect->name), std::string(dialect->document)});
  add_auto(made, line);
  return made;
}

Candidates width_values(const TypedLine& line) {
  Candidates made;
  std::set<std::string_view> names;
  for (const Dialect* const dialect : dialects_on(line)) {
    for (const protocol::Width width : dialect->widths) {
      const std::string_view name = protocol::name_of(width);
      if (width != protocol::Width::none && names.insert(name).second)
        made.all.push_back({std::string(name)});
    }
  }
  add_auto(made, line);
  return made;
}

Candidates profile_values(const TypedLine& line) {
  Candidates made;
  made.all = {{"deployed", "as released servers answer"}, {"literal", "as the text says"}};
  add_auto(made, line);
  return made;
}

/// Leaves out a second candidate of the same text.
void add_once(Candidates& candidates, std::set<std::string>& seen, Candidate one) {
  if (seen.insert(one.text).second) candidates.all.push_back(std::move(one));
}

Candidates reading_values(const TypedLine& line) {
  Candidates made;
  std::set<std::string> seen;
  for (const Dialect* const dialect : dialects_on(line)) {
    for (const protocol::Reading& reading : dialect->readings) {
      for (const protocol::Answer& answer : reading.answers) {
        if (answer.served == protocol::Served::no) continue;
        add_once(made, seen,
                 {fmt::format("{}={}", reading.id, answer.id), std::string(answer.meaning)});
      }
    }
  }
  return made;
}

Candidates clause_values(const TypedLine& line) {
  Candidates made;
  std::set<std::string> seen;
  for (const Dialect* const dialect : dialects_on(line)) {
    for (const protocol::Clause& clause : dialect->clauses)
      add_once(made, seen, {std::string(clause.id), std::string(clause.text)});
  }
  return made;
}

Candidates operation_values(const TypedLine& line) {
  Candidates made;
  std::set<std::string> seen;
  for (const Dialect* const dialect : dialects_on(line)) {
    for (const protocol::Operation& operation : dialect->operations)
      add_once(made, seen, {fmt::format("{}", operation.name)});
  }
  return made;
}

/// The cases that such a target would be asked.
Candidates case_values(const TypedLine& line) {
  const Dialect& dialect = dialect_on(line);
  const conformance::Asked asked{&dialect, width_on(line, dialect)};
  Candidates made;
  const auto choice = CaseChoice::read(default_vectors_directory(), {}, {}, asked);
  if (!choice) return made;
  const auto chosen = choice->chosen(
      {*asked.width, conformance::readings_with_pins(asked, protocol::Profile::deployed)});
  if (!chosen) return made;
  for (conformance::CaseEntry& entry : conformance::entries_of(*chosen))
    made.all.push_back({std::move(entry.id), std::move(entry.title)});
  return made;
}

void add_vectors(Candidates& candidates, const Dialect& dialect, protocol::Width width) {
  const auto files = vectors::load_directory(default_vectors_directory(), dialect.name, width);
  if (!files) return;
  for (const vectors::VectorFile& file : *files) {
    for (const vectors::Vector& vector : file.vectors)
      candidates.all.push_back({vector.id, vector.title});
  }
}

void add_state_vectors(Candidates& candidates) {
  const auto files = vectors::load_state_directory(default_vectors_directory());
  if (!files) return;
  for (const vectors::StateVectorFile& file : *files) {
    for (const vectors::StateVector& vector : file.vectors)
      candidates.all.push_back({vector.id, vector.title});
  }
}

/// An id begins with its dialect: the files of others are not read.
Candidates vector_id_values(const TypedLine& line) {
  Candidates made;
  for (const Dialect* const dialect : protocol::all_dialects) {
    const std::string prefix = std::string(dialect->name) + "/";
    if (!line.word.starts_with(prefix)) {
      made.all.push_back({prefix, std::string(dialect->document)});
    } else if (dialect->transport == protocol::Transport::at_rest) {
      add_state_vectors(made);
    } else {
      for (const protocol::Width width : dialect->widths) add_vectors(made, *dialect, width);
    }
  }
  return made;
}

/// Patterns of ids.
Candidates id_values(const TypedLine& line) {
  if (line.command->name.ends_with("vectors list")) return vector_id_values(line);
  return line.command->name.ends_with(" certify") ? case_values(line) : Candidates{};
}

Candidates mutant_values(const TypedLine&) {
  Candidates made;
  for (const faults::Bug& bug : faults::all_bugs())
    made.all.push_back({std::string(bug.id), std::string(bug.breaks)});
  return made;
}

Candidates workload_values(const TypedLine&) {
  Candidates made;
  made.paths = Paths::files;
  for (std::string& name : names_of_shipped_workloads()) made.all.push_back({std::move(name)});
  return made;
}

Candidates schema_values(const TypedLine&) {
  Candidates made;
  for (const std::string& name : schema_names()) made.all.push_back({name});
  return made;
}

Candidates target_values(const TypedLine& line) {
  if (line.command->name.ends_with(" load"))
    return fixed_values(
        {"tcp://127.0.0.1:", "unix:///", "udp://127.0.0.1:", "redis://", "postgres://"});
  if (line.command->name.ends_with(" proxy")) return fixed_values({"udp://127.0.0.1:"});
  return fixed_values({"tcp://127.0.0.1:", "unix:///", "udp://127.0.0.1:", "exec:", "pipe:"});
}

Candidates listener_values(const TypedLine&) {
  return fixed_values({"tcp://127.0.0.1:", "unix:///", "udp://127.0.0.1:"});
}

Candidates store_values(const TypedLine&) {
  Candidates made = fixed_values({"redis://", "redis+unix:///", "postgres://"});
  made.paths = Paths::files;
  return made;
}

Candidates any_file_value(const TypedLine&) { return {.all = {}, .paths = Paths::files}; }

struct Known {
  std::string_view name;
  Candidates (*values)(const TypedLine&);
};

constexpr Known known_values[] = {
    {"--dialect", dialect_values},
    {"--width", width_values},
    {"--profile", profile_values},
    {"--reading", reading_values},
    {"--clause", clause_values},
    {"--operation", operation_values},
    {"--filter", id_values},
    {"--exclude", id_values},
    {"--level",
     [](const TypedLine&) {
       return fixed_values({"MUST", "SHOULD", "MAY"});
     }},
    {"--estimator", [](const TypedLine&) { return fixed_values({"exponential"}); }},
    {"--arrivals",
     [](const TypedLine&) {
       return fixed_values({"constant", "poisson"});
     }},
    {"--mutant", mutant_values},
    {"--workload", workload_values},
    {"--listen", listener_values},
    {"--target", target_values},
    {"--versus", target_values},
    {"TARGET", target_values},
    {"STORE", store_values},
    {"DIALECT", dialect_values},
    {"ID", vector_id_values},
    {"SCHEMA", schema_values},
    {"SHELL",
     [](const TypedLine&) {
       return fixed_values({"bash", "fish", "zsh"});
     }},
    {"FILE", any_file_value},
    {"INPUT", any_file_value},
    {"OLD", any_file_value},
    {"NEW", any_file_value},
};

}  // namespace

Candidates values_of(const OptionDescription& option, const TypedLine& line) {
  std::vector<std::string_view> names{option.positional};
  names.insert(names.end(), option.names.begin(), option.names.end());
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(known_values, name, &Known::name);
    if (found != std::end(known_values)) return found->values(line);
  }
  if (option.value == "FILE") return {.all = {}, .paths = Paths::files};
  if (option.value == "DIR") return {.all = {}, .paths = Paths::directories};
  return {};
}

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names;
  for (const Known& one : known_values) names.push_back(one.name);
  return names;
}

}  // namespace hallmark::cli
