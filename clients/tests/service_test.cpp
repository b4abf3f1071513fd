#include "clients/serve/stream_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hex.hpp"
#include "clients/serve/undisturbed.hpp"
#include "clients/tests/client_fixture.hpp"

namespace hallmark::clients::testing {
namespace {

constexpr model::Time start = 1'795'166'096'000'000'000;

base::Bytes raw(const char* hex) { return base::from_hex(hex).value(); }

TEST(StreamService, AnswersRequestByRequest) {
  const Format format = usual_format();
  StreamService service(format, 1, start);
  const auto connection = service.open({});
  ASSERT_EQ(connection, 1U);
  service.receive(connection, raw("01 6400 04 3c00 01 61 02 01 61 02 01"));
  auto first = service.answer_next(connection);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(base::to_hex(first->messages.front().bytes), "01");
  EXPECT_FALSE(first->messages.front().last);
  auto second = service.answer_next(connection);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->messages.front().name(), "QUERY");
  EXPECT_EQ(second->messages.front().bytes.size(), 6U);
  EXPECT_FALSE(service.answer_next(connection).has_value());
  EXPECT_EQ(service.unanswered(connection).size(), 2U);
}

TEST(StreamService, TellsWhatIsNotARequest) {
  const Format format = usual_format();
  StreamService service(format, 1, start);
  const auto connection = service.open({});
  service.receive(connection, raw("77"));
  const auto answer = service.answer_next(connection);
  ASSERT_TRUE(answer.has_value());
  EXPECT_FALSE(answer->is_request);
  EXPECT_TRUE(answer->ends);
}

TEST(StreamService, DeliversWhatAnotherClientPublishes) {
  const Format format = usual_format();
  StreamService service(format, 1, start);
  const auto connection = service.open({});
  service.receive(connection, raw("11 01 63"));
  ASSERT_TRUE(service.answer_next(connection).has_value());
  const auto delivered =
      service.ask_as_another(*protocol::find_operation(format.dialect(), "PUBLISH"),
                             {{"channel", base::to_bytes("c")}, {"payload", base::to_bytes("hi")}});
  ASSERT_EQ(delivered.size(), 1U);
  EXPECT_EQ(delivered.front().name(), "EVENT");
  EXPECT_EQ(delivered.front().connection, connection);
}

TEST(StreamService, HasNoRecordsAfterARestart) {
  const Format format = usual_format();
  StreamService service(format, 1, start);
  const auto before = service.open({});
  service.receive(before, raw("01 6400 04 3c00 01 61"));
  ASSERT_TRUE(service.answer_next(before).has_value());
  service.restart(start);
  const auto after = service.open({});
  EXPECT_NE(before, after);
  service.receive(after, raw("02 01 61"));
  EXPECT_EQ(base::to_hex(service.answer_next(after)->messages.front().bytes), "00");
}

TEST(Undisturbed, FindsTheFirstReplyThatDiffers) {
  const Format expected = usual_format();
  Format served = expected;
  ASSERT_TRUE(served.readings.set("insert-existing", "replaced"));
  StreamService service(served, 1, start);
  Undisturbed undisturbed(expected, 1, start);
  const auto connection = service.open({});
  undisturbed.open({});
  const auto sent = raw("01 6400 04 3c00 01 61 01 6400 04 3c00 01 61");
  service.receive(connection, sent);
  undisturbed.receive(connection, sent);
  EXPECT_FALSE(undisturbed.instead_of(service.answer_next(connection)->messages.front()));
  const auto instead = undisturbed.instead_of(service.answer_next(connection)->messages.front());
  ASSERT_TRUE(instead.has_value());
  EXPECT_EQ(base::to_hex(*instead), "00");
}

}  // namespace
}  // namespace hallmark::clients::testing
