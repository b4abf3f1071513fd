#pragma once

#include <string>
#include <vector>

#include "transcript/capture.hpp"
#include "transcript/input.hpp"
#include "transcript/tally.hpp"

namespace hallmark::transcript {

/// What was decoded, and as what.
struct Source {
  std::string name;  ///< a path, "standard input" or "command line"
  InputFormat format;
  bool detected = true;               ///< false where the command line said so
  std::string profile;                ///< for example "deployed"
  std::vector<std::string> readings;  ///< put upon the profile, "reading=answer"
};

/// Takes text as it is made, so that the transcript of a large capture needs little memory.
using Write = std::function<void(std::string_view)>;

}  // namespace hallmark::transcript
