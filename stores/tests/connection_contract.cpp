#include "stores/tests/connection_contract.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "stores/tests/collect.hpp"
#include "stores/tests/support/no_descriptors.hpp"

namespace hallmark::stores::contract {
namespace {

using std::chrono::milliseconds;
using WithExpiry = Connection::WithExpiry;

class Contract {
 public:
  explicit Contract(const Address& address)
      : address_(address), connection_(connect(address).value()) {}

  void compares_and_sets();
  void treats_expiry_as_told();
  void counts_what_is_over_as_absent();
  void compares_and_deletes();
  void answers_many_in_their_order();
  void erases();
  void takes_bytes_of_text();
  void lets_one_of_many_writers_win();

 private:
  Outcome set(const std::string& key, std::optional<std::string> expected, std::string desired,
              Expiry expiry = {}) {
    return connection_->compare_and_set({key, std::move(expected), std::move(desired), expiry})
        .value();
  }
  std::optional<std::string> value(const std::string& key) {
    const auto held = connection_->get(key).value();
    return held.presence == Presence::text ? std::optional(held.value) : std::nullopt;
  }
  ExpiresIn expiry(const std::string& key) {
    return connection_->get(key, WithExpiry::yes)->expires_in;
  }
  void count_up(std::atomic<int>& conflicts);

  Address address_;
  std::unique_ptr<Connection> connection_;
};

void Contract::compares_and_sets() {
  EXPECT_EQ(value("cas"), std::nullopt);
  EXPECT_EQ(set("cas", "1", "2"), Outcome::conflict) << "absent is not what was expected";
  EXPECT_EQ(set("cas", {}, "1"), Outcome::done);
  EXPECT_EQ(set("cas", {}, "2"), Outcome::conflict) << "there is one";
  EXPECT_EQ(set("cas", "2", "3"), Outcome::conflict);
  EXPECT_EQ(value("cas"), "1");
  EXPECT_EQ(set("cas", "1", "2"), Outcome::done);
  EXPECT_EQ(value("cas"), "2");
  EXPECT_EQ(set("cas", "", "3"), Outcome::conflict) << "empty is something else than absent";
  EXPECT_EQ(set("cas", "2", ""), Outcome::done);
  EXPECT_EQ(value("cas"), "");
  EXPECT_EQ(set("cas", {}, "3"), Outcome::conflict);
  EXPECT_EQ(set("cas", "", "3"), Outcome::done);
}

void Contract::treats_expiry_as_told() {
  EXPECT_EQ(set("expiry", {}, "1"), Outcome::done);
  EXPECT_EQ(expiry("expiry"), std::nullopt);
  EXPECT_EQ(set("expiry", "1", "2", Expiry::in(milliseconds(100'000))), Outcome::done);
  const auto first = expiry("expiry");
  ASSERT_TRUE(first);
  EXPECT_GT(first->count(), 50'000);
  EXPECT_LE(first->count(), 100'000);
  EXPECT_EQ(connection_->get("expiry")->expires_in, std::nullopt) << "not asked for";
  EXPECT_EQ(set("expiry", "2", "3"), Outcome::done);
  ASSERT_TRUE(expiry("expiry")) << "kept";
  EXPECT_LE(*expiry("expiry"), *first);
  EXPECT_EQ(set("expiry", "3", "4", Expiry::never()), Outcome::done);
  EXPECT_EQ(expiry("expiry"), std::nullopt);
  EXPECT_EQ(set("expiry2", {}, "1", Expiry::in(milliseconds(5000))), Outcome::done);
  EXPECT_LE(expiry("expiry2").value(), milliseconds(5000));
}

void Contract::counts_what_is_over_as_absent() {
  ASSERT_EQ(set("over", {}, "1", Expiry::in(milliseconds(1))), Outcome::done);
  ASSERT_EQ(set("over2", {}, "1", Expiry::in(milliseconds(1))), Outcome::done);
  while (value("over") || value("over2")) std::this_thread::yield();
  EXPECT_EQ(connection_->get("over")->presence, Presence::absent);
  EXPECT_EQ(set("over", "1", "2"), Outcome::conflict);
  EXPECT_EQ(connection_->compare_and_delete({"over", "1"}).value(), Outcome::conflict);
  EXPECT_EQ(set("over", {}, "2", Expiry::in(milliseconds(100'000))), Outcome::done);
  EXPECT_EQ(value("over"), "2");
  EXPECT_EQ(set("over2", {}, "2"), Outcome::done);
  EXPECT_EQ(expiry("over2"), std::nullopt) << "the old expiry is not kept";
}

void Contract::compares_and_deletes() {
  ASSERT_EQ(set("delete", {}, "1"), Outcome::done);
  EXPECT_EQ(connection_->compare_and_delete({"delete", "2"}).value(), Outcome::conflict);
  EXPECT_EQ(value("delete"), "1");
  EXPECT_EQ(connection_->compare_and_delete({"delete", "1"}).value(), Outcome::done);
  EXPECT_EQ(value("delete"), std::nullopt);
  EXPECT_EQ(connection_->compare_and_delete({"delete", "1"}).value(), Outcome::conflict);
}

/// More than go through a pipeline at once, conflicts among them.
void Contract::answers_many_in_their_order() {
  constexpr std::size_t count = 2500;
  std::vector<std::string> keys;
  std::vector<Change> changes;
  for (std::size_t i = 0; i < count; ++i) {
    keys.push_back(fmt::format("many:{}", i));
    changes.push_back({keys.back(), {}, std::to_string(i), Expiry::in(milliseconds(100'000))});
    if (i % 3 == 0) {
      ASSERT_EQ(set(keys.back(), {}, "there"), Outcome::done);
    }
  }
  const auto outcomes = connection_->compare_and_set(changes).value();
  const auto held = connection_->get(keys, WithExpiry::yes).value();
  ASSERT_EQ(outcomes.size(), count);
  ASSERT_EQ(held.size(), count);
  std::vector<Removal> removals;
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(outcomes[i], i % 3 == 0 ? Outcome::conflict : Outcome::done) << i;
    ASSERT_EQ(held[i].value, i % 3 == 0 ? "there" : std::to_string(i));
    ASSERT_EQ(held[i].expires_in.has_value(), i % 3 != 0);
    removals.push_back({keys[i], std::to_string(i)});
  }
  const auto removed = connection_->compare_and_delete(removals).value();
  ASSERT_EQ(removed.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(removed[i], i % 3 == 0 ? Outcome::conflict : Outcome::done) << i;
  }
  EXPECT_EQ(connection_->erase(keys).value(), (count + 2) / 3);
  EXPECT_TRUE(connection_->get(std::span<const std::string>(), WithExpiry::no)->empty());
}

void Contract::erases() {
  ASSERT_EQ(set("erase", {}, "1"), Outcome::done);
  const std::vector<std::string> keys{"erase", "never there"};
  EXPECT_EQ(connection_->erase(keys).value(), 1U);
  EXPECT_EQ(value("erase"), std::nullopt);
}

void Contract::takes_bytes_of_text() {
  const std::string odd = "ключ' \"\\ % \r\n\t$1";
  EXPECT_EQ(set(odd, {}, odd), Outcome::done);
  EXPECT_EQ(value(odd), odd);
  EXPECT_EQ(set(odd, odd, "plain"), Outcome::done);
}

void Contract::count_up(std::atomic<int>& conflicts) {
  const auto connection = connect(address_).value();
  for (int done = 0; done < 100;) {
    const auto held = connection->get("count").value();
    const auto next = std::to_string(std::stoi(held.value) + 1);
    const auto outcome = connection->compare_and_set({"count", held.value, next, {}}).value();
    outcome == Outcome::done ? static_cast<void>(++done) : static_cast<void>(++conflicts);
  }
}

/// No increment is lost, and writers did come in each other's way.
void Contract::lets_one_of_many_writers_win() {
  ASSERT_EQ(set("count", {}, "0"), Outcome::done);
  std::atomic<int> conflicts = 0;
  std::vector<std::jthread> writers;
  for (int i = 0; i < 4; ++i) writers.emplace_back([&] { count_up(conflicts); });
  writers.clear();
  EXPECT_EQ(value("count"), "400");
  EXPECT_GT(conflicts, 0);
}

}  // namespace

void run_all(const Address& address) {
  Contract contract(address);
  contract.compares_and_sets();
  contract.treats_expiry_as_told();
  contract.counts_what_is_over_as_absent();
  contract.compares_and_deletes();
  contract.answers_many_in_their_order();
  contract.erases();
  contract.takes_bytes_of_text();
  contract.lets_one_of_many_writers_win();
}

void survives_a_kill(const Address& address, const std::function<void()>& kill,
                     const std::function<void()>& restart) {
  std::vector<Change> all;
  for (int i = 0; i < 2000; ++i) all.push_back({fmt::format("k{}", i), {}, "new", {}});
  std::atomic<std::size_t> done = 0;
  Error error;
  std::jthread writer([&] {
    const auto connection = connect(address).value();
    for (std::size_t i = 0; error.message.empty(); i = (i + 1) % all.size()) {
      const auto outcome = connection->compare_and_set(all[i]);
      if (outcome) {
        done += *outcome == Outcome::done ? 1 : 0;
      } else {
        error = outcome.error();
      }
    }
    EXPECT_TRUE(connection->get("k0").error().retryable()) << "it stays lost";
  });
  while (done < 100) std::this_thread::yield();
  kill();
  writer.join();
  EXPECT_TRUE(error.retryable()) << error.message;
  EXPECT_EQ(error_of(connect(address)).kind, ErrorKind::unreachable);
  restart();
  const auto connection = connect(address).value();
  const auto outcomes = connection->compare_and_set(all).value();
  const auto conflicts =
      static_cast<std::size_t>(std::count(outcomes.begin(), outcomes.end(), Outcome::conflict));
  // The one that nobody knows about may be there as well.
  EXPECT_GE(conflicts, done);
  EXPECT_LE(conflicts, done + 1);
  for (const auto& change : all) ASSERT_EQ(connection->get(change.key)->value, "new");
}

void meets_the_deadline(const Address& address, const std::function<void()>& pause,
                        const std::function<void()>& resume) {
  const auto connection = connect(address, {.timeout = std::chrono::seconds(2)}).value();
  ASSERT_TRUE(connection->get("k"));
  pause();
  const auto error = error_of(connection->get("k"));
  const auto again = error_of(connection->get("k"));
  resume();
  EXPECT_TRUE(error.retryable());
  EXPECT_THAT(error.message, testing::HasSubstr("no answer in time"));
  EXPECT_THAT(again.message, testing::HasSubstr("it broke before"));
}

void tells_what_this_machine_lacks(const Address& address) {
  Error error;
  {
    const test::NoDescriptors none;
    error = error_of(connect(address));
  }
  EXPECT_EQ(error.kind, ErrorKind::starved) << error.message;
  EXPECT_TRUE(connect(address)) << "the store was there all the time";
}

}  // namespace hallmark::stores::contract
