#pragma once
#include <string>
#include <vector>

namespace hallmark::cli {

/// The JSON schemas that the program carries, without `.schema.json`, in alphabetical order.
std::vector<std::string> schema_names();

}  // namespace hallmark::cli
