#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "observe/findings.hpp"
#include "observe/observation.hpp"
#include "observe/watch.hpp"
#include "pcapng/writer.hpp"

namespace hallmark::observe {

/// Counts that are read while the observer runs.
struct ObserverCounts {
  std::atomic<std::uint64_t> requests{0};
  std::atomic<std::uint64_t> replies{0};
  std::atomic<std::uint64_t> pushes{0};
  std::atomic<std::uint64_t> violations{0};
};

struct ObserverOptions {
  /// Datagrams only: a reply that takes longer counts as missing.
  Time reply_within = std::chrono::seconds(10);
  /// Called when something wrong is seen for the first time.
  std::function<void(const FindingGroup&)> on_first{};
  /// Null: no packets are written. It has to outlive the observer.
  pcapng::Writer* packets = nullptr;
  /// Added to the times of packets, which count from the Unix epoch.
  Time epoch{0};
};

/// Records of all connections in, counts and findings out. Has no thread, clock or socket of its
/// own; is used by one thread, except for `counts`.
class Observer {
 public:
  /// `format` has to outlive it.
  Observer(const captures::Format& format, ObserverOptions options);

  void take(const Record& record);
  /// Takes note that nothing happened for a while. `now` never goes back.
  void idle(Time now);
  /// Ends all connections that are open, without a claim about them.
  void finish();

  const ObserverCounts& counts() const { return counts_; }
  /// Adds what was seen. Precondition: finished.
  void describe(Observation& observation) const;

 private:
  struct Watched {
    std::unique_ptr<Watch> watch;
    std::variant<std::monostate, pcapng::TcpFlow, pcapng::UdpFlow> flow{};
  };

  void open(const Record& record);
  void hear(const captures::Event& event, Certainty certainty, std::uint64_t connection);
  void count(const captures::Event& event);
  void count_pair(std::size_t operation);
  void add_violation(const captures::Finding& finding, std::uint64_t connection);
  void write_packet(Watched& watched, const Record& record);

  const captures::Format& format_;
  Shapes shapes_;
  ObserverOptions options_;
  std::unordered_map<std::uint64_t, Watched> connections_;
  Findings violations_;
  ObserverCounts counts_;
  std::vector<OperationCounts> operations_;
  std::uint64_t unclaimed_ = 0;
  std::uint64_t consequences_ = 0;
  Time now_{0};
  Time gave_up_{0};
  std::string comment_;  ///< on the packet of the record that is being taken
};

}  // namespace hallmark::observe
