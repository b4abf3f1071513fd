#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "loadgen/drivers/store/limiter.hpp"
#include "oracle/admission_bound.hpp"
#include "stores/store.hpp"

namespace hallmark::loadgen::store {

using Connect = std::function<stores::Result<std::unique_ptr<stores::Connection>>()>;

/// The options that only a run on a store has.
struct StoreOptions {
  /// Makes a connection of its own for each caller; called by many threads.
  Connect connect = {};
  std::shared_ptr<const Limiter> limiter = {};
  std::string strategy = {};               ///< of the limiter, for people
  std::vector<oracle::Bound> bounds = {};  ///< that its admissions are held to
  std::uint32_t retries = 10;              ///< of one request, after conflicts
};

}  // namespace hallmark::loadgen::store
