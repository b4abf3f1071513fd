#pragma once

#include <string>
#include <vector>

#include "conformance/drivers/stream/network.hpp"
#include "conformance/record/packed.hpp"

namespace hallmark::conformance {

/// One call over the seam between a run and the world, or what a case made of what came.
struct Crossing {
  enum class Kind : std::uint8_t {
    open,  ///< a connection, a socket or a process
    send,
    offer,  ///< like `send`, of bytes taken at once; `number`: how many were taken
    receive,
    finish,  ///< nothing more is sent
    reset,
    close,
    wait,
    ended,    ///< the end of a process: in `bytes`, as text
    words,    ///< its last words on its standard error: likewise
    shared,   ///< `number` of `what`; holds from here on
    process,  ///< the supervisor's answer to `name`: `number`, or `bytes` as text
    judged,   ///< `bytes` are taken for the message `name`
  };
  enum class Outcome : std::uint8_t {
    done,     ///< for `receive`: bytes came
    refused,  ///< for `open`: `bytes` say why, as text
    timed_out,
    closed,
    reset,
  };

  Kind kind = Kind::wait;
  Outcome outcome = Outcome::done;
  Shared what = Shared::serial;
  std::uint32_t link = 0;  ///< the connection: counted from 1 as they were opened; 0: none
  Time took = 0;           ///< ns since the crossing before it, or the beginning of the part
  std::uint64_t number = 0;
  std::string name{};
  Packed bytes{};
  bool operator==(const Crossing&) const = default;
};

/// The numbers that start again in each part.
enum class Links : std::uint8_t {
  of_part,  ///< connections: none outlives the part that opened it
  of_run,   ///< none: parts follow each other on one thread, and connections go on
};

/// A part of a run: all its crossings, in their order.
struct Part {
  std::string name;
  Time began = 0;  ///< ns since the run began
  Time ended = 0;
  std::vector<Crossing> crossings;
  bool operator==(const Part&) const = default;
};

std::string_view name_of(Crossing::Kind kind);
std::string_view name_of(Crossing::Outcome outcome);
std::string_view name_of(Shared what);

}  // namespace hallmark::conformance
