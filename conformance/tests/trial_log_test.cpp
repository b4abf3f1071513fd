#include "conformance/isolation/trial_log.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hallmark::conformance::testing {
namespace {

using Harm = Deviation::Harm;

const Series opcodes{"opcode", "opcodes"};
const Series inserts{"INSERT cut at byte", "INSERTs cut at bytes", "INSERT"};
const Series queries{"QUERY cut at byte", "QUERYs cut at bytes", "QUERY"};
const Deviation kills{Harm::kills, {.kind = Code::Kind::crash}, {}};

Input numbered_input(const Series& series, std::uint64_t number) {
  return {series, fmt::format("{}", number), number};
}

Deviation wrong(const std::string& field, const std::string& reason) {
  return {
      Harm::other, {.kind = Code::Kind::wrong_field, .message = "QUERY", .field = field}, reason};
}

TEST(TrialLog, NamesNeighboursAsARange) {
  TrialLog log;
  for (const std::uint64_t number : {1U, 2U, 5U, 6U, 7U, 9U})
    log.note(numbered_input(opcodes, number), kills);
  EXPECT_EQ(log.reason({}), "opcodes 1, 2, 5..7, 9 kill the process");
  EXPECT_EQ(text_of(log.code()), "crash - opcode-1,2,5..7,9");
}

TEST(TrialLog, NamesTheOperationThatAllInputsHave) {
  TrialLog log;
  log.note(numbered_input(inserts, 3), kills);
  EXPECT_EQ(text_of(log.code()), "crash INSERT cut-at-byte-3");
  log.note(numbered_input(queries, 4), kills);
  EXPECT_EQ(log.reason({}), "INSERT cut at byte 3, QUERY cut at byte 4 kill the process");
  EXPECT_EQ(text_of(log.code()), "crash - INSERT-cut-at-byte-3,QUERY-cut-at-byte-4");
}

TEST(TrialLog, TellsTheWorstFirst) {
  TrialLog log;
  log.note(numbered_input(opcodes, 1), wrong("quota", "is answered with 2, 1 was expected"));
  log.note(numbered_input(opcodes, 2),
           {Harm::silences, {.kind = Code::Kind::silent}, "all is silent"});
  log.note(numbered_input(opcodes, 3), {Harm::hangs, {.kind = Code::Kind::hang}, {}});
  log.note(numbered_input(opcodes, 4), kills);
  EXPECT_EQ(log.reason({}),
            "opcode 4 kills the process; opcode 3 hangs the target; after opcode 2 all is silent; "
            "opcode 1 is answered with 2, 1 was expected");
}

TEST(TrialLog, TellsTwoThingsApartThatAreWrong) {
  TrialLog log;
  log.note(numbered_input(opcodes, 1), wrong("quota", "quota is 3; 4 was possible"));
  log.note(numbered_input(opcodes, 2), wrong("ttl", "ttl is 3"));
  log.note(numbered_input(opcodes, 3), wrong("quota", "quota is 5; 4 was possible"));
  EXPECT_EQ(log.reason({}),
            "opcodes 1, 3: quota is 3, 4 was possible (the first of them); opcode 2: ttl is 3");
  EXPECT_EQ(text_of(log.code()),
            "wrong-field QUERY.quota opcode-1,3 + wrong-field QUERY.ttl opcode-2");
}

TEST(TrialLog, SaysThatSeveralAreAnsweredAlike) {
  TrialLog log;
  log.note(numbered_input(opcodes, 1), wrong("status", "is answered with 00, 01 was expected"));
  log.note(numbered_input(opcodes, 2), wrong("status", "is answered with 00, 01 was expected"));
  EXPECT_EQ(log.reason({}), "opcodes 1, 2 are answered with 00, 01 was expected");
}

TEST(TrialLog, NamesAnInputOnce) {
  TrialLog log;
  log.note(numbered_input(opcodes, 1), kills);
  log.note(numbered_input(opcodes, 1), kills);
  EXPECT_EQ(log.reason({}), "opcode 1 kills the process");
}

TEST(TrialLog, CountsWhatWouldBeTooMuchToName) {
  TrialLog log;
  for (std::uint64_t number = 0; number < 22; number += 2)
    log.note(numbered_input(opcodes, number), kills);
  EXPECT_EQ(log.reason({}), "opcodes 0, 2, 4, 6, 8, 10, 12, 14 and 3 more kill the process");
  EXPECT_EQ(text_of(log.code()), "crash - opcode-0,2,4,6,8,10,12,14,+3");
}

TEST(TrialLog, NamesWhatOperationsHaveInCommonOnce) {
  TrialLog log;
  for (const Series& series : {inserts, queries}) {
    for (const std::uint64_t number : {3U, 5U, 6U, 7U})
      log.note(numbered_input(series, number), kills);
  }
  EXPECT_EQ(log.reason({}), "INSERTs, QUERYs cut at bytes 3, 5..7 kill the process");
}

TEST(TrialLog, NamesFewerInputsOfSeveralSeries) {
  TrialLog log;
  for (std::uint64_t number = 0; number < 10; number += 2)
    log.note(numbered_input(inserts, number), kills);
  for (std::uint64_t number = 1; number < 11; number += 2)
    log.note(numbered_input(queries, number), kills);
  EXPECT_EQ(log.reason({}),
            "INSERTs cut at bytes 0, 2, 4 and 2 more, QUERYs cut at bytes 1, 3, 5 and 2 more kill "
            "the process");
}

TEST(TrialLog, NamesWhatWasNotTried) {
  TrialLog log;
  log.note(numbered_input(opcodes, 1), kills);
  for (const std::uint64_t number : {2U, 3U, 4U}) log.note_untried(numbered_input(opcodes, number));
  EXPECT_EQ(log.reason("the target is gone"),
            "opcode 1 kills the process; opcodes 2..4 were not tried: the target is gone");
  EXPECT_FALSE(log.is_complete());
}

}  // namespace
}  // namespace hallmark::conformance::testing
