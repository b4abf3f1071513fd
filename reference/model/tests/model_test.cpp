#include "reference/model/model.hpp"

#include <gtest/gtest.h>

namespace hallmark::model {
namespace {

constexpr Time started_at = 1'795'166'096'000'000'000;
constexpr Time minute = 60'000'000'000;

struct ModelTest : testing::Test {
  Model model{ModelOptions{.started_at = started_at, .seed = 3, .version = "1.2.3"}};
  Connection& client = *model.open({});
};

TEST_F(ModelTest, InfoOfAFreshServer) {
  model.advance(started_at + 2'500'000'000);
  const Info info = model.info();
  EXPECT_EQ(info.timestamp, 1'795'166'098U) << "whole seconds";
  EXPECT_EQ(info.running_since, to_wire(started_at));
  EXPECT_EQ(info.requests, Rate{});
  EXPECT_EQ(info.connections, 1U);
  EXPECT_EQ(info.version, "1.2.3");
}

TEST_F(ModelTest, InfoCountsItselfAndItsRequestButNotItsReply) {
  model.count_request(client, Operation::query, 5);
  model.count_written(client, 1);
  model.count_request(client, Operation::info, 1);
  const Info info = model.info();
  EXPECT_EQ(info.requests, (Rate{2, 0}));
  EXPECT_EQ(info.requests_of[index_of(Operation::info)], (Rate{1, 0}));
  EXPECT_EQ(info.read_bytes, (Rate{6, 0}));
  EXPECT_EQ(info.written_bytes, (Rate{1, 0}));
  EXPECT_EQ(client.read_bytes, 6U);
  EXPECT_EQ(client.write_bytes, 1U);
  EXPECT_EQ(client.requests[index_of(Operation::query)], 1U);
}

TEST_F(ModelTest, RatesAreThoseOfTheLastFullMinute) {
  model.count_request(client, Operation::query, 5);
  model.advance(started_at + minute - 1);
  EXPECT_EQ(model.info().requests, (Rate{1, 0}));
  model.advance(started_at + minute);
  EXPECT_EQ(model.info().requests, (Rate{1, 1}));
  model.advance(started_at + 2 * minute);
  EXPECT_EQ(model.info().requests, (Rate{1, 0}));
}

TEST_F(ModelTest, InfoCountsWhatIsThere) {
  model.store().insert(model.moment(), "c", 1, TtlUnit::seconds, 1);
  model.store().set(model.moment(), "b", "EHLO", TtlUnit::seconds, 2);
  model.subscribe(client, "ch");
  Info info = model.info();
  EXPECT_EQ(info.store.counters, 1U);
  EXPECT_EQ(info.store.counter_bytes, 2U);
  EXPECT_EQ(info.store.buffer_bytes, 4U);
  EXPECT_EQ(info.subscriptions, 1U);
  EXPECT_EQ(info.channels, 1U);
  model.advance(started_at + 1'000'000'000);
  info = model.info();
  EXPECT_EQ(info.store.counters, 0U);
  EXPECT_EQ(info.store.buffers, 1U);
}

TEST_F(ModelTest, AClosedConnectionIsGoneEverywhere) {
  Connection& other = *model.open({});
  const ConnectionId id = other.id;
  model.subscribe(other, "ch");
  model.close(other);
  EXPECT_EQ(model.info().connections, 1U);
  EXPECT_EQ(model.info().channels, 0U);
  EXPECT_EQ(model.connections().find(id), nullptr);
  std::vector<Connection*> recipients;
  EXPECT_FALSE(model.publish(client, "ch", 1, recipients));
}

}  // namespace
}  // namespace hallmark::model
