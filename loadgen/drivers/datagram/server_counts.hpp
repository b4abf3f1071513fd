#pragma once
#include <functional>
#include <span>

#include "loadgen/drivers/datagram/asker.hpp"
#include "loadgen/drivers/datagram/limit_watch.hpp"

namespace hallmark::loadgen::datagram {

/// Asks the target for its own count of the uses of each key that the run alone used and whose
/// statistics the rules keep. A count is right when no use that was answered is missing and there
/// are no more than were sent (twice as many where `doubled`: something came twice). Nothing where
/// there is no such key.
std::optional<reports::ServerCounts> compare_with_server(Asker& asker, const Requests& requests,
                                                         std::span<const LimitWatch* const> watches,
                                                         bool doubled,
                                                         const std::function<bool()>& interrupted);

}  // namespace hallmark::loadgen::datagram
