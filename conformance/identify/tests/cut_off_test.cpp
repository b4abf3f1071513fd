#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/identify/identify.hpp"
#include "conformance/identify/tests/fake_throttr.hpp"
#include "conformance/tests/rounds_tried.hpp"
#include "protocol/dialects.hpp"

/// A connection that ends at any byte of what identification sends.
namespace hallmark::conformance::testing {
namespace {

using protocol::Dialect;
using protocol::Readings;

/// Closes a connection once, after so many bytes from all of them.
class CutOff : public FakeThrottr {
 public:
  CutOff(const Dialect& dialect, std::size_t at)
      : FakeThrottr(dialect.widths.back(), Readings(dialect, protocol::Profile::deployed)),
        left_(at) {}

  void receive(Connection connection, base::ByteView segment, Time now) override {
    if (cut_ || segment.size() <= left_) {
      left_ -= cut_ ? 0 : segment.size();
      return FakeThrottr::receive(connection, segment, now);
    }
    cut_ = true;
    FakeThrottr::receive(connection, segment.first(left_), now);
    close(connection);
  }

  bool cut() const { return cut_; }

 private:
  std::size_t left_;
  bool cut_ = false;
};

class CutOffAt : public ::testing::TestWithParam<const Dialect*> {};

TEST_P(CutOffAt, AnyByteLeavesNothingBehindAndNamesNothingWrong) {
  bool cut = true;
  for (std::size_t at = 0; cut; ++at) {
    if (!is_tried(at)) continue;
    CutOff server(*GetParam(), at);
    TestNetwork network(server);
    const Time started = network.now();
    const auto made = identify_layouts(network, {.nonce = "0123456789abcdef"});
    cut = server.cut();
    EXPECT_EQ(server.records(), 0U) << "cut at " << at;
    EXPECT_EQ(server.subscriptions(), 0U) << "cut at " << at;
    EXPECT_TRUE(made.dialect == nullptr || made.dialect == GetParam()) << "cut at " << at;
    EXPECT_TRUE(!made.known() || made.width == GetParam()->widths.back()) << "cut at " << at;
    EXPECT_LE(network.now() - started, IdentifyOptions{}.deadline) << "cut at " << at;
    const Readings deployed(*GetParam(), protocol::Profile::deployed);
    for (const Finding& finding : made.findings) {
      const std::string_view right = deployed.answer_called(finding.subject);
      if (right.empty() || finding.answer.empty()) continue;
      EXPECT_EQ(finding.answer, right) << finding.subject << ", cut at " << at;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, CutOffAt, ::testing::ValuesIn(protocol::throttr_dialects),
                         [](const auto& row) {
                           std::string name(row.param->name);
                           std::ranges::replace_if(
                               name, [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace hallmark::conformance::testing
