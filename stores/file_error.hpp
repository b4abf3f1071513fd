#pragma once
#include <filesystem>

#include "stores/error.hpp"

namespace hallmark::stores {

/// The meaning of an errno for a file of states. `what`: "read" or "write".
Error file_error(const std::filesystem::path& path, const char* what, int reason);

}  // namespace hallmark::stores
