#include "captures/fit.hpp"

#include <gmock/gmock.h>

#include "captures/tests/told.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::captures {
namespace {

TEST(Fit, OfRequests) {
  EXPECT_EQ(fit_as_requests(deployed(), hex("0203616263 07")), Fit::whole);
  EXPECT_EQ(fit_as_requests(deployed(), hex("0203616263 02")), Fit::partial);
  EXPECT_EQ(fit_as_requests(deployed(), {}), Fit::partial);
  EXPECT_EQ(fit_as_requests(deployed(), hex("0203616263 00")), Fit::no);
  EXPECT_EQ(fit_as_requests(deployed(), hex("0302000100020161")), Fit::no) << "unlisted attribute";
}

TEST(Fit, OfOneMessage) {
  const auto reply = deployed().reply(*protocol::find_operation(protocol::throttr_7_1, "QUERY"));
  EXPECT_EQ(fit_as(reply, hex("010700045900")), Fit::whole);
  EXPECT_EQ(fit_as(reply, hex("0107")), Fit::partial);
  EXPECT_EQ(fit_as(reply, hex("01070004590000")), Fit::no);
  EXPECT_EQ(fit_as(reply, hex("02")), Fit::no);
}

TEST(Hint, ForRequestsOfAnotherWidth) {
  EXPECT_EQ(hint_for_requests(deployed(), hex("01 07 04 5a 03 616263")),
            " (would be requests with --width u8)");
  EXPECT_EQ(hint_for_requests(deployed(), hex("ff")), "");
}

TEST(Hint, ForRequestsOfAnotherReading) {
  EXPECT_EQ(hint_for_requests(deployed(), hex("05 04 5a00 01 02 61 7878")),
            " (would be requests with --reading set-value-size=one-byte)");
}

TEST(Hint, ForRepliesOfAnotherReading) {
  const auto& list = *protocol::find_operation(protocol::throttr_7_1, "LIST");
  EXPECT_EQ(hint_for_reply(deployed(), list, hex("0000000000000000")),
            " (would be a reply to LIST with --reading status-prefix=no)");
  EXPECT_EQ(hint_for_reply(deployed(), list, hex("ffff")), "");
}

}  // namespace
}  // namespace hallmark::captures
