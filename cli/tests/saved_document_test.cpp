#include "cli/html/saved_document.hpp"

#include <gmock/gmock.h>

namespace hallmark::cli {
namespace {

using testing::HasSubstr;

SavedDocument saved(const std::string& json) { return parse_document(json, "f").value().value(); }

constexpr const char* saved_matrix =
    R"({"format":"hallmark-kill-matrix","format_version":1,"complete":false,
        "mutants":[{"id":"a","killed_by":["x"]},{"id":"b","killed_by":[]}]})";

TEST(SavedDocument, AKillMatrixSaysHowManyWereKilled) {
  EXPECT_EQ(saved(saved_matrix).verdict, "SURVIVED  1 of 2 mutants killed");
  EXPECT_EQ(saved(saved_matrix).code, reports::ExitCode::failures);
  EXPECT_EQ(saved(saved_matrix).json, saved_matrix);
}

TEST(SavedDocument, AnInterruptedKillMatrixIsIncomplete) {
  const auto matrix = saved(
      R"({"format":"hallmark-kill-matrix","format_version":1,"complete":false,"interrupted":true,
          "mutants":[{"id":"a","killed_by":["x"]}]})");
  EXPECT_EQ(matrix.verdict, "INCOMPLETE  1 mutant killed; interrupted");
  EXPECT_EQ(matrix.code, reports::ExitCode::indeterminate);
}

TEST(SavedDocument, AnAuditSaysItsVerdict) {
  const auto audit = saved(
      R"({"format":"hallmark-audit","format_version":1,"exit_code":1,"verdict":"faulty",
          "store":"states.tsv","audit":{}})");
  EXPECT_EQ(audit.verdict, "FAULTY  states.tsv");
  EXPECT_EQ(audit.code, reports::ExitCode::failures);
}

TEST(SavedDocument, ACertifiedClientSaysHowManyPerturbationsItPassed) {
  const auto client = saved(
      R"({"format":"hallmark-certify-client","format_version":1,"verdict":"FAILED","exit_code":1,
          "counts":{"passed":7,"fails":2,"error":1},"perturbations":[]})");
  EXPECT_EQ(client.verdict, "FAILED  7 perturbations passed, 3 failed");
  EXPECT_EQ(client.code, reports::ExitCode::failures);
}

TEST(SavedDocument, OtherDocumentsAreLeftToOthers) {
  for (const char* json : {"", "[]", "{}", R"({"format":"hallmark-load"})"})
    EXPECT_FALSE(parse_document(json, "f").value()) << json;
}

TEST(SavedDocument, ADocumentThatIsNotWhatItSaysIsRefusedInOneLine) {
  const auto refusal = [](const char* json) { return parse_document(json, "f").error().message; };
  EXPECT_THAT(refusal(R"({"format":"hallmark-audit","format_version":2})"), HasSubstr("f: "));
  EXPECT_THAT(refusal(R"({"format":"hallmark-kill-matrix","format_version":1})"),
              HasSubstr("complete"));
}

}  // namespace
}  // namespace hallmark::cli
