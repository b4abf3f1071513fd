#pragma once

namespace hallmark::captures {

// Messages of throttr-7.1 at u16 about the key "abc", in hexadecimal.
inline constexpr const char* insert_abc = "010700045a0003616263";
inline constexpr const char* query_abc = "0203616263";
inline constexpr const char* found_abc = "010700045900";

}  // namespace hallmark::captures
