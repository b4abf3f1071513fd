#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/concurrency/race.hpp"

/// Counters that several connections use at a time.
namespace hallmark::conformance {
namespace {

using enum oracle::RecordAction;
using protocol::Level;

/// Added units have to be there, and spent ones have to be gone.
void up_and_down(Stage& stage) {
  Race race(stage, usual_clients);
  const std::uint32_t key = race.key();
  race.alone(0, key, {insert, 60});
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    for (std::uint32_t client = 0; client < usual_clients; ++client)
      race.plan(client, key, {race.random().one_in(2) ? increase : decrease, 1});
    race.run();
    race.alone(static_cast<std::uint32_t>(race.random().below(usual_clients)), key, {query});
  }
}

/// More connections than there are units want one each: each unit is spent once.
void last_units(Stage& stage) {
  Race race(stage, usual_clients);
  const std::uint32_t key = race.key();
  race.alone(0, key, {insert, 0});
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    race.alone(0, key, {patch, 1 + race.random().below(usual_clients - 1)});
    race.plan_all(key, {decrease, 1});
    race.run();
    race.alone(1, key, {query});
  }
}

void one_insert_wins(Stage& stage) {
  Race race(stage, usual_clients);
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    const std::uint32_t key = race.key();
    for (std::uint32_t client = 0; client < usual_clients; ++client)
      race.plan(client, key, {insert, client});
    race.run();
    race.plan_all(key, {query});
    race.run();
  }
}

/// One key is made and removed all the time.
void insert_against_purge(Stage& stage) {
  Race race(stage, usual_clients);
  const std::uint32_t key = race.key();
  // Replies that are wrong without a race are wrong in the same way in each run.
  for (const Move& move : {Move{insert, 0}, Move{query}, Move{purge}}) race.alone(0, key, move);
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    for (std::uint32_t client = 0; client < usual_clients; ++client) {
      race.plan(client, key, race.random().one_in(2) ? Move{insert, client} : Move{purge});
      if (race.random().one_in(2)) race.plan(client, key, {query});
    }
    race.run();
  }
}

/// An update of a record that is removed meanwhile does not bring it back.
void update_against_purge(Stage& stage) {
  Race race(stage, usual_clients);
  const std::uint32_t key = race.key();
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    race.alone(0, key, {insert, 10});
    race.plan(0, key, {purge});
    for (std::uint32_t client = 1; client < usual_clients; ++client)
      race.plan(client, key, {increase, 1});
    race.run();
    race.plan_all(key, {query});
    race.run();
  }
}

/// Once a connection was told that a change is done, every other connection sees it.
void reads_while_writing(Stage& stage) {
  Race race(stage, usual_clients);
  const std::uint32_t key = race.key();
  race.alone(0, key, {insert, 0});
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    race.alone(0, key, {patch, 1 + round});
    race.plan_all(key, {query});
    race.run();
    race.plan(0, key, {increase, 100});
    for (std::uint32_t client = 1; client < usual_clients; ++client)
      race.plan(client, key, {query});
    race.run(Race::Pace::staggered);
  }
}

/// Requests that a connection sends ahead take effect in their order, whatever others do meanwhile.
void sent_ahead(Stage& stage) {
  Race race(stage, 4);
  const std::uint32_t key = race.key();
  race.alone(0, key, {insert, 30});
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    for (std::uint32_t client = 0; client < race.clients(); ++client) {
      race.plan(client, key, {race.random().one_in(2) ? increase : decrease, 1 + client});
      race.plan(client, key, {query});
    }
    race.run(Race::Pace::together);
  }
}

/// Each connection has a key that no other one uses, while all of them use one.
void keys_apart(Stage& stage) {
  Race race(stage, usual_clients);
  const std::uint32_t common = race.key();
  std::vector<std::uint32_t> own;
  race.alone(0, common, {insert, 100});
  for (std::uint32_t client = 0; client < usual_clients; ++client) {
    own.push_back(race.key());
    race.alone(client, own[client], {insert, std::uint64_t{10} * client});
  }
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    for (std::uint32_t client = 0; client < usual_clients; ++client) {
      race.plan(client, own[client], {increase, 1});
      race.plan(client, common, {race.random().one_in(2) ? increase : decrease, 1});
      race.plan(client, own[client], {query});
    }
    race.run();
  }
}

/// Nobody knows how much of what they sent takes effect; but each request does once at most.
void cut_off(Stage& stage) {
  Race race(stage, 4);
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    const std::uint32_t key = race.key();
    race.alone(0, key, {insert, 50});
    race.plan(1, key, {increase, 1});
    race.plan(2, key, {decrease, 20});
    race.hang_up(1);
    race.hang_up(2);
    for (const std::uint32_t client : {0U, 3U}) {
      race.plan(client, key, {increase, 5});
      race.plan(client, key, {query});
    }
    race.run();
    race.plan_all(key, {query});
    race.run();
  }
}

}  // namespace

BehaviourCases concurrent_counter_cases() {
  return {
      {"concurrency/up-and-down",
       "increments and decrements of several connections all count",
       "UPDATE",
       Level::must,
       {"silence.concurrency", "update.changes"},
       up_and_down},
      {"concurrency/last-units",
       "each unit of a quota is spent once, however many want it",
       "UPDATE",
       Level::must,
       {"silence.concurrency", "update.changes", "update.decrease-negative"},
       last_units},
      {"concurrency/one-insert-wins",
       "of INSERTs of one key at a time one succeeds, and its quota is there",
       "INSERT",
       Level::must,
       {"silence.concurrency", "insert.adds-counter", "silence.insert-existing"},
       one_insert_wins},
      {"concurrency/insert-against-purge",
       "a key that is made and removed all the time is there or not",
       "PURGE",
       Level::must,
       {"silence.concurrency", "insert.adds-counter", "purge.removes", "purge.status"},
       insert_against_purge,
       {.readings = {"insert-existing", "purge-missing"}}},
      {"concurrency/update-against-purge",
       "an update does not bring back what is removed meanwhile",
       "PURGE",
       Level::must,
       {"silence.concurrency", "purge.removes", "silence.update-missing"},
       update_against_purge},
      {"concurrency/reads-while-writing",
       "what one connection was told to be done, every other sees",
       "QUERY",
       Level::must,
       {"silence.concurrency", "query.found", "update.changes"},
       reads_while_writing},
      {"concurrency/sent-ahead",
       "requests sent ahead take effect in their order, whatever others do",
       "QUERY",
       Level::must,
       {"silence.concurrency", "stream.reply-order", "silence.reply-order"},
       sent_ahead},
      {"concurrency/keys-apart",
       "connections at work on keys of their own get their own replies",
       "QUERY",
       Level::must,
       {"silence.concurrency", "key.unique", "stream.reply-order"},
       keys_apart},
      {"concurrency/cut-off",
       "what was under way when its connection closed takes effect once at most",
       "UPDATE",
       Level::must,
       {"silence.concurrency", "silence.ended-connections"},
       cut_off},
  };
}

}  // namespace hallmark::conformance
