#pragma once

#include <map>
#include <optional>

#include "conformance/tests/fake_process.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {

/// The effect of a segment that begins with a certain byte.
enum class Effect : std::uint8_t {
  kills,       ///< the process ends
  kills_late,  ///< it ends when the second segment after that arrives
  hangs,       ///< nobody is answered any more
  hangs_once,  ///< the same of the first process; the next ones do not know the byte
  mutes,       ///< this connection is not answered any more
  tires,       ///< the fourth of them mutes this connection
  refuses,     ///< the byte is answered with 00, and left out
};

/// A simulated target that dies and hangs of what it is told to, and is started afresh as a process
/// is that Hallmark started; of 7.1 at u16.
class ScriptedNetwork : public Network {
 public:
  explicit ScriptedNetwork(std::map<std::uint8_t, Effect> script, bool started_here = true)
      : script_(std::move(script)), started_here_(started_here) {
    server_.emplace(format_u16());
  }

  LinkResult connect(Time until) override;
  Time now() const override { return inner_.now(); }
  void wait_until(Time until) override { inner_.wait_until(until); }
  Supervisor* supervisor() override { return started_here_ ? &process_ : nullptr; }

  unsigned starts() const { return generation_; }
  unsigned connections() const { return connections_; }
  /// The inputs that are said to have ended a process.
  const std::vector<std::string>& blamed() const { return blamed_; }

 private:
  friend class ScriptedLink;
  enum class State : std::uint8_t { serves, dead, hung };

  /// Says what became of the target.
  class Process : public FakeProcess {
   public:
    explicit Process(ScriptedNetwork& network)
        : FakeProcess([] { return ProcessFigures(); }), network_(network) {}
    unsigned generation() override { return network_.generation_; }
    bool has_died() override { return network_.state_ == State::dead; }
    bool is_gone() override { return has_died(); }
    std::size_t deaths() override { return network_.ends_; }
    void claim(std::size_t /*since*/, const std::string& input,
               std::string_view /*name*/) override {
      network_.blamed_.push_back(input);
    }
    bool last_hung() override { return network_.ended_ == State::hung; }
    base::Expected<void, std::string> revive() override {
      if (network_.state_ != State::serves) network_.start();
      return {};
    }
    base::Expected<void, std::string> renew() override {
      network_.start();
      return {};
    }

   private:
    ScriptedNetwork& network_;
  };

  void arrived();
  void end(State how) {
    state_ = ended_ = how;
    ++ends_;
  }
  void start();

  std::map<std::uint8_t, Effect> script_;
  bool started_here_;
  std::optional<FakeServer> server_;
  SimulatedNetwork inner_{*server_};
  State state_ = State::serves;
  State ended_ = State::serves;  ///< the way in which the last process ended
  std::size_t ends_ = 0;
  std::vector<std::string> blamed_;
  unsigned generation_ = 1;
  unsigned connections_ = 0;  ///< ever opened
  int segments_left_ = 0;     ///< until it dies; 0: it does not
  Process process_{*this};
};

}  // namespace hallmark::conformance::testing
