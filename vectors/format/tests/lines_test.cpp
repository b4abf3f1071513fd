#include "vectors/format/lines.hpp"

#include <gmock/gmock.h>

#include "base/tests/parsed.hpp"

namespace hallmark::vectors {
namespace {

using base::test::parsed;

/// Members of the file and of vectors, steps, and the items of a member that is long.
TEST(Lines, AreMembersAndSteps) {
  const std::string clause(60, 'c');
  const auto file = parsed(R"({"format": 3, "flags": {"a": "b"}, "vectors": [{"id": "x", "keys": [],
      "clauses": [")" + clause +
                           R"(", ")" + clause +
                           R"("], "steps": [{"on": "a", "n": [1, 2]}, {"on": "b"}]}]})");
  EXPECT_EQ(in_lines(file), R"({
 "format": 3,
 "flags": {"a": "b"},
 "vectors": [
  {
   "id": "x",
   "keys": [],
   "clauses": [
    ")" + clause + R"(",
    ")" + clause + R"("
   ],
   "steps": [
    {"on": "a", "n": [1, 2]},
    {"on": "b"}
   ]
  }
 ]
}
)");
}

/// However long it is.
TEST(Lines, HaveAStepWhole) {
  const std::string hex(5'000, '0');
  const auto file = parsed(R"({"vectors": [{"steps": [{"hex": ")" + hex + R"("}]}]})");
  EXPECT_THAT(in_lines(file), ::testing::HasSubstr("    {\"hex\": \"" + hex + "\"}\n"));
}

TEST(Lines, ReadBackAsTheyWere) {
  const auto file =
      parsed(R"({"a": "\u001b\"\\", "vectors": [{"steps": [], "b": {"c": [null, true]}}]})");
  EXPECT_EQ(parsed(in_lines(file)), file);
}

}  // namespace
}  // namespace hallmark::vectors
