#pragma once
#include "stores/address.hpp"
#include "stores/store.hpp"

namespace hallmark::stores {

/// See `open_scanner`.
Result<std::unique_ptr<Scanner>> open_file_scanner(const base::FileEndpoint& address,
                                                   const ScanOptions& options);

}  // namespace hallmark::stores
