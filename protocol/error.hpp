#pragma once
#include "base/error.hpp"

namespace hallmark::protocol {

using base::Error;
using base::Result;

}  // namespace hallmark::protocol
