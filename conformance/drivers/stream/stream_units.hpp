#pragma once

#include <limits>

#include "conformance/drivers/stream/player.hpp"
#include "conformance/engine/scheduler.hpp"

namespace hallmark::conformance {

/// Plays units over connections.
class StreamUnits : public UnitPlayer {
 public:
  static constexpr unsigned any_number = std::numeric_limits<unsigned>::max();

  explicit StreamUnits(RunContext& context) : context_(context) {}

  Seam& seam() override { return context_.network; }
  std::vector<reports::CaseResult> play(const Unit& unit) override;
  std::string why_no_more() override;
  bool stopped() override { return context_.stopped(); }
  bool exclusive() const override { return context_.exclusive; }
  unsigned most_jobs() const override { return any_number; }

 private:
  RunContext& context_;
};

}  // namespace hallmark::conformance
