#pragma once

#include <mutex>

#include "conformance/record/playback.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {

/// Answers as the supervisor of a recorded run did. Where the record has no answer, no process runs
/// any more. The record outlives it.
class PlayedSupervisor : public Supervisor {
 public:
  explicit PlayedSupervisor(Playback& playback) : playback_(playback) {}

  Time now() const override { return playback_.now(); }
  base::Expected<void, std::string> renew() override;
  void end_by(Time) override {}
  void set_reviving(bool) override {}
  unsigned generation() override;
  std::string given_up() override;
  void begin_case(const std::string&) override {}
  bool end_case(bool passed) override;
  Watched watch() override;
  bool starved(const Watched&) override;
  bool stuck(const Watched&) override;
  void answered() override {}
  bool end_hung(const Watched&) override;
  bool has_died() override;
  bool is_gone() override;
  std::size_t deaths() override;
  bool last_hung() override;
  base::Expected<void, std::string> revive() override;
  /// The record has the casualties with what was claimed.
  void claim(std::size_t, const std::string&, std::string_view) override {}
  std::string end_within(Time) override;
  ProcessFigures figures(Thoroughness) override;
  std::vector<Casualty> casualties() override;
  std::size_t examined() override;
  void set_examined() override {}

 private:
  std::uint64_t number(std::string_view question);
  std::string text(std::string_view question);
  base::Expected<void, std::string> started(std::string_view question);

  Playback& playback_;
  std::mutex mutex_;
  std::vector<Casualty> casualties_;
};

}  // namespace hallmark::conformance
