#pragma once

#include <memory>
#include <string>

#include "reference/faults/catalogue.hpp"
#include "reference/server/datagram_decorator.hpp"
#include "reference/server/decorator.hpp"
#include "reference/session/adapter_session.hpp"

/// The bugs that were chosen, around the parts of a server. Those that are about another transport
/// change nothing.
namespace hallmark::faults {

std::shared_ptr<const server::Decorator> stream_decorator(const ChosenBugs& bugs);

std::shared_ptr<server::DatagramDecorator> datagram_decorator(const ChosenBugs& bugs);

/// An adapter with these bugs, as `AdapterSession` makes one without.
std::unique_ptr<server::AdapterSession> adapter_session(const ChosenBugs& bugs, std::string version,
                                                        const protocol::Readings& readings);

/// The exit code of an adapter whose input ends.
int adapter_exit_code(const ChosenBugs& bugs);

}  // namespace hallmark::faults
