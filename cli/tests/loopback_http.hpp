#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <string_view>

/// HTTP over loopback, as tests of metrics speak it.
namespace hallmark::cli::test {

namespace asio = boost::asio;
using asio::ip::tcp;

inline constexpr std::string_view metrics_text = "requests 7\n";

/// Port 0: one that the system chooses.
inline tcp::endpoint loopback(std::uint16_t port = 0) {
  return {asio::ip::address_v4::loopback(), port};
}

inline void write(tcp::socket& socket, std::string_view text) {
  asio::write(socket, asio::buffer(text.data(), text.size()));
}

/// Reads until `text` ends so.
inline void read_until_end(tcp::socket& socket, std::string& text, std::string_view end) {
  while (!text.ends_with(end))
    asio::read(socket, asio::dynamic_buffer(text), asio::transfer_at_least(1));
}

/// Reads until the other side closes.
inline std::string read_all(tcp::socket& socket) {
  std::string text;
  boost::system::error_code end;
  asio::read(socket, asio::dynamic_buffer(text), end);
  return text;
}

}  // namespace hallmark::cli::test
