#include "proxy/flows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::proxy {
namespace {

class FlowsTest : public testing::Test {
 protected:
  FlowsTest() {
    for (std::uint64_t number = 0; number < 3; ++number) {
      flows_.add(std::make_shared<Flow>(number, client(number), UdpSocket(context_)));
    }
  }

  static Udp::endpoint client(std::uint64_t number) {
    return {boost::asio::ip::make_address("127.0.0.1"), static_cast<std::uint16_t>(1000 + number)};
  }

  boost::asio::io_context context_;
  Flows flows_;
};

TEST_F(FlowsTest, are_found_by_client_and_by_number) {
  for (std::uint64_t number = 0; number < 3; ++number) {
    ASSERT_TRUE(flows_.of_client(client(number)));
    EXPECT_EQ(flows_.of_client(client(number))->number, number);
    EXPECT_EQ(flows_.numbered(number), flows_.of_client(client(number)));
  }
  EXPECT_FALSE(flows_.of_client(client(3)));
  EXPECT_FALSE(flows_.numbered(3));
}

TEST_F(FlowsTest, who_passed_nothing_for_longest_is_the_oldest) {
  EXPECT_EQ(flows_.oldest()->number, 0U);
  flows_.touch(*flows_.numbered(0));
  EXPECT_EQ(flows_.oldest()->number, 1U);
  flows_.touch(*flows_.numbered(2));
  flows_.touch(*flows_.numbered(1));
  EXPECT_EQ(flows_.oldest()->number, 0U);
}

TEST_F(FlowsTest, who_is_removed_is_found_no_more) {
  flows_.remove(*flows_.numbered(1));
  EXPECT_EQ(flows_.size(), 2U);
  EXPECT_FALSE(flows_.of_client(client(1)));
  EXPECT_FALSE(flows_.numbered(1));
  flows_.remove(*flows_.numbered(0));
  EXPECT_EQ(flows_.oldest()->number, 2U);
}

}  // namespace
}  // namespace hallmark::proxy
