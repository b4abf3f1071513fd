#pragma once

#include "protocol/dialects/ratelimit_state_readings.hpp"
#include "protocol/dialects/ratelimit_udp_readings.hpp"
#include "protocol/dialects/throttr_readings.hpp"

namespace hallmark::conformance {

/// An answer to a reading. Written out; that some dialect has it is checked when compiling.
struct Chosen : protocol::When {
  consteval Chosen(std::string_view of, std::string_view chosen) : When{of, chosen} {
    if (!exists(*this)) throw "no dialect has a reading with such an answer";
  }

 private:
  static consteval bool is(const protocol::Reading& one, const protocol::When& wanted) {
    if (one.id != wanted.reading) return false;
    for (const protocol::Answer& each : one.answers) {
      if (each.id == wanted.answer) return true;
    }
    return false;
  }

  static consteval bool exists(const protocol::When& wanted) {
    for (const protocol::Reading* const one : protocol::throttr::reading::all) {
      if (is(*one, wanted)) return true;
    }
    for (const protocol::Reading& one : protocol::ratelimit_udp_table::readings) {
      if (is(one, wanted)) return true;
    }
    for (const protocol::Reading& one : protocol::ratelimit_state_table::readings) {
      if (is(one, wanted)) return true;
    }
    return false;
  }
};

}  // namespace hallmark::conformance
