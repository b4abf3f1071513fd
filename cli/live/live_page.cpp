#include "cli/live/live_page.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/options/command_line.hpp"

namespace hallmark::cli {
namespace {

/// A port alone is one of this machine's own.
std::string with_host(const std::string& address) {
  const bool port_only = address.find_first_not_of("0123456789") == std::string::npos;
  return port_only ? "127.0.0.1:" + address : address;
}

std::string page_that_follows() {
  HtmlFile file(Origin::this_run);
  pages::Page page = file.whole();
  page.live = true;
  return pages::render(page);
}

}  // namespace

void add_live_option(Command& command, std::string& address) {
  command
      .add_option("--live", address,
                  "Serve the page of --html at http://HOST:PORT/ while the run lasts; without a "
                  "host,\nfor this machine only")
      ->type_name("[HOST:]PORT")
      ->not_empty();
}

base::Result<LivePage> LivePage::open(std::string_view command, const std::string& address,
                                      LiveSource& source) {
  LivePage page;
  if (address.empty()) return page;
  const std::string at = with_host(address);
  auto server = LiveServer::listen(at, page_that_follows(), source);
  if (!server) return server.error();
  fmt::print(stderr, "hallmark {}: the run is at http://{}:{}/\n", command,
             at.substr(0, at.find_last_of(':')), (*server)->port());
  page.server_ = std::move(*server);
  return page;
}

void LivePage::finish(HtmlFile& page) {
  if (wanted()) server_->finish(pages::render_event(page.whole()));
}

}  // namespace hallmark::cli
