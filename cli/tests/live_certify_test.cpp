#include "cli/live/live_certify.hpp"

#include <gtest/gtest.h>

#include "base/json.hpp"

namespace hallmark::cli {
namespace {

reports::CaseResult judged_case(const std::string& id, reports::Verdict verdict) {
  reports::CaseResult one;
  one.id = id;
  one.title = "title of " + id;
  one.operation = "QUERY";
  one.verdict = verdict;
  if (verdict == reports::Verdict::pass) return one;
  one.reason = "quota is 8, expected 7";
  one.code =
      reports::Code{.kind = reports::Code::Kind::wrong_field, .message = "QUERY", .field = "quota"};
  return one;
}

class LiveCertifyNews : public testing::Test {
 protected:
  base::Json result() {
    const auto event = live_.news(seen_);
    if (!event) return {};
    return base::parse_json(*event).value()["results"][std::size_t{0}];
  }
  void judge(const std::string& id, reports::Verdict verdict) {
    const std::vector<reports::CaseResult> cases{judged_case(id, verdict)};
    live_.add(cases);
  }

  LiveCertify live_{conformance::CertifyOptions{}};
  LivePosition seen_;
};

TEST_F(LiveCertifyNews, HaveNoFindingsWhileAllIsWell) {
  judge("a", reports::Verdict::pass);
  const base::Json first = result();
  EXPECT_EQ(first["cases"].size(), 1U);
  EXPECT_FALSE(first.contains("findings"));
}

TEST_F(LiveCertifyNews, HaveFindingsBeforeTheRunIsOver) {
  judge("a", reports::Verdict::pass);
  judge("b", reports::Verdict::fail);
  const base::Json first = result();
  ASSERT_EQ(first["findings"].size(), 1U);
  judge("c", reports::Verdict::pass);
  const base::Json second = result();
  EXPECT_EQ(second["cases"].size(), 1U);
  EXPECT_EQ(second["findings"].size(), 1U);  // an event brings all of them
}

TEST_F(LiveCertifyNews, TakeAFindingBackWhenItsCasePassesTheSecondTime) {
  judge("b", reports::Verdict::fail);
  EXPECT_EQ(result()["findings"].size(), 1U);
  judge("b", reports::Verdict::pass);
  EXPECT_FALSE(result().contains("findings"));
}

}  // namespace
}  // namespace hallmark::cli
