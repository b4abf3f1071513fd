#pragma once
#include "protocol/codec/layout.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::protocol {

/// throttr-7.1 as servers of that release speak it.
inline const Readings as_released(throttr_7_1, Profile::deployed);
/// throttr-7.1 as its document says.
inline const Readings as_written(throttr_7_1, Profile::literal);

inline Layout request(MessageName name, Width width = Width::u16,
                      const Readings& readings = as_released) {
  return Layout::request(*find_operation(throttr_7_1, name), width, readings);
}

inline Layout reply(MessageName name, Width width = Width::u16,
                    const Readings& readings = as_released) {
  return Layout::reply(*find_operation(throttr_7_1, name), width, readings);
}

}  // namespace hallmark::protocol
