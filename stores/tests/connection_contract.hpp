#pragma once
#include <functional>

#include "stores/store.hpp"

/// The duties of every store with connections.
namespace hallmark::stores::contract {

void run_all(const Address& address);

/// Writes until the store is killed and restarted: what was told to be done is there afterwards,
/// and writing all of it again loses nothing.
void survives_a_kill(const Address& address, const std::function<void()>& kill,
                     const std::function<void()>& restart);

void meets_the_deadline(const Address& address, const std::function<void()>& pause,
                        const std::function<void()>& resume);

/// Without a descriptor it is this machine that keeps a connection from being made.
void tells_what_this_machine_lacks(const Address& address);

}  // namespace hallmark::stores::contract
