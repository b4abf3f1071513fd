#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/tests/fault_prediction.hpp"
#include "conformance/tests/rounds_tried.hpp"
#include "protocol/dialects.hpp"
#include "protocol/mutate.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::Verdict;

/// The delivery of the vector as a unit of its own.
Unit delivered(const vectors::Vector& vector, Delivery delivery) {
  Unit unit = unit_of_vector(vector);
  std::erase_if(unit.cases, [&](const CaseEntry& entry) { return entry.delivery != delivery; });
  return unit;
}

class FaultAtEveryStep : public ::testing::TestWithParam<FaultKind> {};

TEST_P(FaultAtEveryStep, OfAVectorGivesItsVerdict) {
  expect_predicted(delivered(sample_vector(), Delivery::whole), {format_u16(), {"a", "b"}},
                   GetParam());
}

TEST_P(FaultAtEveryStep, OfAVectorInEachDeliveryGivesItsVerdict) {
  for (const Delivery delivery : all_deliveries) {
    SCOPED_TRACE(suffix_of(delivery));
    expect_predicted(delivered(pipelinable_vector(), delivery), {format_u16(), {"a"}}, GetParam());
  }
}

TEST_P(FaultAtEveryStep, OfABehaviourGivesItsVerdict) {
  const std::pair<const char*, std::vector<std::string>> rows[] = {
      {"insert/adds-a-counter", {"c1"}},
      {"publish/to-each-once-in-order", {"s0", "s1", "s2", "s3", "other", "publisher"}},
      {"ttl/milliseconds", {"c1"}},
      {"stream/half-a-request", {"slow", "quick"}}};
  for (const auto& [name, connections] : rows) {
    SCOPED_TRACE(name);
    expect_predicted(unit_of_behaviour(name), {format_u16(), connections}, GetParam());
  }
}

TEST_P(FaultAtEveryStep, OfABehaviourInOtherDialectsGivesItsVerdict) {
  struct Row {
    const WireFormat& format;
    const char* name;
    std::vector<std::string> connections;
  };
  const Row rows[] = {{format_2_0(), "request-id/doubled", {"c1", "c2"}},
                      {format_2_0(), "stream/pipelined", {"c1"}},
                      {format_7_3(), "publish/between-replies", {"subscriber", "publisher"}}};
  for (const auto& [format, name, connections] : rows) {
    SCOPED_TRACE(name);
    expect_predicted(unit_of_behaviour(name, format), {format, connections}, GetParam());
  }
}

/// A byte in hexadecimal.
Input input_of_byte(const Series& series, unsigned byte) {
  return {series, fmt::format("{:02x}", byte), byte};
}

/// The opcodes that no version defines, as the case that sends them names them.
std::vector<Input> unknown_opcodes() {
  std::set<unsigned> defined;
  for (const protocol::Dialect* const dialect : protocol::throttr_dialects) {
    for (const protocol::Operation& operation : dialect->operations)
      defined.insert(operation.opcode);
    for (const protocol::Push& push : dialect->pushes) defined.insert(push.opcode);
  }
  const Series opcodes{"opcode", "opcodes", "opcode"};
  std::vector<Input> unknown;
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    if (!defined.contains(opcode)) unknown.push_back(input_of_byte(opcodes, opcode));
  }
  return unknown;
}

TEST_P(FaultAtEveryStep, OfUnknownOpcodesGivesItsVerdict) {
  expect_predicted(unit_of_behaviour("robustness/unknown-opcodes"),
                   {format_u16(), {"wrong"}, unknown_opcodes(), "the end of the connection"},
                   GetParam());
}

/// The TTL types that version 2.0 does not list, in the order of the mutations of an INSERT.
std::vector<Input> unlisted_ttl_types() {
  const Series types{"INSERT with the ttl_type", "INSERTs with the ttl_type", "INSERT"};
  const Outgoing request = encoded(format_2_0(), insert("key", 5));
  std::vector<Input> unlisted;
  for (const auto& mutation :
       protocol::mutations(format_2_0().request(*request.operation), request.bytes)) {
    if (mutation.id.starts_with("unlisted") && mutation.field == "ttl_type")
      unlisted.push_back(input_of_byte(types, mutation.bytes[mutation.offset]));
  }
  return unlisted;
}

TEST_P(FaultAtEveryStep, OfUnlistedTtlTypesGivesItsVerdict) {
  expect_predicted(unit_of_behaviour("robustness/unlisted-ttl-types", format_2_0()),
                   {format_2_0(), {"wrong"}, unlisted_ttl_types(), "01"}, GetParam());
}

/// A run, and how its cases end.
struct WholeRun {
  explicit WholeRun(std::optional<Fault> fault) {
    if (fault) simulation.network.inject(*fault);
    Suite suite;
    for (const Delivery delivery : all_deliveries) {
      Unit unit = delivered(sample_vector(), delivery);
      if (!unit.cases.empty()) suite.push_back(std::move(unit));
    }
    suite.push_back(unit_of_behaviour("query/missing"));
    CertifyOptions options;
    options.schedule.jobs = 1;
    result = certify_over(simulation.network, format_u16(), suite, options);
  }

  std::map<std::string, Ending> endings() const {
    std::map<std::string, Ending> all;
    for (const auto& one : result.cases) all[one.id] = {one.verdict, one.reason};
    return all;
  }

  Simulation simulation;
  reports::CertifyResult result;
};

/// The operations of each case of a run.
struct PlayedPart {
  std::string id;
  std::size_t begin;
  std::size_t end;
};

std::vector<PlayedPart> played_parts(const WholeRun& run) {
  std::vector<PlayedPart> played;
  const auto& parts = run.simulation.network.parts();
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i].begin < parts[i + 1].begin)
      played.push_back({parts[i].name, parts[i].begin, parts[i + 1].begin});
  }
  return played;
}

/// Returns the state of the target once a fault of that kind has been found.
Loss loss_by(FaultKind kind) {
  if (kind == FaultKind::stall) return Loss::hangs;
  return kind == FaultKind::refuse ? Loss::gone : Loss::none;
}

/// Predicts how each case ends. A fault of one connection only affects the case that is played. A
/// target that stalls or refuses connections is asked nothing more behind the case that finds it
/// so. Returns nothing if the prediction is not certain.
std::optional<std::map<std::string, Ending>> predicted_endings(const WholeRun& healthy,
                                                               Fault fault) {
  const Loss loss = loss_by(fault.kind);
  bool lost = false;
  std::map<std::string, Ending> all;
  for (const PlayedPart& part : played_parts(healthy)) {
    const bool sane = part.id.find("/sanity/") != std::string::npos ||
                      part.id.find("query/missing") != std::string::npos;
    const FaultScenario scenario{
        format_u16(), sane ? std::vector<std::string>{"c1"} : std::vector<std::string>{"a", "b"}};
    const FaultPrediction prediction(scenario, healthy.simulation.network.history(), part.begin,
                                     part.end);
    const bool here = fault.at >= part.begin && fault.at < part.end;
    if (here && !prediction.is_certain(fault)) return std::nullopt;
    Ending& ending = all[part.id];
    if (here) ending = prediction.of(fault);
    if (loss != Loss::none && fault.at < part.begin)
      ending = prediction.of({fault.kind, part.begin});
    if (lost) ending = {Verdict::skipped, "not played: " + in_words(loss)};
    lost |= loss != Loss::none && ending.verdict != Verdict::pass;
  }
  return all;
}

reports::ExitCode exit_code_of(const std::map<std::string, Ending>& endings) {
  const auto any = [&](Verdict verdict) {
    return std::ranges::any_of(endings,
                               [&](const auto& one) { return one.second.verdict == verdict; });
  };
  if (any(Verdict::fail)) return reports::ExitCode::failures;
  if (any(Verdict::error) || any(Verdict::skipped))
    return reports::ExitCode::unreachable_or_harness_error;
  return reports::ExitCode::as_expected;
}

TEST_P(FaultAtEveryStep, OfAWholeRunGivesItsReport) {
  const WholeRun healthy(std::nullopt);
  ASSERT_EQ(reports::exit_code(healthy.result), reports::ExitCode::as_expected);
  // Before the first case, the run only sees that there is somebody who answers: it connects, and
  // then two connections ask and are answered, one beside the other.
  const std::size_t begin = healthy.simulation.network.parts().front().begin;
  ASSERT_EQ(begin, 7U);
  for (std::size_t at = begin; at < healthy.simulation.network.operations(); ++at) {
    if (!is_tried(at)) continue;
    SCOPED_TRACE(at);
    const WholeRun run(Fault{GetParam(), at});
    const auto predicted = predicted_endings(healthy, {GetParam(), at});
    if (!predicted) continue;
    EXPECT_EQ(run.endings(), *predicted);
    const std::string loss = in_words(loss_by(GetParam()));
    const bool lost = std::ranges::any_of(
        run.result.cases, [](const auto& one) { return one.verdict != Verdict::pass; });
    EXPECT_EQ(run.result.run_error.substr(0, loss.size()), lost ? loss : "");
    if (!run.result.run_error.empty()) continue;
    EXPECT_EQ(reports::exit_code(run.result), exit_code_of(*predicted));
    EXPECT_LE(run.result.header.duration.count(),
              static_cast<std::int64_t>(Patience::budget(test_deadline) + 2 * test_deadline));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, FaultAtEveryStep, ::testing::ValuesIn(all_faults),
                         [](const auto& row) { return name_of(row.param); });

TEST(FaultInjection, WhenConnectingForTheFirstTimeIsTheErrorOfTheRun) {
  EXPECT_EQ(WholeRun(Fault{FaultKind::refuse, 0}).result.run_error, "Connection refused");
  EXPECT_EQ(WholeRun(Fault{FaultKind::stall, 0}).result.run_error, "no answer in time");
  EXPECT_TRUE(WholeRun(Fault{FaultKind::stall, 0}).result.cases.empty());
}

TEST(FaultInjection, AfterTheLastStepChangesNothing) {
  const Unit unit = delivered(sample_vector(), Delivery::whole);
  Simulation healthy;
  healthy.play(unit);
  Simulation simulation;
  simulation.network.inject({FaultKind::reset, healthy.network.operations()});
  EXPECT_EQ(simulation.play(unit).front().verdict, Verdict::pass);
}

}  // namespace
}  // namespace hallmark::conformance::testing
