#pragma once
#include <random>
#include <string>

#include "oracle/linearizability.hpp"

/// Histories for tests.
namespace hallmark::oracle::testing {

/// `c1 INSERT 5 → ok` from 10 to 20: at(1, 10, 20, succeeded(RecordAction::insert, 5)).
RecordOperation at(std::uint32_t client, std::int64_t invoked_ns, std::int64_t returned_ns,
                   RecordOperation operation);

RecordOperation succeeded(RecordAction action, std::uint64_t argument = 0);
RecordOperation failed(RecordAction action, std::uint64_t argument = 0);
RecordOperation told(RecordAction action, std::uint64_t value);
/// Nobody knows what became of it.
RecordOperation unknown(RecordAction action, std::uint64_t argument = 0);

/// Operations of clients that overlap at random, each answered as it would be were it done at some
/// random time between its invocation and its return; afterwards, with `wrong` of them told
/// something else at random.
RecordHistory random_history(std::mt19937_64& random, std::size_t operations, std::size_t clients,
                             std::size_t wrong);

/// Makes histories as `random_history` does, but of records that end after some time.
RecordHistory random_ending_history(std::mt19937_64& random, std::size_t operations,
                                    std::size_t clients, std::size_t wrong);

/// `clients` clients that increase and decrease one counter by 1 to `most`, and query it, without a
/// pause and all at a time: linearizable.
RecordHistory busy_counter(std::uint64_t seed, std::size_t operations, std::size_t clients,
                           std::uint64_t most);

/// Tries every order of the operations: for few of them only.
/// `in_time`: there also have to be times for what it finds there or gone, in that order.
bool some_order_fits(const RecordHistory& history, const RecordRules& rules, ClientOrder order,
                     bool in_time = false);

}  // namespace hallmark::oracle::testing
