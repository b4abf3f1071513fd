#pragma once
#include <memory>
#include <string_view>

#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::loadgen::datagram {

/// The rules of a file with that text, which must be valid.
inline std::shared_ptr<const protocol::ratelimit::Rules> rules(std::string_view text) {
  return std::make_shared<protocol::ratelimit::Rules>(
      protocol::ratelimit::Rules::parse(text).value());
}

}  // namespace hallmark::loadgen::datagram
