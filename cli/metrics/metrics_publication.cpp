#include "cli/metrics/metrics_publication.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/quantity.hpp"
#include "cli/metrics/metrics_push.hpp"
#include "cli/options/command_line.hpp"
#include "loadgen/engine/interrupts.hpp"

namespace hallmark::cli {

void add_metrics_options(Command& command, MetricsArguments& arguments) {
  auto* metrics = command
                      .add_option("--metrics", arguments.address,
                                  "Serve metrics for Prometheus at http://HOST:PORT/metrics during "
                                  "the run")
                      ->type_name("HOST:PORT");
  command
      .add_option("--metrics-linger", arguments.linger,
                  "Of --metrics: serve the last values for so long after the run")
      ->needs(metrics)
      ->capture_default_str();
  command
      .add_option("--metrics-push", arguments.push,
                  "Push the last values to a Prometheus Pushgateway, such as http://HOST:9091")
      ->type_name("URL");
  command.advanced({"--metrics-linger", "--metrics-push"});
}

base::Result<std::unique_ptr<MetricsPublication>> MetricsPublication::open(
    const MetricsArguments& arguments) {
  const auto linger = base::parse_duration(arguments.linger);
  if (!linger) return base::Error{fmt::format("--metrics-linger: {}", linger.error().message)};
  if (!arguments.push.empty()) {
    if (const auto checked = check_push_url(arguments.push); !checked) return checked.error();
  }
  std::unique_ptr<MetricsPublication> publication(new MetricsPublication);
  publication->linger_ = *linger;
  publication->push_ = arguments.push;
  if (arguments.address.empty()) return publication;
  auto server =
      MetricsServer::listen(arguments.address, [told = publication.get()] { return told->text(); });
  if (!server) return server.error();
  publication->server_ = std::move(*server);
  return publication;
}

void MetricsPublication::begin(const MetricLabels& labels) {
  const std::scoped_lock lock{mutex_};
  labels_ = labels;
  metrics_ = std::make_unique<LoadMetrics>(labels);
}

void MetricsPublication::add(std::span<const std::string> names, const loadgen::Tally& second) {
  const std::scoped_lock lock{mutex_};
  metrics_->add(names, second);
}

std::string MetricsPublication::text() {
  const std::scoped_lock lock{mutex_};
  return metrics_ == nullptr ? std::string() : metrics_->text();
}

base::Result<void> MetricsPublication::finish() {
  if (metrics_ == nullptr) return {};
  {
    const std::scoped_lock lock{mutex_};
    metrics_->finish();
  }
  base::Result<void> pushed;
  if (!push_.empty())
    pushed = push_metrics(push_url(push_, labels_.run, std::to_string(labels_.rank)), text());
  if (server_ != nullptr && linger_.count() != 0) linger();
  return pushed;
}

void MetricsPublication::linger() const {
  boost::asio::io_context context{1};
  boost::asio::steady_timer timer{context, linger_};
  loadgen::Interrupts interrupts{context};
  interrupts.watch([&] { context.stop(); });
  timer.async_wait([&](boost::system::error_code) { context.stop(); });
  context.run();
}

}  // namespace hallmark::cli
