#include "conformance/identify/identification.hpp"

#include <gtest/gtest.h>

#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {
namespace {

using protocol::Width;

Identification known() {
  Identification made;
  made.dialect = &protocol::throttr_7_3;
  made.width = Width::u16;
  return made;
}

TEST(Identification, SaysWhichOptionsAreRight) {
  EXPECT_EQ(known().spoken(), "throttr-7.3 u16");
  EXPECT_EQ(known().advice(),
            "the target answers as throttr-7.3 u16: --dialect throttr-7.3 --width u16");
}

TEST(Identification, SaysWhatWasFoundAndHowToPinIt) {
  EXPECT_EQ(found_line(protocol::throttr_2_0, Width::u64),
            "found by its replies: throttr-2.0 u64; --dialect throttr-2.0 --width u64 pins it");
}

TEST(Identification, SaysWhyItIsNotKnown) {
  Identification made;
  made.findings = {{"dialect", "", {{"WHOAMI: 18", "00", "a whole message of both"}}}};
  EXPECT_EQ(made.why_unknown(false),
            "the dialect of the target could not be told: its messages fit none; "
            "WHOAMI: 18 was answered 00: a whole message of both");
  made.possible = {&protocol::throttr_7_1, &protocol::throttr_7_3};
  EXPECT_EQ(made.why_unknown(true),
            "--dialect has to say what the target speaks: its messages fit throttr-7.1 and "
            "throttr-7.3; WHOAMI: 18 was answered 00: a whole message of both");
  made.findings.clear();
  EXPECT_EQ(made.why_unknown(false),
            "the dialect of the target could not be told: its messages fit throttr-7.1 and "
            "throttr-7.3");
  made.stranger = "it said nothing";
  EXPECT_EQ(made.why_unknown(false), "the target is no Throttr: it said nothing");
  EXPECT_EQ(made.why_unknown(true),
            "the target is no Throttr, unless --dialect and --width say so: it said nothing");
}

}  // namespace
}  // namespace hallmark::conformance::testing
