#include "conformance/certificate/packet_file.hpp"

#include <gmock/gmock.h>

#include "base/hex.hpp"
#include "base/tests/temporary_directory.hpp"

namespace hallmark::certificate {
namespace {

using base::test::TemporaryDirectory;
using conformance::Crossing;
using conformance::Packed;
using conformance::Part;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Crossing crossing(Crossing::Kind kind, std::string_view hex = {}) {
  Crossing made;
  made.kind = kind;
  made.link = 1;
  made.took = 1000;
  made.bytes = Packed(*base::from_hex(hex));
  return made;
}

/// A QUERY whose reply has a wrong quota.
Part query_part() {
  Part part;
  part.name = "throttr-7.1/u16/query/typical";
  part.crossings = {crossing(Crossing::Kind::open), crossing(Crossing::Kind::send, "0203616263"),
                    crossing(Crossing::Kind::receive, "010400041e00"),
                    crossing(Crossing::Kind::close)};
  return part;
}

reports::CertifyResult failed_query() {
  reports::CertifyResult result;
  result.header.dialect = "throttr-7.1";
  result.header.target = "tcp://127.0.0.1:9123";
  reports::CaseResult one;
  one.id = "throttr-7.1/u16/query/typical";
  one.verdict = reports::Verdict::fail;
  one.reason = "quota is 4, expected 5";
  reports::Exchange exchange;
  exchange.direction = reports::Direction::received;
  exchange.bytes = *base::from_hex("010400041e00");
  reports::AnnotatedField quota;
  quota.path = "quota";
  quota.meaning = "4";
  quota.wrong = true;
  quota.expected = "5";
  exchange.fields = {quota};
  one.evidence = {exchange};
  result.cases = {one};
  return result;
}

std::string written(const reports::CertifyResult& result) {
  TemporaryDirectory directory;
  const std::string path = directory.path() / "run.pcapng";
  auto file = PacketFile::create(path, "test");
  EXPECT_TRUE(file);
  (*file)->take(query_part());
  EXPECT_TRUE((*file)->finish(result));
  return directory.read("run.pcapng");
}

TEST(PacketFile, ACommentNamesCaseFieldAndVerdictOfAFailure) {
  EXPECT_THAT(written(failed_query()),
              AllOf(HasSubstr("case throttr-7.1/u16/query/typical: fail"),
                    HasSubstr("quota is 4, expected 5"), HasSubstr("field quota: 4, expected 5")));
}

TEST(PacketFile, WhatPassesIsNamedWithoutAReason) {
  auto result = failed_query();
  result.cases.front().verdict = reports::Verdict::pass;
  EXPECT_THAT(written(result), AllOf(HasSubstr("case throttr-7.1/u16/query/typical: pass"),
                                     Not(HasSubstr("field quota"))));
}

TEST(PacketFile, TheTargetHasItsPort) {
  // Port 9123 as TCP has it: source of what is received.
  EXPECT_THAT(written(failed_query()), HasSubstr(std::string("\x23\xa3\x04\x00", 4)));
}

TEST(PacketFile, NothingIsThereBeforeTheEnd) {
  TemporaryDirectory directory;
  {
    auto file = PacketFile::create(directory.path() / "run.pcapng", "test");
    ASSERT_TRUE(file);
    (*file)->take(query_part());
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "run.pcapng"));
  }
  EXPECT_EQ(directory.entries(), 0U);
}

}  // namespace
}  // namespace hallmark::certificate
