#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/expected.hpp"
#include "conformance/drivers/stream/network.hpp"

/// The seam between cases of adapters and the world: what they write, how they end and the time
/// come through here and nowhere else.
namespace hallmark::conformance {

/// An adapter that runs. It is ended when this goes away.
class AdapterLink {
 public:
  AdapterLink() = default;
  virtual ~AdapterLink() = default;
  AdapterLink(const AdapterLink&) = delete;
  AdapterLink& operator=(const AdapterLink&) = delete;

  /// Writes all of it before `until`. `refused`: the adapter has closed its input.
  virtual Dispatch send(std::string_view bytes, Time until) = 0;

  /// Appends what comes next to `into`, at most 64 KiB at a time; waits for it until `until`.
  virtual Arrival receive(std::string& into, Time until) = 0;

  virtual void finish_sending() = 0;

  /// Waits for its end, at most until that time. `exited with code 7`; empty: it goes on running.
  virtual std::string how_it_ended(Time until) = 0;

  /// The end of what it wrote to its standard error, without the last newline.
  virtual std::string last_words() const = 0;
};

using AdapterStart = base::Expected<std::unique_ptr<AdapterLink>, std::string>;

class AdapterHost : public Seam {
 public:
  /// Starts the adapter afresh. Errors: one line that says why not.
  virtual AdapterStart start() = 0;
};

}  // namespace hallmark::conformance
