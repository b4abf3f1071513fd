#include "reference/model/behaviour.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "base/hex.hpp"
#include "base/nanoseconds.hpp"
#include "protocol/dialects.hpp"
#include "reference/model/model.hpp"
#include "reference/model/tests/start.hpp"

// Tests of the model under each answer that is not the default. Values are u8: 255 is the maximum.
namespace hallmark::model {
namespace {

using base::second_ns;
using protocol::Profile;
using protocol::Readings;

class Answered : public ::testing::Test {
 protected:
  /// A store under one answer of 7.1, or of 2.0 where `dialect` says so.
  Store& under(protocol::ReadingName reading, protocol::AnswerName answer,
               const protocol::Dialect& dialect = protocol::throttr_7_1) {
    Readings readings(dialect, Profile::deployed);
    EXPECT_TRUE(readings.set(reading, answer));
    behaviour_ = behaviour_of(readings);
    store_.emplace(StoreOptions{.value_bytes = 1, .behaviour = behaviour_});
    return *store_;
  }

  static Moment after(Time nanoseconds) { return {start + nanoseconds}; }

  Behaviour behaviour_;
  std::optional<Store> store_;
};

constexpr TtlUnit seconds = TtlUnit::seconds;

TEST_F(Answered, InsertReplaces) {
  Store& store = under("insert-existing", "replaced");
  EXPECT_TRUE(store.insert(after(0), "k", 1, seconds, 10));
  EXPECT_TRUE(store.insert(after(0), "k", 2, seconds, 20));
  EXPECT_EQ(store.query(after(0), "k")->quota, 2U);
  EXPECT_EQ(store.query(after(0), "k")->ttl, 20U);
  EXPECT_EQ(store.totals(after(0)).counters, 1U);
  EXPECT_TRUE(store.query(after(19 * second_ns), "k"));
  EXPECT_FALSE(store.query(after(20 * second_ns), "k"));
}

TEST_F(Answered, SetRefuses) {
  Store& store = under("set-existing", "refused");
  EXPECT_TRUE(store.set(after(0), "k", "a", seconds, 10));
  EXPECT_FALSE(store.set(after(0), "k", "b", seconds, 10));
  EXPECT_EQ(store.get(after(0), "k")->value, "a");
}

TEST_F(Answered, KindsReplaceEachOther) {
  Store& store = under("kind-mismatch", "replaced");
  store.insert(after(0), "k", 1, seconds, 10);
  EXPECT_TRUE(store.set(after(0), "k", "abc", seconds, 20));
  EXPECT_FALSE(store.query(after(0), "k"));
  EXPECT_EQ(store.get(after(0), "k")->value, "abc");
  EXPECT_EQ(store.totals(after(0)).buffer_bytes, 3U);
  EXPECT_TRUE(store.insert(after(0), "k", 7, seconds, 30));
  EXPECT_EQ(store.query(after(0), "k")->quota, 7U);
  EXPECT_EQ(store.totals(after(0)).buffers, 0U);
  EXPECT_EQ(store.totals(after(0)).buffer_bytes, 0U);
}

/// INCREASE wraps, as it does in released servers.
TEST_F(Answered, AMaximumThatIsInvalidIsNotReachedByWrapping) {
  Store& store = under("maximum-values", "invalid");
  store.insert(after(0), "k", 5, seconds, 10);
  EXPECT_FALSE(store.update(after(0), "k", Attribute::quota, Change::increase, 250));
  EXPECT_EQ(store.query(after(0), "k")->quota, 5U);
  EXPECT_TRUE(store.update(after(0), "k", Attribute::quota, Change::increase, 255));
  EXPECT_EQ(store.query(after(0), "k")->quota, 4U);
}

struct Arithmetic {
  const char* name;
  protocol::ReadingName reading;
  protocol::AnswerName answer;
  Change change;
  std::uint64_t before;
  std::uint64_t value;
  std::uint64_t quota;
};

class OutOfRangeQuota : public Answered, public ::testing::WithParamInterface<Arithmetic> {};

TEST_P(OutOfRangeQuota, BecomesWhatTheAnswerSays) {
  const Arithmetic& row = GetParam();
  Store& store = under(row.reading, row.answer);
  store.insert(after(0), "k", row.before, seconds, 10);
  EXPECT_TRUE(store.update(after(0), "k", Attribute::quota, row.change, row.value));
  EXPECT_EQ(store.query(after(0), "k")->quota, row.quota);
}

INSTANTIATE_TEST_SUITE_P(
    Behaviour, OutOfRangeQuota,
    ::testing::Values(
        Arithmetic{"clamped", "decrease-below-zero", "clamped", Change::decrease, 3, 4, 0},
        Arithmetic{"wrapped_down", "decrease-below-zero", "wrapped", Change::decrease, 3, 4, 255},
        Arithmetic{"saturated", "increase-overflow", "saturated", Change::increase, 250, 9, 255},
        Arithmetic{"wrapped_up", "increase-overflow", "wrapped", Change::increase, 250, 9, 3}),
    [](const auto& row) { return row.param.name; });

TEST_F(Answered, TtlIsRoundedUp) {
  Store& store = under("ttl-left", "left-rounded-up");
  store.insert(after(0), "k", 1, seconds, 10);
  EXPECT_EQ(store.query(after(0), "k")->ttl, 10U);
  EXPECT_EQ(store.query(after(1), "k")->ttl, 10U);
  EXPECT_EQ(store.query(after(second_ns), "k")->ttl, 9U);
  EXPECT_EQ(store.query(after(10 * second_ns - 1), "k")->ttl, 1U);
}

TEST_F(Answered, TtlIsShownAsSet) {
  Store& store = under("ttl-left", "as-set");
  store.insert(after(0), "k", 1, seconds, 10);
  EXPECT_EQ(store.query(after(9 * second_ns), "k")->ttl, 10U);
  store.update(after(9 * second_ns), "k", Attribute::ttl, Change::increase, 5);
  EXPECT_EQ(store.query(after(14 * second_ns), "k")->ttl, 15U);
  store.update(after(14 * second_ns), "k", Attribute::ttl, Change::patch, 3);
  EXPECT_EQ(store.query(after(16 * second_ns), "k")->ttl, 3U);
  EXPECT_FALSE(store.query(after(17 * second_ns), "k"));
}

TEST_F(Answered, PatchCountsFromCreation) {
  Store& store = under("ttl-update", "unit-of-record-from-creation");
  store.insert(after(0), "k", 1, seconds, 10);
  store.update(after(5 * second_ns), "k", Attribute::ttl, Change::patch, 8);
  EXPECT_EQ(store.query(after(5 * second_ns), "k")->ttl, 3U);
  EXPECT_TRUE(store.update(after(6 * second_ns), "k", Attribute::ttl, Change::patch, 2));
  EXPECT_FALSE(store.query(after(6 * second_ns), "k"));
}

TEST_F(Answered, DecreasePastNowIsRefused) {
  Store& store = under("ttl-past-now", "refused");
  store.insert(after(0), "k", 1, seconds, 10);
  EXPECT_FALSE(store.update(after(5 * second_ns), "k", Attribute::ttl, Change::decrease, 5));
  EXPECT_EQ(store.query(after(5 * second_ns), "k")->ttl, 5U);
  EXPECT_TRUE(store.update(after(5 * second_ns), "k", Attribute::ttl, Change::decrease, 4));
}

TEST_F(Answered, IncreaseBeyondTheWidthSaturates) {
  Store& store = under("ttl-beyond", "saturated");
  store.insert(after(0), "k", 1, seconds, 250);
  EXPECT_TRUE(store.update(after(0), "k", Attribute::ttl, Change::increase, 250));
  EXPECT_EQ(store.query(after(0), "k")->ttl, 255U);
  EXPECT_EQ(store.query(after(second_ns), "k")->ttl, 254U);
}

TEST_F(Answered, ZeroTtlIsRefused) {
  Store& store = under("ttl-zero", "refused");
  EXPECT_FALSE(store.insert(after(0), "k", 1, seconds, 0));
  EXPECT_FALSE(store.set(after(0), "k", "a", seconds, 0));
  store.insert(after(0), "k", 1, seconds, 9);
  EXPECT_FALSE(store.update(after(0), "k", Attribute::ttl, Change::patch, 0));
  EXPECT_EQ(store.query(after(0), "k")->ttl, 9U);
}

TEST_F(Answered, ZeroTtlIsForever) {
  Store& store = under("ttl-zero", "forever");
  EXPECT_TRUE(store.insert(after(0), "k", 1, seconds, 0));
  const Moment much_later = after(Time{1'000'000'000} * second_ns);
  EXPECT_EQ(store.query(much_later, "k")->ttl, 0U);
  EXPECT_TRUE(store.update(much_later, "k", Attribute::ttl, Change::increase, 5));
  EXPECT_EQ(store.totals(after(Time{2'000'000'000} * second_ns)).counters, 1U);
  EXPECT_TRUE(store.update(much_later, "k", Attribute::ttl, Change::patch, 5));
  EXPECT_FALSE(store.query(Moment{much_later.now + 5 * second_ns}, "k"));
}

TEST_F(Answered, SchedulerRemovesWhenItComesBy) {
  Readings readings(protocol::throttr_7_1, Profile::deployed);
  readings.choose({"expired-when", "scheduler"});
  Model model(ModelOptions{.started_at = start, .behaviour = behaviour_of(readings)});
  model.store().insert(model.moment(), "k", 1, TtlUnit::milliseconds, 30);
  model.advance(start + sweep_interval - 1);
  EXPECT_EQ(model.store().query(model.moment(), "k")->ttl, 0U);
  EXPECT_EQ(model.info().store.counters, 1U);
  model.advance(start + sweep_interval);
  EXPECT_FALSE(model.store().query(model.moment(), "k"));
}

TEST_F(Answered, ExpiredPairsAreRestored) {
  Store& store = under("expiry-2.0", "restored", protocol::throttr_2_0);
  store.insert(after(0), "k", 9, seconds, 10);
  store.update(after(0), "k", Attribute::quota, Change::decrease, 4);
  EXPECT_EQ(store.query(after(9 * second_ns), "k")->quota, 5U);
  EXPECT_EQ(store.query(after(10 * second_ns), "k")->quota, 9U);
  EXPECT_EQ(store.query(after(25 * second_ns), "k")->ttl, 5U);
  EXPECT_TRUE(store.purge(after(25 * second_ns), "k"));
  EXPECT_FALSE(store.query(after(35 * second_ns), "k"));
}

TEST_F(Answered, MaximumIsInvalid) {
  Store& store = under("maximum-values", "invalid");
  EXPECT_FALSE(store.insert(after(0), "k", 255, seconds, 10));
  EXPECT_FALSE(store.insert(after(0), "k", 1, seconds, 255));
  EXPECT_FALSE(store.set(after(0), "k", std::string(255, 'x'), seconds, 10));
  EXPECT_TRUE(store.insert(after(0), "k", 254, seconds, 254));
  EXPECT_FALSE(store.update(after(0), "k", Attribute::quota, Change::increase, 1));
  EXPECT_FALSE(store.update(after(0), "k", Attribute::quota, Change::patch, 255));
}

TEST_F(Answered, EmptyNamesAreRefused) {
  Store& store = under("empty-names", "refused");
  EXPECT_FALSE(store.insert(after(0), "", 1, seconds, 10));
  EXPECT_FALSE(store.set(after(0), "", "a", seconds, 10));
  EXPECT_FALSE(store.set(after(0), "k", "", seconds, 10));
}

TEST_F(Answered, PurgeOfNothingIsAccepted) {
  EXPECT_TRUE(under("purge-missing", "accepted").purge(after(0), "k"));
}

class AnsweredChannels : public Answered {
 protected:
  Model& model_under(protocol::ReadingName reading, protocol::AnswerName answer,
                     const protocol::Dialect& dialect = protocol::throttr_7_1) {
    under(reading, answer, dialect);
    return model_.emplace(ModelOptions{.started_at = start, .behaviour = behaviour_});
  }

  std::optional<Model> model_;
  std::vector<Connection*> recipients_;
};

TEST_F(AnsweredChannels, PublisherReceivesItsOwn) {
  Model& model = model_under("publish-self", "yes");
  Connection& publisher = *model.open({});
  model.subscribe(publisher, "c");
  EXPECT_TRUE(model.publish(publisher, "c", 4, recipients_));
  EXPECT_EQ(recipients_, std::vector{&publisher});
}

TEST_F(AnsweredChannels, PublishToNobodyIsAccepted) {
  Model& model = model_under("publish-nobody", "accepted");
  EXPECT_TRUE(model.publish(*model.open({}), "c", 4, recipients_));
  EXPECT_TRUE(recipients_.empty());
}

TEST_F(AnsweredChannels, SecondSubscriptionIsAcceptedAndCountsOnce) {
  Model& model = model_under("subscribe-twice", "accepted");
  Connection& subscriber = *model.open({});
  EXPECT_TRUE(model.subscribe(subscriber, "c"));
  EXPECT_TRUE(model.subscribe(subscriber, "c"));
  EXPECT_EQ(model.channels().subscriptions(), 1U);
}

TEST_F(AnsweredChannels, UnsubscribeOfNothingIsAccepted) {
  Model& model = model_under("unsubscribe-absent", "accepted");
  EXPECT_TRUE(model.unsubscribe(*model.open({}), "c"));
}

TEST_F(AnsweredChannels, EmptyChannelsAndPayloadsAreRefused) {
  Model& model = model_under("empty-names", "refused");
  Connection& subscriber = *model.open({});
  EXPECT_FALSE(model.subscribe(subscriber, ""));
  EXPECT_TRUE(model.subscribe(subscriber, "c"));
  EXPECT_FALSE(model.publish(*model.open({}), "c", 0, recipients_));
}

TEST_F(AnsweredChannels, EveryConnectionOf73HasItsOwn) {
  Model& model = model_under("publish-self", "no", protocol::throttr_7_3);
  const Connection& first = *model.open({});
  Connection& second_one = *model.open({});
  ASSERT_NE(model.channels().find("*"), nullptr);
  EXPECT_EQ(model.channels().find("*")->subscribers.size(), 2U);
  EXPECT_NE(model.channels().find(base::to_hex(first.id)), nullptr);
  model.close(second_one);
  EXPECT_EQ(model.channels().find("*")->subscribers.size(), 1U);
  EXPECT_EQ(model.channels().size(), 2U);
}

// Every answer that is served chooses a behaviour of its own, unless it is one about layouts.
TEST(Behaviour, TellsAllAnswersAboutKeysApart) {
  const std::vector<std::string_view> layouts = {
      "status-prefix", "set-value-size", "list-bytes-used", "channels-subscribers", "connection-id",
      "whoami",        "publish-reply",  "ip-field",        "connection-index",     "fragments"};
  const auto bytes_of = [](const Behaviour& behaviour) {
    return std::string(reinterpret_cast<const char*>(&behaviour), sizeof behaviour);
  };
  for (const protocol::Dialect* dialect : protocol::throttr_dialects) {
    for (const protocol::Reading& reading : dialect->readings) {
      if (std::ranges::find(layouts, reading.id) != layouts.end()) continue;
      std::set<std::string> behaviours;
      std::size_t served = 0;
      for (const protocol::Answer& answer : reading.answers) {
        Readings readings(*dialect, Profile::deployed);
        if (!readings.set(reading.id, answer.id)) continue;
        ++served;
        behaviours.insert(bytes_of(behaviour_of(readings)));
      }
      EXPECT_EQ(behaviours.size(), served) << dialect->name << " " << reading.id;
    }
  }
}

}  // namespace
}  // namespace hallmark::model
