#pragma once

#include <limits>

#include "conformance/drivers/adapter/adapter_client.hpp"
#include "conformance/supervisor/attendant.hpp"

namespace hallmark::conformance {

/// Looks after an adapter. All that it learns crosses the seam: a run that is played back dies of
/// the same. For one thread.
class AdapterAttendant : public Attendant {
 public:
  AdapterAttendant(AdapterHost& host, AdapterClient& client);

  Time now() const override { return host_.now(); }
  base::Expected<void, std::string> renew() override;
  void end_by(Time until) override { until_ = until; }
  /// The process that was asked last is gone, whatever comes: the client starts each afresh.
  void set_reviving(bool) override {}
  std::string given_up() override;
  void begin_case(const std::string& id) override;
  bool end_case(bool passed) override;
  bool has_died() override { return false; }
  std::string end_within(Time lived) override;
  std::vector<Casualty> casualties() override { return casualties_; }
  std::size_t examined() override { return examined_; }
  void set_examined() override { examined_ = casualties_.size(); }

 private:
  void add(reports::Death death, bool alone);

  AdapterHost& host_;
  AdapterClient& client_;
  Time begun_;
  Time until_ = std::numeric_limits<Time>::max();
  std::string running_;
  std::vector<Casualty> casualties_;
  std::size_t examined_ = 0;
};

}  // namespace hallmark::conformance
