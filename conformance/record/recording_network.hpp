#pragma once

#include <optional>

#include "conformance/drivers/adapter/adapter_host.hpp"
#include "conformance/drivers/datagram/datagram_network.hpp"
#include "conformance/record/recording_supervisor.hpp"

/// Networks over which a run is recorded: what they are asked they ask another one, and the
/// recorder keeps it. Both outlive them.
namespace hallmark::conformance {

/// The part that all three seams share.
template <class World>
class Recording : public World {
 public:
  Time now() const override { return recorder_.now(); }
  void begin_part(std::string_view name) override { recorder_.begin_part(name, world_.now()); }
  std::uint64_t shared(Shared what, std::uint64_t current) override {
    return recorder_.shared(what, current);
  }
  void judged(std::string_view message, base::ByteView bytes) override {
    recorder_.judged(message, bytes);
  }

 protected:
  Recording(World& world, Recorder& recorder, Links links) : world_(world), recorder_(recorder) {
    recorder_.start(links, world_.now());
  }

  World& world_;
  Recorder& recorder_;
};

/// The seam to targets that may be processes which were started here.
template <class World>
class RecordingStarted : public Recording<World> {
 public:
  Supervisor* supervisor() override { return supervisor_ ? &*supervisor_ : nullptr; }

 protected:
  RecordingStarted(World& world, Recorder& recorder, Links links)
      : Recording<World>(world, recorder, links) {
    if (Supervisor* const real = world.supervisor()) supervisor_.emplace(*real, recorder);
  }

 private:
  std::optional<RecordingSupervisor> supervisor_;
};

class RecordingNetwork : public RecordingStarted<Network> {
 public:
  RecordingNetwork(Network& network, Recorder& recorder)
      : RecordingStarted(network, recorder, Links::of_part) {}

  LinkResult connect(Time until) override;
  void wait_until(Time until) override;
};

class RecordingDatagrams : public RecordingStarted<DatagramNetwork> {
 public:
  RecordingDatagrams(DatagramNetwork& network, Recorder& recorder)
      : RecordingStarted(network, recorder, Links::of_run) {}

  DatagramLinkResult open() override;
  void wait_until(Time until) override;
};

class RecordingHost : public Recording<AdapterHost> {
 public:
  RecordingHost(AdapterHost& host, Recorder& recorder) : Recording(host, recorder, Links::of_run) {}

  AdapterStart start() override;
};

}  // namespace hallmark::conformance
