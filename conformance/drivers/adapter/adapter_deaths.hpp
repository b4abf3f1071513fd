#pragma once

#include "conformance/drivers/adapter/adapter_client.hpp"

namespace hallmark::conformance {

/// Why an adapter died, found out by playing the case alone; as hold_post_mortem is for servers.
class AdapterDeaths {
 public:
  /// So many deaths are looked into; further ones only fail their cases.
  static constexpr std::size_t most = 10;

  AdapterDeaths(AdapterHost& host, AdapterClient& client)
      : host_(host), client_(client), begun_(host.now()) {}

  /// The case was played and the adapter may have died of it: plays it again where that is worth
  /// it. `played` is what it came to, `play` plays it.
  reports::CaseResult look_into(reports::CaseResult played,
                                const std::function<reports::CaseResult()>& play);

  std::vector<reports::Death> take() { return std::move(deaths_); }

  /// Of a death that no case answers for: one line; empty: there is none.
  const std::string& error() const { return error_; }

 private:
  bool ends_by_itself(Time lived);
  void conclude(reports::Death& death, reports::CaseResult& played, bool again);

  AdapterHost& host_;
  AdapterClient& client_;
  Time begun_;
  Time survived_ = 0;  ///< left alone, a process lived at least so long
  std::vector<reports::Death> deaths_;
  std::string error_;
};

}  // namespace hallmark::conformance
