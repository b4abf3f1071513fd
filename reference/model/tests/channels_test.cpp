#include "reference/model/records/channels.hpp"

#include <gtest/gtest.h>

namespace hallmark::model {
namespace {

constexpr Moment moment{55, 0};

struct ChannelsTest : testing::Test {
  Connections connections{1, 100};
  Channels channels;
  Connection& alice = *connections.open(moment, {});
  Connection& bob = *connections.open(moment, {});
  Connection& carol = *connections.open(moment, {});
  std::vector<Connection*> recipients;
};

TEST_F(ChannelsTest, SubscribeTwiceAndUnsubscribeAbsentFail) {
  EXPECT_FALSE(channels.unsubscribe(alice, "ch"));
  EXPECT_TRUE(channels.subscribe(moment, alice, "ch"));
  EXPECT_FALSE(channels.subscribe(moment, alice, "ch"));
  EXPECT_FALSE(channels.unsubscribe(bob, "ch"));
  EXPECT_TRUE(channels.unsubscribe(alice, "ch"));
  EXPECT_FALSE(channels.unsubscribe(alice, "ch"));
}

TEST_F(ChannelsTest, AChannelExistsWhileSomebodyIsSubscribed) {
  EXPECT_EQ(channels.find("ch"), nullptr);
  channels.subscribe(moment, alice, "ch");
  ASSERT_NE(channels.find("ch"), nullptr);
  EXPECT_EQ(channels.find("ch")->subscribers.begin()->second.subscribed_at, 55U);
  channels.unsubscribe(alice, "ch");
  EXPECT_EQ(channels.find("ch"), nullptr);
  EXPECT_EQ(channels.size(), 0U);
  EXPECT_EQ(channels.subscriptions(), 0U);
}

TEST_F(ChannelsTest, PublishReachesOthersInOrderOfSubscription) {
  for (Connection* subscriber : {&carol, &alice, &bob})
    channels.subscribe(moment, *subscriber, "ch");
  EXPECT_TRUE(channels.publish(alice, "ch", 4, recipients));
  EXPECT_EQ(recipients, (std::vector<Connection*>{&carol, &bob}));
}

TEST_F(ChannelsTest, PublishNeedsASubscriberButNoSubscription) {
  EXPECT_FALSE(channels.publish(alice, "ch", 4, recipients));
  EXPECT_EQ(alice.published_bytes, 0U);
  channels.subscribe(moment, bob, "ch");
  EXPECT_TRUE(channels.publish(alice, "ch", 4, recipients));
  EXPECT_EQ(recipients, (std::vector<Connection*>{&bob}));
  channels.subscribe(moment, alice, "own");
  EXPECT_TRUE(channels.publish(alice, "own", 4, recipients));
  EXPECT_TRUE(recipients.empty());
}

TEST_F(ChannelsTest, CountsPayloadBytes) {
  channels.subscribe(moment, alice, "ch");
  channels.subscribe(moment, bob, "ch");
  channels.publish(alice, "ch", 10, recipients);
  channels.publish(carol, "ch", 1, recipients);
  const Channel& channel = *channels.find("ch");
  EXPECT_EQ(channel.read_bytes, 11U);
  EXPECT_EQ(channel.write_bytes, 12U);
  const Subscription& first = channel.subscribers.begin()->second;
  EXPECT_EQ(first.connection, &alice);
  EXPECT_EQ(first.read_bytes, 10U);
  EXPECT_EQ(first.write_bytes, 1U);
  EXPECT_EQ(alice.published_bytes, 10U);
  EXPECT_EQ(alice.received_bytes, 1U);
  EXPECT_EQ(bob.received_bytes, 11U);
  EXPECT_EQ(carol.published_bytes, 1U);
}

TEST_F(ChannelsTest, AConnectionThatGoesAwayLeavesAllChannels) {
  channels.subscribe(moment, alice, "one");
  channels.subscribe(moment, alice, "two");
  channels.subscribe(moment, bob, "two");
  channels.leave_all(alice);
  EXPECT_EQ(channels.find("one"), nullptr);
  EXPECT_EQ(channels.find("two")->subscribers.size(), 1U);
  EXPECT_EQ(channels.subscriptions(), 1U);
  EXPECT_TRUE(alice.subscriptions.empty());
}

TEST_F(ChannelsTest, AreVisitedByName) {
  for (const char* name : {"b", "", "a"}) channels.subscribe(moment, alice, name);
  std::vector<std::string> names;
  channels.for_each([&](const Channel& channel) { names.push_back(channel.name); });
  EXPECT_EQ(names, (std::vector<std::string>{"", "a", "b"}));
}

TEST_F(ChannelsTest, RefuseOneSubscriptionTooMany) {
  Channels few(1);
  EXPECT_TRUE(few.subscribe(moment, alice, "a"));
  EXPECT_FALSE(few.subscribe(moment, bob, "b"));
  EXPECT_EQ(few.find("b"), nullptr);
  few.leave_all(alice);
  EXPECT_TRUE(few.subscribe(moment, bob, "b"));
  few.leave_all(bob);
}

}  // namespace
}  // namespace hallmark::model
