#pragma once

#include "conformance/drivers/adapter/adapter_host.hpp"
#include "conformance/drivers/datagram/datagram_network.hpp"
#include "conformance/record/recorder.hpp"

/// Networks over which a run is recorded: what they are asked they ask another one, and the
/// recorder keeps it. Both outlive them.
namespace hallmark::conformance {

/// What is the same for each of the three seams.
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

class RecordingNetwork : public Recording<Network> {
 public:
  RecordingNetwork(Network& network, Recorder& recorder)
      : Recording(network, recorder, Links::of_part) {}

  LinkResult connect(Time until) override;
  void wait_until(Time until) override;
  Supervisor* supervisor() override { return world_.supervisor(); }
};

class RecordingDatagrams : public Recording<DatagramNetwork> {
 public:
  RecordingDatagrams(DatagramNetwork& network, Recorder& recorder)
      : Recording(network, recorder, Links::of_run) {}

  DatagramLinkResult open() override;
  void wait_until(Time until) override;
  Supervisor* supervisor() override { return world_.supervisor(); }
};

class RecordingHost : public Recording<AdapterHost> {
 public:
  RecordingHost(AdapterHost& host, Recorder& recorder) : Recording(host, recorder, Links::of_run) {}

  AdapterStart start() override;
};

}  // namespace hallmark::conformance
