#pragma once

#include <mutex>

#include "conformance/record/recorder.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {

/// Asks another supervisor, and keeps each of its answers. Both outlive it.
class RecordingSupervisor : public Supervisor {
 public:
  RecordingSupervisor(Supervisor& real, Recorder& recorder) : real_(real), recorder_(recorder) {}

  Time now() const override { return recorder_.now(); }
  base::Expected<void, std::string> renew() override;
  void end_by(Time until) override { real_.end_by(until); }
  void set_reviving(bool on) override { real_.set_reviving(on); }
  unsigned generation() override;
  std::string given_up() override;
  void begin_case(const std::string& id) override { real_.begin_case(id); }
  bool end_case(bool passed) override;
  Watched watch() override;
  bool starved(const Watched& watched) override;
  bool stuck(const Watched& watched) override;
  void answered() override { real_.answered(); }
  bool end_hung(const Watched& watched) override;
  bool has_died() override;
  bool is_gone() override;
  std::size_t deaths() override;
  bool last_hung() override;
  base::Expected<void, std::string> revive() override;
  void claim(std::size_t since, const std::string& input, std::string_view name) override {
    real_.claim(since, input, name);
  }
  std::string end_within(Time lived) override;
  ProcessFigures figures(Thoroughness how) override;
  std::vector<Casualty> casualties() override;
  std::size_t examined() override;
  void set_examined() override { real_.set_examined(); }

 private:
  template <class Number>
  Number keep(std::string_view question, Number answer);
  std::string keep_text(std::string_view question, std::string answer);
  void note(std::string_view question, std::uint64_t number, std::string_view text);

  Supervisor& real_;
  Recorder& recorder_;
  std::mutex mutex_;
  std::size_t told_ = 0;  ///< casualties that the record has
};

}  // namespace hallmark::conformance
