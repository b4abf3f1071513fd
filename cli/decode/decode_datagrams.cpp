#include "cli/decode/decode_datagrams.hpp"

#include <filesystem>
#include <system_error>

#include "captures/datagram_sequence.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::cli {

bool looks_like_datagrams(const std::vector<std::string>& words) {
  std::error_code ignored;
  const bool is_file = words.empty() || words.front() == "-" ||
                       (words.size() == 1 && std::filesystem::exists(words.front(), ignored));
  if (is_file) return false;
  const auto loaded = captures::load(words, captures::InputFormat::text, captures::Messages::text);
  if (!loaded) return false;
  const captures::Format format(
      protocol::Width::none,
      protocol::Readings(protocol::ratelimit_udp, protocol::Profile::deployed));
  return captures::sender_of(format, loaded->lines.front().bytes).has_value();
}

}  // namespace hallmark::cli
