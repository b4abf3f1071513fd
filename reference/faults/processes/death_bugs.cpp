#include <csignal>

#include "reference/faults/bugs.hpp"
#include "reference/faults/connections/connection_fault.hpp"
#include "reference/faults/processes/endings.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {
namespace {

std::size_t size_of(const Record& values, protocol::FieldName field) {
  const protocol::Value* const value = values.find(field);
  return value == nullptr ? 0 : std::get<Bytes>(*value).size();
}

struct InsideRequest : ConnectionHooks {
  void ended(Ending, const ByteBuffer& in, const ByteBuffer&) override {
    if (!in.empty()) exit_at_once();
  }
};

struct OfReset : ConnectionHooks {
  void ended(Ending ending, const ByteBuffer&, const ByteBuffer&) override {
    if (ending == Ending::broken) die_of(SIGABRT);
  }
};

/// A few replies that cannot be written any more: a client that let many pile up was reset.
struct OfBrokenPipe : ConnectionHooks {
  static constexpr std::size_t few = std::size_t{64} << 10;
  void ended(Ending ending, const ByteBuffer&, const ByteBuffer& out) override {
    if (ending == Ending::broken && !out.empty() && out.size() <= few) die_of(SIGPIPE);
  }
};

struct OfManyConnections : ConnectionHooks {
  static constexpr std::size_t most = 800;
  bool waits(std::size_t served) override {
    if (served >= most) die_of(SIGSEGV);
    return false;
  }
};

}  // namespace

Bugs death_bugs() {
  return {
      {.id = "death.of-long-value",
       .breaks = "a SET of more than 20,000 bytes is a segmentation fault",
       .violates = {{"throttr-7.1", {"silence.neighbours"}}},
       .code = wire({.operations = {"SET"},
                     .request =
                         [](Record& values, const WireContext&) {
                           if (size_of(values, "value") > 20'000) die_of(SIGSEGV);
                         }})},
      {.id = "death.of-empty-key",
       .breaks = "a key of length 0 is a division by zero",
       .violates = {{"throttr-7.1", {"silence.empty-names"}}},
       .code = wire({.operations = {"INSERT", "QUERY", "UPDATE", "PURGE", "SET", "GET"},
                     .request =
                         [](Record& values, const WireContext&) {
                           if (size_of(values, name_in(values)) == 0) die_of(SIGFPE);
                         }})},
      {.id = "death.inside-request",
       .breaks = "a connection that ends inside a request ends the process with exit code 1",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}},
                    {"throttr-2.0", {"silence.ended-connections"}}},
       .code = connections<InsideRequest>()},
      {.id = "death.of-reset",
       .breaks = "a connection that is reset aborts the process",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}}},
       .code = connections<OfReset>()},
      {.id = "death.of-broken-pipe",
       .breaks = "replies for a client that has left end the process by SIGPIPE",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}},
                    {"throttr-2.0", {"silence.ended-connections"}}},
       .code = connections<OfBrokenPipe>()},
      {.id = "death.of-many-connections",
       .breaks = "the 801st connection at a time is a segmentation fault",
       .violates = {{"throttr-7.1", {"silence.neighbours"}}},
       .code = connections<OfManyConnections>()},
  };
}

}  // namespace hallmark::faults
