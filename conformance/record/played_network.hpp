#pragma once

#include "conformance/drivers/adapter/adapter_host.hpp"
#include "conformance/drivers/datagram/datagram_network.hpp"
#include "conformance/record/played_supervisor.hpp"

/// Networks that are played back: nothing is behind them but the record, which outlives them.
namespace hallmark::conformance {

/// The part that all three seams share.
template <class World>
class Played : public World {
 public:
  explicit Played(Playback& playback) : playback_(playback) {}

  Time now() const override { return playback_.now(); }
  void begin_part(std::string_view name) override { playback_.begin_part(name); }
  std::uint64_t shared(Shared what, std::uint64_t current) override {
    return playback_.shared(what, current);
  }
  void judged(std::string_view message, base::ByteView bytes) override {
    playback_.judged(message, bytes);
  }

 protected:
  Playback& playback_;
};

/// The seam to targets that may have been processes of the run.
template <class World>
class PlayedStarted : public Played<World> {
 public:
  explicit PlayedStarted(Playback& playback) : Played<World>(playback), supervisor_(playback) {}
  Supervisor* supervisor() override {
    return this->playback_.started_here() ? &supervisor_ : nullptr;
  }

 private:
  PlayedSupervisor supervisor_;
};

class PlayedNetwork : public PlayedStarted<Network> {
 public:
  using PlayedStarted::PlayedStarted;
  LinkResult connect(Time until) override;
  void wait_until(Time until) override;
};

class PlayedDatagrams : public PlayedStarted<DatagramNetwork> {
 public:
  using PlayedStarted::PlayedStarted;
  DatagramLinkResult open() override;
  void wait_until(Time until) override;
};

class PlayedHost : public Played<AdapterHost> {
 public:
  using Played::Played;
  AdapterStart start() override;
};

}  // namespace hallmark::conformance
