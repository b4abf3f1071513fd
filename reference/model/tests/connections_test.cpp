#include "reference/model/records/connections.hpp"

#include <gtest/gtest.h>

namespace hallmark::model {
namespace {

constexpr std::size_t many = 100;
const Peer peer{4, {'1', '2', '7', '.', '0', '.', '0', '.', '1'}, 49'384};

TEST(Connections, OpenTellsWhoAndWhen) {
  Connections connections(1, many);
  const Connection* const opened = connections.open({123, 0}, peer);
  ASSERT_NE(opened, nullptr);
  EXPECT_EQ(opened->connected_at, 123U);
  EXPECT_EQ(opened->peer.port, 49'384U);
  EXPECT_EQ(connections.find(opened->id), opened);
  EXPECT_EQ(connections.find(ConnectionId{}), nullptr);
}

TEST(Connections, IdsAreVersion4AndFollowTheSeed) {
  Connections one(7, many);
  Connections same(7, many);
  Connections other(8, many);
  for (int i = 0; i < 50; ++i) {
    const ConnectionId id = one.open({}, peer)->id;
    EXPECT_EQ(id[6] >> 4, 4) << "version";
    EXPECT_EQ(id[8] >> 6, 2) << "variant";
    EXPECT_EQ(id, same.open({}, peer)->id);
    EXPECT_NE(id, other.open({}, peer)->id);
  }
}

TEST(Connections, AreVisitedInOrderOfOpening) {
  Connections connections(1, many);
  Connection* const first = connections.open({}, peer);
  Connection* const second = connections.open({}, peer);
  const Connection* const third = connections.open({}, peer);
  const ConnectionId gone = second->id;
  connections.close(*second);
  std::vector<const Connection*> visited;
  connections.for_each([&](const Connection& connection) { visited.push_back(&connection); });
  EXPECT_EQ(visited, (std::vector<const Connection*>{first, third}));
  EXPECT_EQ(connections.find(gone), nullptr);
}

TEST(Connections, RefuseOneTooMany) {
  Connections connections(1, 1);
  Connection* const only = connections.open({}, peer);
  EXPECT_EQ(connections.open({}, peer), nullptr);
  connections.close(*only);
  EXPECT_NE(connections.open({}, peer), nullptr);
}

}  // namespace
}  // namespace hallmark::model
