#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "reference/faults/catalogue.hpp"
#include "reference/faults/datagrams/datagram_fault.hpp"
#include "reference/faults/races/race_fault.hpp"
#include "reference/faults/records/records_fault.hpp"
#include "reference/faults/states/state_fault.hpp"
#include "reference/faults/wire/wire_fault.hpp"
#include "reference/model/rates/key_uses.hpp"
#include "reference/model/records/channels.hpp"
#include "reference/server/connection_hooks.hpp"

namespace hallmark::faults {

/// Makes what stands around an `Inner`.
template <class Inner>
using Around = std::function<std::unique_ptr<Inner>(Inner& right)>;

/// Everything that the bugs of a server put around its parts; around each part, the inner ones
/// first.
struct Faults {
  // A server of streams, from the inside to the outside.
  std::vector<RecordsFault> records = {};
  std::vector<Around<model::PubSub>> pub_sub = {};
  std::vector<WireFault> wire_values = {};
  std::vector<WireFault> wire_bytes = {};
  std::vector<RaceFault> races = {};
  std::vector<WireFault> framing = {};
  std::vector<std::function<std::unique_ptr<server::ConnectionHooks>()>> connections = {};

  // A server of datagrams.
  std::vector<Around<model::KeyUses>> uses = {};
  std::vector<DatagramFault> datagrams = {};
  DatagramTransportFault transport = {};

  // An adapter.
  std::vector<std::function<std::unique_ptr<model::Formulas>(const model::Formulas& right)>>
      formulas = {};
  std::vector<DecideFault> decisions = {};
  std::vector<AdapterFault> adapters = {};
  StateReadings readings = {};
  bool ends_as_failed = false;  ///< the exit code where the input ends
};

/// Collects what these bugs add, in their order.
Faults faults_of(const ChosenBugs& bugs);

}  // namespace hallmark::faults
