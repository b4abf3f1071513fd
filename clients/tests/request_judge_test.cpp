#include "clients/judge/request_judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hex.hpp"
#include "clients/tests/client_fixture.hpp"

namespace hallmark::clients::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

base::Bytes bytes(const char* hex) { return base::from_hex(hex).value(); }

TEST(RequestJudge, NamesTheWidthThatBytesAreOf) {
  const Format format = usual_format();
  RequestJudge judge(format);
  // INSERT of quota 100, 60 s and the key "a", with numbers of 4 bytes.
  const auto sent = bytes("01 64000000 04 3c000000 01 61");
  judge.received(1, sent);
  judge.not_a_request(1, base::ByteView(sent).subspan(4));
  ASSERT_EQ(judge.breaches().size(), 1U);
  EXPECT_EQ(judge.breaches().front().clause, "client.width");
  EXPECT_THAT(judge.breaches().front().what, HasSubstr("as throttr-7.3 at u32"));
}

TEST(RequestJudge, NamesWhatIsNotListed) {
  const Format format = usual_format();
  RequestJudge judge(format);
  const auto sent = bytes("01 6400 09 3c00 01 61");
  judge.request(1, *protocol::operation_of(format.dialect(), sent), sent);
  ASSERT_EQ(judge.breaches().size(), 1U);
  EXPECT_EQ(judge.breaches().front().clause, "client.listed-values");
  EXPECT_THAT(judge.breaches().front().what, HasSubstr("ttl_type of INSERT is 09"));
}

TEST(RequestJudge, NamesWhatIsCutOff) {
  const Format format = usual_format();
  RequestJudge judge(format);
  judge.received(1, bytes("02 05 61"));
  judge.ended(1, bytes("02 05 61"));
  ASSERT_EQ(judge.breaches().size(), 1U);
  EXPECT_EQ(judge.breaches().front().clause, "client.whole-requests");
}

TEST(RequestJudge, LetsRightRequestsBe) {
  const Format format = usual_format();
  RequestJudge judge(format);
  const auto sent = bytes("01 6400 04 3c00 01 61");
  judge.received(1, sent);
  judge.request(1, *protocol::operation_of(format.dialect(), sent), sent);
  judge.answered(1, sent);
  judge.ended(1, {});
  EXPECT_THAT(judge.breaches(), IsEmpty());
}

TEST(RequestJudge, WantsIdsThatNobodyWaitsWith) {
  const Format format = format_of(protocol::ratelimit_udp, protocol::Width::none);
  const auto ping = base::to_bytes("7 ping");
  const auto* const operation = requested_by(format, ping);
  ASSERT_NE(operation, nullptr);
  RequestJudge answered(format);
  answered.request(1, *operation, ping);
  answered.answered(1, ping);
  answered.request(1, *operation, ping);
  EXPECT_THAT(answered.breaches(), IsEmpty());
  RequestJudge waiting(format);
  waiting.request(1, *operation, ping);
  waiting.request(1, *operation, ping);
  ASSERT_EQ(waiting.breaches().size(), 1U);
  EXPECT_EQ(waiting.breaches().front().clause, "client.id-unused");
}

}  // namespace
}  // namespace hallmark::clients::testing
