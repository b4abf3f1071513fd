#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/format.hpp"
#include "clients/perturb/disturbance.hpp"

namespace hallmark::clients {

/// The behaviour that a perturbation demands of a test command. Under each demand it has to end in
/// time, and not by a signal.
enum class Demand : std::uint8_t {
  passes,   ///< exit with 0: what came is what the tests expect, only otherwise delivered
  ends,     ///< end: what came is legal, but tests may well expect something else
  notices,  ///< exit with another code: what came is not what a server may send
};

/// A change of what a server sends, or of how.
struct Perturbation {
  std::string id;       ///< kind, and after a slash what it is done to
  std::string kind;     ///< the column of the matrix
  std::string subject;  ///< the operation, push or reading; empty: everything
  std::string title;    ///< for people
  bool legal = true;
  Demand demand = Demand::passes;
  std::string clause{};  ///< the clause about clients that it tests
  std::function<std::unique_ptr<Disturbance>(const Format&, std::uint64_t seed)> make{};
  /// The readings that are served in place of the client's.
  std::optional<protocol::Readings> readings{};
};

/// All perturbations of a format, in the order in which they are shown. The ids differ.
std::vector<Perturbation> catalogue(const Format& format);

// The parts of it.
std::vector<Perturbation> timing_perturbations(const Format& format);
std::vector<Perturbation> listing_perturbations(const Format& format);
std::vector<Perturbation> value_perturbations(const Format& format);
std::vector<Perturbation> delivery_perturbations(const Format& format);
std::vector<Perturbation> ending_perturbations(const Format& format);
std::vector<Perturbation> reading_perturbations(const Format& format);
std::vector<Perturbation> wrong_reply_perturbations(const Format& format);
std::vector<Perturbation> wrong_delivery_perturbations(const Format& format);
std::vector<Perturbation> datagram_perturbations(const Format& format);

}  // namespace hallmark::clients
