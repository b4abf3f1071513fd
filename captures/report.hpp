#pragma once

#include <string>
#include <vector>

#include "captures/capture.hpp"
#include "captures/input.hpp"
#include "captures/tally.hpp"

namespace hallmark::captures {

/// The input that was decoded, and the format that it was decoded by.
struct Source {
  std::string name;  ///< a path, "standard input" or "command line"
  InputFormat format;
  bool detected = true;               ///< false where the command line said so
  std::string profile;                ///< for example "deployed"
  std::vector<std::string> readings;  ///< put upon the profile, "reading=answer"
};

/// Takes text as it is made, so that the transcript of a large capture needs little memory.
using Write = std::function<void(std::string_view)>;

}  // namespace hallmark::captures
