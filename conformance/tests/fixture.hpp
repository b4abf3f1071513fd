#pragma once

#include "conformance/engine/certify.hpp"
#include "conformance/engine/sanity.hpp"
#include "conformance/suites/throttr/cases.hpp"
#include "conformance/tests/simulated_network.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {

constexpr Time test_deadline = 5'000'000'000;

inline const WireFormat& format_u16() {
  static const WireFormat format(
      protocol::Width::u16, protocol::Readings(protocol::throttr_7_1, protocol::Profile::deployed));
  return format;
}

/// The format of 2.0 with the answers of released servers.
inline const WireFormat& format_2_0() {
  static const WireFormat format(
      protocol::Width::u64, protocol::Readings(protocol::throttr_2_0, protocol::Profile::deployed));
  return format;
}
inline const WireFormat& format_7_3() {
  static const WireFormat format(
      protocol::Width::u16, protocol::Readings(protocol::throttr_7_3, protocol::Profile::deployed));
  return format;
}

/// A fake server, a simulated network to it and a run's context.
struct Simulation {
  explicit Simulation(Bug bug = Bug::none, const WireFormat& served = format_u16(),
                      const WireFormat& expected = format_u16())
      : server(served, bug),
        network(server),
        patience(test_deadline),
        context{.network = network, .format = expected, .patience = patience} {}

  std::vector<reports::CaseResult> play(const Unit& unit) {
    Housekeeper housekeeper(context);
    return play_unit(context, housekeeper, unit);
  }

  FakeServer server;
  SimulatedNetwork network;
  Patience patience;
  RunContext context;
};

/// Parts of vectors of 7.1 at u16.
vectors::Step send(const std::string& connection, const Request& request);
vectors::Step expect(const std::string& connection, vectors::Expected expected);
vectors::Expected reply(const std::string& operation, Patterns fields,
                        base::Bytes example = {0x01});
/// The rest of a TTL of so many seconds that was given at the step `since`.
vectors::FieldPattern remaining(std::uint64_t full, std::size_t since);

/// A vector of all that the player has to do: a record with a TTL, a choice of replies, two
/// connections, a delivery, a captured value.
vectors::Vector sample_vector();
/// A vector of one connection and without captures.
vectors::Vector pipelinable_vector();

Unit unit_of_vector(const vectors::Vector& vector);
Unit unit_of_behaviour(const std::string& name, const WireFormat& format = format_u16());
/// A case of its own.
Unit unit_that(const std::string& id, std::function<void(Stage&)> run);

}  // namespace hallmark::conformance::testing
