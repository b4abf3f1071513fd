#pragma once

#include "conformance/drivers/adapter/adapter_host.hpp"
#include "conformance/drivers/datagram/datagram_network.hpp"
#include "conformance/record/playback.hpp"

/// Networks that are played back: nothing is behind them but the record, which outlives them.
namespace hallmark::conformance {

/// What is the same for each of the three seams.
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

class PlayedNetwork : public Played<Network> {
 public:
  using Played::Played;
  LinkResult connect(Time until) override;
  void wait_until(Time until) override;
};

class PlayedDatagrams : public Played<DatagramNetwork> {
 public:
  using Played::Played;
  DatagramLinkResult open() override;
  void wait_until(Time until) override;
};

class PlayedHost : public Played<AdapterHost> {
 public:
  using Played::Played;
  AdapterStart start() override;
};

}  // namespace hallmark::conformance
