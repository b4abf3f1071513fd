#pragma once
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace hallmark::loadgen {

/// Asio's completion token for `co_await` of a tuple of the error code and the result: an error is
/// not thrown.
inline constexpr auto as_result = boost::asio::as_tuple(boost::asio::use_awaitable);

}  // namespace hallmark::loadgen
