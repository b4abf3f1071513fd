#pragma once

#include <random>

#include "conformance/drivers/adapter/adapter_client.hpp"
#include "conformance/drivers/stream/wire_format.hpp"
#include "conformance/engine/suite.hpp"

namespace hallmark::conformance {

/// One play of a case.
class AdapterTrial {
 public:
  AdapterTrial(AdapterClient& client, const Supports& supports, std::uint64_t seed)
      : client_(client), supports_(supports), random_(seed) {}

  AdapterClient& client() { return client_; }
  const Supports& supports() const { return supports_; }

  base::Json ask(const base::Json& request) { return client_.ask(request); }

  /// Asks what the adapter lists. Where it lists less, ends the case: as unsupported if that is
  /// what the answer says, as failed otherwise. Ends it as failed where it lists all that and says
  /// `unsupported`. `formats`: of the states in the request.
  base::Json ask_listed(const base::Json& request, const std::vector<std::string>& formats = {});

  /// The answer has to be `unsupported`. `lack`: what the adapter does not have. `or_error`: an
  /// error is as good.
  void require_unsupported(const base::Json& request, const std::string& lack,
                           bool or_error = false);

  /// A number below `end`, of the seed's sequence. Precondition: `end` is above 0.
  std::uint64_t random(std::uint64_t end) { return random_() % end; }
  std::mt19937_64& generator() { return random_; }

  [[noreturn]] void fail(std::string reason) const {
    end_case(reports::Verdict::fail, std::move(reason));
  }
  /// Like `fail`, with a code that names the failure better than one made from the reason.
  [[noreturn]] void fail(Code code, std::string reason) const {
    fail_case(std::move(code), std::move(reason));
  }

 private:
  AdapterClient& client_;
  const Supports& supports_;
  std::mt19937_64 random_;
};

struct AdapterCase {
  CaseEntry entry;
  std::function<void(AdapterTrial&)> run;
};

using AdapterCases = std::vector<AdapterCase>;

/// The cases made from vector files that suit a target, and the number of vectors left out.
struct StateVectorCases {
  AdapterCases cases;
  /// The number of vectors that are right under other answers only, by the answer that they need.
  std::map<std::string, std::size_t> left_out;
};

/// Every vector as a case that is right under the answers of `format`.
StateVectorCases adapter_vector_cases(const std::vector<vectors::StateVectorFile>& files,
                                      const WireFormat& format);

/// The cases that the line protocol sets for every adapter. `prefix` is the start of the ids:
/// `ratelimit-state`.
AdapterCases line_protocol_cases(const std::string& prefix);

/// The cases that every implementation of a strategy has to pass: walks of random requests, whose
/// states are the adapter's own. `format`: what the adapter is held to.
AdapterCases property_cases(const std::string& prefix, const WireFormat& format);

}  // namespace hallmark::conformance
