#pragma once

#include "reference/faults/faults.hpp"

namespace hallmark::faults {

using protocol::ByteBuffer;
using server::ConnectionHooks;
using server::Ending;
using server::SessionState;

/// A bug that is a `ConnectionHooks`, one for each worker.
template <class Decorating>
Code connections() {
  return [](Faults& faults) {
    faults.connections.emplace_back([] { return std::make_unique<Decorating>(); });
  };
}

/// All of them at once: something is so if one of them says so, and each of them is told.
std::unique_ptr<ConnectionHooks> all_of(std::vector<std::unique_ptr<ConnectionHooks>> hooks);

}  // namespace hallmark::faults
