#include "conformance/tests/scripted_network.hpp"

#include <utility>

namespace hallmark::conformance::testing {

class ScriptedLink : public Link {
 public:
  ScriptedLink(ScriptedNetwork& network, std::unique_ptr<Link> inner)
      : network_(network), generation_(network.generation_), inner_(std::move(inner)) {}

  Dispatch send(base::ByteView bytes, Time until) override {
    if (is_gone()) return Dispatch::refused;
    network_.arrived();
    const auto effect = network_.script_.find(bytes.front());
    if (effect == network_.script_.end() || is_over(effect->second))
      return inner_->send(bytes, until);
    apply(effect->second);
    if (effect->second == Effect::refuses) return inner_->send(bytes.subspan(1), until);
    if (effect->second == Effect::tires && !muted_) return inner_->send(bytes, until);
    return Dispatch::sent;
  }

  std::size_t offer(base::ByteView bytes) override {
    return send(bytes, network_.now()) == Dispatch::sent ? bytes.size() : 0;
  }

  Arrival receive(base::Bytes& into, Time until) override {
    if (is_gone()) return Arrival::closed;
    if (muted_ || network_.state_ == ScriptedNetwork::State::hung) {
      network_.wait_until(until);
      return Arrival::timed_out;
    }
    if (std::exchange(refused_, false)) {
      into.push_back(0);
      return Arrival::bytes;
    }
    if (closed_) return Arrival::closed;
    return inner_->receive(into, until);
  }

  void finish_sending() override { inner_->finish_sending(); }
  void reset() override { inner_->reset(); }

 private:
  bool is_gone() const {
    return generation_ != network_.generation_ || network_.state_ == ScriptedNetwork::State::dead;
  }

  bool is_over(Effect effect) const {
    return effect == Effect::hangs_once && network_.generation_ > 1;
  }

  void apply(Effect effect) {
    using State = ScriptedNetwork::State;
    switch (effect) {
      case Effect::kills: return network_.end(State::dead);
      case Effect::kills_late:
        network_.segments_left_ = 2;
        closed_ = true;
        return;
      case Effect::hangs:
      case Effect::hangs_once: return network_.end(State::hung);
      case Effect::mutes: muted_ = true; return;
      case Effect::tires: muted_ = ++tiring_ == 4; return;
      case Effect::refuses: refused_ = true; return;
    }
  }

  ScriptedNetwork& network_;
  unsigned generation_;
  std::unique_ptr<Link> inner_;
  int tiring_ = 0;  ///< segments that tire came
  bool muted_ = false;
  bool refused_ = false;
  bool closed_ = false;
};

LinkResult ScriptedNetwork::connect(Time until) {
  if (state_ == State::dead && !started_here_) return std::string("Connection refused");
  if (state_ == State::dead) start();
  LinkResult inner = inner_.connect(until);
  if (!inner) return inner.error();
  ++connections_;
  return std::unique_ptr<Link>(std::make_unique<ScriptedLink>(*this, std::move(*inner)));
}

void ScriptedNetwork::arrived() {
  if (segments_left_ > 0 && --segments_left_ == 0) end(State::dead);
}

void ScriptedNetwork::start() {
  state_ = State::serves;
  segments_left_ = 0;
  ++generation_;
  server_.emplace(format_u16());
}

}  // namespace hallmark::conformance::testing
