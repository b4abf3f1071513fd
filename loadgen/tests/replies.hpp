#pragma once
#include <string_view>

#include "loadgen/requests.hpp"
#include "reference/protocol/encode.hpp"

namespace hallmark::loadgen {

/// The reply a server gives to an operation, encoded by the generic walker. `changes` replace what
/// is otherwise as `Requests` stores it: a TTL type of hours, a TTL below a day.
protocol::Bytes reply_to(std::string_view operation, const Workload& workload, bool success = true,
                         const protocol::Record& changes = {});

/// What a subscriber receives.
protocol::Bytes delivery(const Workload& workload, std::string_view payload);

/// A workload of throttr-7.1 with that mix.
Workload workload_of(std::string mix, protocol::Width width = protocol::Width::u16);

}  // namespace hallmark::loadgen
