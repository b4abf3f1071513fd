#pragma once
#include <memory>
#include <string>

#include "base/error.hpp"
#include "reports/load_result.hpp"

namespace hallmark::cli {

/// The metrics that a load run gives Prometheus while it lasts, over HTTP.
class Metrics {
 public:
  /// Serves `/metrics` at HOST:PORT until this goes away. Errors: one line.
  static base::Result<std::unique_ptr<Metrics>> serve(const std::string& address);

  ~Metrics();

  /// One more second.
  void add(const reports::SecondSample& sample);

 private:
  struct Parts;
  explicit Metrics(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace hallmark::cli
