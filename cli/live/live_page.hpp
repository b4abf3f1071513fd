#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "cli/html/html_file.hpp"
#include "cli/live/live_server.hpp"

namespace hallmark::cli {

class Command;

/// Adds --live. `address`: as it is typed, [HOST:]PORT.
void add_live_option(Command& command, std::string& address);

/// The page of a run while it lasts, if one is asked for.
class LivePage {
 public:
  /// Serves the page of `source`, which outlives it, and says on standard error where; an empty
  /// address is no page. Without a host, nobody but this machine reaches it. Errors, one line: not
  /// an address, or one at which nobody may listen.
  static base::Result<LivePage> open(std::string_view command, const std::string& address,
                                     LiveSource& source);

  bool wanted() const { return server_ != nullptr; }
  /// The run is over: every page that is open becomes `page`.
  void finish(HtmlFile& page);

 private:
  std::unique_ptr<LiveServer> server_;
};

}  // namespace hallmark::cli
