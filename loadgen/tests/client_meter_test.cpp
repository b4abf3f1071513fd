#include "loadgen/client/client_meter.hpp"

#include <gmock/gmock.h>

#include <latch>
#include <thread>

namespace hallmark::loadgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

reports::LoadClient quiet() {
  reports::LoadClient client;
  client.threads = {{0.3, 0.01}, {0.2, 0.02}};
  client.schedule = {"poisson", 1'000'000, 0.001, reports::ProcessTest{reports::Met::yes}};
  return client;
}

TEST(ClientMeter, AQuietClientIsNotBlamed) { EXPECT_THAT(taints_of(quiet()), IsEmpty()); }

TEST(ClientMeter, EachTaintIsNamed) {
  auto client = quiet();
  client.schedule->late_share = 0.011;
  EXPECT_THAT(taints_of(client),
              ElementsAre(HasSubstr("1.1 % of the requests left more than 1.00 ms behind")));
  client = quiet();
  client.schedule->test = reports::ProcessTest{reports::Met::no, 20, 300, 44.5, 0};
  EXPECT_THAT(taints_of(client), ElementsAre(HasSubstr("as Poisson arrivals would: A² 44.5")));
  client = quiet();
  client.threads[1].busy = 0.96;
  EXPECT_THAT(taints_of(client), ElementsAre(HasSubstr("was busy 96.0 % of the time")));
  EXPECT_THAT(taints_of(client, true), IsEmpty()) << "a thread that spins is always busy";
  client.threads[1].busy = 0.9501;
  EXPECT_THAT(taints_of(client),
              ElementsAre(HasSubstr("just over 95.0 % of the time; allowed: 95.0 %")));
  client = quiet();
  client.threads[1].waited = 0.2;
  EXPECT_THAT(taints_of(client), ElementsAre(HasSubstr("waited for a processor 20.0 %")));
  client = quiet();
  client.throttled_s = 0.25;
  EXPECT_THAT(taints_of(client), ElementsAre(HasSubstr("throttled the client for 0.250 s")));
  client = quiet();
  client.stolen_share = 0.1;
  EXPECT_THAT(taints_of(client), ElementsAre(HasSubstr("the host took 10.0 %")));
}

TEST(ClientMeter, AThreadThatSpinsIsBusyAndOneThatWaitsIsNot) {
  constexpr std::int64_t work_ns = 50'000'000;
  ClientMeter meter;
  meter.begin();
  std::latch worked(1);
  const auto started = std::chrono::steady_clock::now();
  const auto measure = [&](ThreadUse& use) {
    use = use_of_this_thread();
    use.lived_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - started).count();
  };
  ThreadUse& spinning = meter.thread();
  ThreadUse& waiting = meter.thread();
  std::jthread([&] {
    std::jthread waiter([&] {
      worked.wait();
      measure(waiting);
    });
    while (use_of_this_thread().cpu_ns < work_ns) {
    }
    measure(spinning);
    worked.count_down();
  }).join();
  EXPECT_GE(spinning.cpu_ns, work_ns);
  EXPECT_LE(spinning.cpu_ns, spinning.lived_ns);
  EXPECT_LT(waiting.cpu_ns, work_ns);
  const auto told = meter.told();
  ASSERT_EQ(told.threads.size(), 2U);
  EXPECT_DOUBLE_EQ(told.threads[0].busy,
                   static_cast<double>(spinning.cpu_ns) / static_cast<double>(spinning.lived_ns));
  EXPECT_DOUBLE_EQ(told.threads[0].waited, static_cast<double>(spinning.waited_ns) /
                                               static_cast<double>(spinning.lived_ns));
  EXPECT_GT(told.threads[0].busy, told.threads[1].busy);
}

}  // namespace
}  // namespace hallmark::loadgen
