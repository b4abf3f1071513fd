#include "conformance/record/outcomes.hpp"

namespace hallmark::conformance {
namespace {

using Outcome = Crossing::Outcome;

/// The first of `all` that has that outcome.
template <class T, std::size_t count>
std::optional<T> find(const T (&all)[count], Outcome outcome) {
  for (const T one : all) {
    if (outcome_of(one) == outcome) return one;
  }
  return std::nullopt;
}

}  // namespace

Outcome outcome_of(Arrival arrival) {
  switch (arrival) {
    case Arrival::bytes: return Outcome::done;
    case Arrival::closed: return Outcome::closed;
    case Arrival::reset: return Outcome::reset;
    case Arrival::timed_out: return Outcome::timed_out;
  }
  return Outcome::done;
}

Outcome outcome_of(Dispatch dispatch) {
  switch (dispatch) {
    case Dispatch::sent: return Outcome::done;
    case Dispatch::refused: return Outcome::refused;
    case Dispatch::timed_out: return Outcome::timed_out;
  }
  return Outcome::done;
}

Outcome outcome_of(DatagramArrival arrival) {
  switch (arrival) {
    case DatagramArrival::datagram: return Outcome::done;
    case DatagramArrival::refused: return Outcome::refused;
    case DatagramArrival::timed_out: return Outcome::timed_out;
  }
  return Outcome::done;
}

std::optional<Arrival> arrival_of(Outcome outcome) {
  constexpr Arrival all[] = {Arrival::bytes, Arrival::closed, Arrival::reset, Arrival::timed_out};
  return find(all, outcome);
}

std::optional<Dispatch> dispatch_of(Outcome outcome) {
  constexpr Dispatch all[] = {Dispatch::sent, Dispatch::refused, Dispatch::timed_out};
  return find(all, outcome);
}

std::optional<DatagramArrival> datagram_arrival_of(Outcome outcome) {
  constexpr DatagramArrival all[] = {DatagramArrival::datagram, DatagramArrival::refused,
                                     DatagramArrival::timed_out};
  return find(all, outcome);
}

}  // namespace hallmark::conformance
