#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "cli/live/live_source.hpp"

namespace hallmark::cli {

class LiveReaders;

/// Serves the page of a run while it lasts, in a thread of its own: the page at /, and what is new
/// once a second at /events, as server-sent events (WHATWG HTML, 9.2). Readers may come, go, or
/// stop reading; the run does not notice. Pages of other origins are refused.
class LiveServer {
 public:
  /// `address`: as HttpListener takes it. `page`: the HTML at /. `source` outlives the server.
  /// Errors, one line: not an address, or one at which nobody may listen.
  static base::Result<std::unique_ptr<LiveServer>> listen(const std::string& address,
                                                          std::string page, LiveSource& source);
  ~LiveServer();

  std::uint16_t port() const;

  /// The run is over. Sends every reader this event, JSON in one line, and waits until they have
  /// taken it or their patience is over.
  void finish(const std::string& final_event);

 private:
  explicit LiveServer(std::unique_ptr<LiveReaders> readers);

  std::unique_ptr<LiveReaders> readers_;
};

}  // namespace hallmark::cli
