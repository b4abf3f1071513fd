#pragma once

#include <functional>

#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance::testing {

/// The process of a simulated target: never dies, and has what `has` says.
class FakeProcess : public Supervisor {
 public:
  explicit FakeProcess(std::function<ProcessFigures()> has) : has_(std::move(has)) {}

  Time now() const override { return 0; }
  base::Expected<void, std::string> renew() override {
    ++generation_;
    return {};
  }
  void end_by(Time) override {}
  void set_reviving(bool) override {}
  unsigned generation() override { return generation_; }
  std::string given_up() override { return {}; }
  void begin_case(const std::string&) override {}
  bool end_case(bool) override { return false; }
  Watched watch() override { return {}; }
  bool starved(const Watched&) override { return false; }
  bool stuck(const Watched&) override { return false; }
  void answered() override {}
  bool end_hung(const Watched&) override { return false; }
  bool has_died() override { return false; }
  bool is_gone() override { return false; }
  std::size_t deaths() override { return 0; }
  bool last_hung() override { return false; }
  base::Expected<void, std::string> revive() override { return {}; }
  void claim(std::size_t, const std::string&, std::string_view) override {}
  std::string end_within(Time) override { return {}; }
  ProcessFigures figures(Thoroughness) override {
    ProcessFigures figures = has_();
    figures.process = generation_;
    return figures;
  }
  std::vector<Casualty> casualties() override { return {}; }
  std::size_t examined() override { return 0; }
  void set_examined() override {}

 private:
  std::function<ProcessFigures()> has_;
  unsigned generation_ = 1;
};

}  // namespace hallmark::conformance::testing
