#pragma once
#include <gtest/gtest.h>

#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::protocol::ratelimit {

/// The rules of a file with that text. The test fails if they are not valid.
inline Rules rules(std::string_view text) {
  auto read = Rules::parse(text);
  if (!read) {
    ADD_FAILURE() << to_string(read.error(), "rules");
    return example_rules();
  }
  return std::move(*read);
}

}  // namespace hallmark::protocol::ratelimit
