#pragma once
// The members of every saved structure, named once for the writer and the reader. An archive is
// called with each key and member, or asked for a nested structure with `describe`.
#include <concepts>
#include <type_traits>

#include "reports/certify/identify_result.hpp"
#include "reports/result.hpp"

namespace hallmark::reports {

namespace json_fields {

inline constexpr std::string_view certify_format = "hallmark-certify";
inline constexpr std::string_view load_format = "hallmark-load";
inline constexpr std::string_view knee_format = "hallmark-knee";
inline constexpr std::string_view load_comparison_format = "hallmark-load-comparison";
inline constexpr std::string_view identify_format = "hallmark-identify";
inline constexpr std::uint64_t format_version = 1;
/// Since 2, requests without a reply count in the quantiles of a load.
inline constexpr std::uint64_t load_format_version = 2;

/// Above this, numbers lose digits in readers that keep them as doubles (2^53 - 1).
inline constexpr std::uint64_t max_plain_integer = 9007199254740991;

}  // namespace json_fields

/// A member that is null where it is not known, unlike an optional one, which is absent.
template <class T>
struct OrNull {
  T& value;
};
template <class T>
OrNull(T&) -> OrNull<T>;

/// A member that is absent where it is empty or zero: most results have none.
template <class T>
struct OrAbsent {
  T& value;
};
template <class T>
OrAbsent(T&) -> OrAbsent<T>;

/// A number that may be below zero, unlike all others.
template <class T>
struct Signed {
  T& value;
};
template <class T>
Signed(T&) -> Signed<T>;

/// T or const T: one description serves reading and writing.
template <class Value, class T>
concept Is = std::same_as<std::remove_const_t<Value>, T>;

void describe(auto& archive, Is<Option> auto& value) {
  archive("name", value.name);
  archive("value", value.value);
}

void describe(auto& archive, Is<ReadingAnswer> auto& value) {
  archive("reading", value.reading);
  archive("held", value.held);
  archive("told", value.told);
  archive("not_asked", OrAbsent{value.not_asked});
}

void describe(auto& archive, Is<RunHeader> auto& value) {
  archive("tool", value.tool);
  archive("version", value.version);
  archive("dialect", value.dialect);
  archive("width", value.width);
  archive("profile", value.profile);
  archive("readings", value.readings);
  archive("answers", value.answers);
  archive("notes", value.notes);
  archive("target", value.target);
  archive("started", value.started);
  archive("duration_ns", value.duration);
  archive("options", value.options);
}

void describe(auto& archive, Is<AnnotatedField> auto& value) {
  archive("path", value.path);
  archive("offset", value.offset);
  archive("length", value.length);
  archive("meaning", value.meaning);
  archive("wrong", value.wrong);
  archive("expected", value.expected);
}

void describe(auto& archive, Is<Exchange> auto& value) {
  archive("connection", value.connection);
  archive("direction", value.direction);
  archive("at_us", value.at);
  archive("bytes", value.bytes);
  archive("omitted", value.omitted);
  archive("expected", value.expected);
  archive("fields", value.fields);
}

void describe(auto& archive, Is<ProcessUse> auto& value) {
  archive("memory", value.memory);
  archive("descriptors", value.descriptors);
  archive("threads", value.threads);
  archive("cpu_ns", value.cpu);
}

void describe(auto& archive, Is<CaseResult> auto& value) {
  archive("id", value.id);
  archive("title", value.title);
  archive("operation", value.operation);
  archive("level", value.level);
  archive("clauses", value.clauses);
  archive("verdict", value.verdict);
  archive("duration_ns", value.duration);
  archive("reason", value.reason);
  archive("code", value.code);
  archive("likely_cause", value.likely_cause);
  archive("evidence", value.evidence);
  archive("reproduction", value.reproduction);
  archive("drawing", OrAbsent{value.drawing});
  archive("known", OrAbsent{value.known});
  archive("process", value.process);
  archive("repeated", OrAbsent{value.repeated});
}

void describe(auto& archive, Is<Repetitions> auto& value) {
  archive("failed", value.failed);
  archive("played", value.played);
}

void describe(auto& archive, Is<CertifyFinding> auto& value) {
  archive("id", value.id);
  archive("kind", value.kind);
  archive("sentence", value.sentence);
  archive("severity", value.severity);
  archive("clauses", value.clauses);
  archive("shown_by", value.shown_by);
  archive("script", value.script);
  archive("cases", value.cases);
  archive("repeated", OrAbsent{value.repeated});
  archive("seen_in", OrAbsent{value.seen_in});
}

void describe(auto& archive, Is<Death> auto& value) {
  archive("how", value.how);
  archive("hung", OrAbsent{value.hung});
  archive("at_ns", value.at);
  archive("lived_ns", value.lived);
  archive("output", value.output);
  archive("running", value.running);
  archive("cause", value.cause);
  archive("killer", value.killer);
  archive("conclusion", value.conclusion);
  archive("last_sent", value.last_sent);
}

void describe(auto& archive, Is<VerdictCounts> auto& value) {
  archive("pass", value.pass);
  archive("fail", value.fail);
  archive("indeterminate", value.indeterminate);
  archive("unsupported", value.unsupported);
  archive("error", value.error);
  archive("skipped", value.skipped);
  archive("known", OrAbsent{value.known});
  archive("unstable", OrAbsent{value.unstable});
}

/// Leaves out the summary and the exit code, which follow from the cases.
void describe(auto& archive, Is<UntestedRule> auto& value) {
  archive("line", value.line);
  archive("rule", value.rule);
  archive("part", value.part);
  archive("reason", value.reason);
}

void describe(auto& archive, Is<CertifyResult> auto& value) {
  archive("header", value.header);
  archive("suite", value.suite);
  archive("findings", OrAbsent{value.findings});
  archive("missing_operations", OrAbsent{value.missing_operations});
  archive("untested_rules", OrAbsent{value.untested_rules});
  archive("run_error", value.run_error);
  archive("interrupted", value.interrupted);
  archive("cases", value.cases);
  archive("deaths", OrAbsent{value.deaths});
  archive("process", value.process);
}

void describe(auto& archive, Is<Clue> auto& value) {
  archive("sent", value.sent);
  archive("came", value.came);
  archive("shows", value.shows);
}

void describe(auto& archive, Is<Finding> auto& value) {
  archive("subject", value.subject);
  archive("answer", value.answer);
  archive("clues", value.clues);
}

/// Leaves out the exit code, which follows from the rest.
void describe(auto& archive, Is<IdentifyResult> auto& value) {
  archive("header", value.header);
  archive("stranger", value.stranger);
  archive("findings", value.findings);
}

}  // namespace hallmark::reports
