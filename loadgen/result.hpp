#pragma once
#include "reference/protocol/error.hpp"

namespace hallmark::loadgen {

using protocol::Error;
using protocol::Result;

}  // namespace hallmark::loadgen
