#pragma once

#include "reference/protocol/dialects/all.hpp"

namespace hallmark::conformance {

/// An answer to a reading. Written out; that some dialect has it is checked when compiling.
struct Chosen : protocol::When {
  consteval Chosen(std::string_view of, std::string_view chosen) : When{of, chosen} {
    if (!exists(*this)) throw "no dialect has a reading with such an answer";
  }

 private:
  static consteval bool exists(const protocol::When& wanted) {
    for (const protocol::Dialect* const dialect : protocol::all_dialects) {
      for (const protocol::Reading& one : dialect->readings) {
        if (one.id != wanted.reading) continue;
        for (const protocol::Answer& each : one.answers) {
          if (each.id == wanted.answer) return true;
        }
      }
    }
    return false;
  }
};

}  // namespace hallmark::conformance
