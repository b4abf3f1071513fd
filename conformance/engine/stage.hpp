#pragma once

#include <map>

#include "conformance/drivers/stream/conversation.hpp"
#include "conformance/isolation/housekeeper.hpp"

namespace hallmark::conformance {

/// The means of a case: connections by name, keys of its own, time, and ways to end.
class Stage {
 public:
  /// `name` is that of the case: part of its keys.
  Stage(RunContext& context, Housekeeper& housekeeper, std::string name);

  /// The connection of that name, opened when first asked for.
  Conversation& connection(const std::string& name = "c1");
  void close(const std::string& name);
  bool is_open(const std::string& name) const { return connections_.contains(name); }

  /// A key that no other case has; the target holds nothing under it when it is first asked for.
  std::string key(std::string_view name);
  /// Like `key`, for a key whose form matters, such as its length.
  std::string own_key(std::string key);
  /// Like `own_key`, for any name of a record, such as a pair.
  void own(protocol::Record name);
  /// Records that are to be removed when the case is over, named by the fields of a PURGE.
  void adopt(std::span<const protocol::Record> names);
  std::string channel(std::string_view name) const;

  const WireFormat& format() const { return context_.format; }
  bool reads(Chosen answer) const { return context_.format.reads(answer); }
  std::uint64_t maximum() const { return context_.format.maximum(); }
  /// Nobody else uses the target.
  bool exclusive() const { return context_.exclusive; }
  RunContext& context() { return context_; }
  Evidence& evidence() { return evidence_; }
  Housekeeper& bystander() { return housekeeper_; }

  Time now() const { return context_.network.now(); }
  /// The time that the target may take for work that it does in its own time.
  Time patience() const { return context_.patience.deadline(); }
  /// Ends the case as skipped when the run is stopped meanwhile.
  void wait_until(Time until);

  [[noreturn]] void fail(std::string reason);
  /// Like `fail`, with a code that names the failure better than one made from the reason.
  [[noreturn]] void fail(Code code, std::string reason);
  [[noreturn]] void indeterminate(std::string reason);
  [[noreturn]] void skip(std::string reason);
  void require(bool condition, std::string_view reason);

  /// Fences every open connection: nothing is left to come. Ends their subscriptions.
  void require_quiet();

  /// Ends the case as skipped where the target holds something, which is not emptied by us: it is
  /// not known whose that is. Nor is it known what one holds that cannot list it.
  void require_empty();

  /// Ends the connections if the target serves one at a time.
  void make_room();
  /// Ends all connections, those of the bystander too.
  void hang_up();
  /// Forgets the connections and the evidence of what was done so far.
  void restart();
  /// Forgets the evidence only.
  void forget_evidence() { evidence_.start(now()); }
  /// Removes the records of keys handed out, and what was adopted. Closes connections that leave no
  /// room for that.
  void clean();
  /// Like `clean`, when errors no longer matter.
  void abandon();

 private:
  /// The target serves a further connection.
  bool has_room() const;

  RunContext& context_;
  Housekeeper& housekeeper_;
  std::string name_;
  Evidence evidence_;
  std::map<std::string, Conversation> connections_;
  std::vector<protocol::Record> records_;
};

}  // namespace hallmark::conformance
