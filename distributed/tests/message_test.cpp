#include "distributed/message.hpp"

#include <gtest/gtest.h>

namespace hallmark::distributed {
namespace {

const std::vector<Message> one_of_each{Hello{"node7", {"--rate", "5k"}, "hash", "refused"},
                                       Pong{-1, 2},
                                       Connected{},
                                       Second{3, 999, {1, 2, 3}},
                                       Moved{{4, 5}},
                                       Ended{},
                                       Finished{"{}"},
                                       Interrupted{},
                                       Gone{},
                                       Observed{-5, {9, 8}},
                                       Alive{},
                                       Ping{},
                                       Prepare{"night", 77},
                                       Begin{INT64_MAX, 7, 8},
                                       AllEnded{},
                                       Stop{1},
                                       Taken{},
                                       Leave{4}};

TEST(Message, IsReadAsItWasWritten) {
  ASSERT_EQ(one_of_each.size(), std::variant_size_v<Message>);
  for (const Message& message : one_of_each) {
    const base::Bytes bytes = encode(message);
    const auto read = decode(bytes);
    ASSERT_TRUE(read) << message.index();
    EXPECT_EQ(read->index(), message.index());
    EXPECT_EQ(encode(*read), bytes) << message.index();
  }
  const auto hello = decode(encode(one_of_each[0]));
  EXPECT_EQ(std::get<Hello>(*hello).options, (std::vector<std::string>{"--rate", "5k"}));
  const auto pong = decode(encode(one_of_each[1]));
  EXPECT_EQ(std::get<Pong>(*pong).steady_ns, -1);
}

TEST(Message, RefusesEveryCutAndWhatIsLonger) {
  for (const Message& message : one_of_each) {
    base::Bytes bytes = encode(message);
    for (std::size_t length = 0; length < bytes.size(); ++length)
      EXPECT_FALSE(decode(base::ByteView(bytes).first(length))) << message.index() << ' ' << length;
    bytes.push_back(0);
    EXPECT_FALSE(decode(bytes)) << message.index();
  }
  EXPECT_FALSE(decode(base::Bytes{200}));
}

}  // namespace
}  // namespace hallmark::distributed
