#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "loadgen/workload/key_choice.hpp"
#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::loadgen::datagram {

/// The plan of the keys of a run: their number, and how they look.
struct KeyPlan {
  std::uint32_t keys = 10'000;
  std::string prefix = "load:";  ///< if neither patterns nor rules say more
  std::vector<std::string> patterns =
      {};  ///< `ws ip={}`: what {} stands for differs from key to key
  std::shared_ptr<const protocol::ratelimit::Rules> rules = {};
  std::uint32_t workers = 1;
  std::uint64_t seed = 1;
  KeyChoice choice = {};   ///< of those of a worker, where rules are given
  std::string nonce = {};  ///< digits that no other run has; part of what {} stands for
};

/// One text of keys with a place for digits.
struct KeyPattern {
  std::string before;
  std::string after;
  bool varies = false;  ///< false: one key, the same in every run
};

/// Keys that a target counts as one.
struct KeyGroup {
  std::string counted;  ///< the key that uses are counted under
  protocol::ratelimit::Limit limit;
  bool limited = false;  ///< a rule is for it
  bool fresh = false;    ///< no other run uses it
};

/// The keys of a run, by number. Where rules are given, keys that are counted as one are used by
/// one worker alone, so that one thread sees their uses in the order of time.
class Keys {
 public:
  /// Errors, one line: no key, a pattern with two places, rules that no key can be made from, fewer
  /// keys that are counted apart than workers.
  static base::Result<Keys> make(const KeyPlan& plan);

  /// Key of request `index`, of those of a worker.
  std::uint32_t key_of(std::uint64_t index, std::uint32_t worker) const noexcept {
    if (of_worker_.empty()) return pickers_.front().pick(index);
    return of_worker_[worker][pickers_[worker].pick(index)];
  }

  std::uint32_t size() const noexcept { return keys_; }
  const std::vector<KeyPattern>& patterns() const noexcept { return patterns_; }
  std::size_t pattern_of(std::uint32_t key) const noexcept { return key % patterns_.size(); }
  /// The number behind the nonce in the text of a key.
  std::uint32_t number_of(std::uint32_t key) const noexcept {
    return key / static_cast<std::uint32_t>(patterns_.size());
  }
  std::size_t digits() const noexcept { return digits_; }
  const std::string& nonce() const noexcept { return nonce_; }
  std::string text_of(std::uint32_t key) const;

  /// Empty without rules.
  const std::vector<KeyGroup>& groups() const noexcept { return groups_; }
  std::uint32_t group_of(std::uint32_t key) const noexcept { return group_of_[key]; }

 private:
  explicit Keys(const KeyPlan& plan);
  base::Result<void> add_patterns(const KeyPlan& plan);
  base::Result<void> add_groups(const KeyPlan& plan);

  std::uint32_t keys_;
  std::vector<KeyPicker> pickers_;  ///< of all, or of each worker
  std::string nonce_;
  std::size_t digits_ = 0;
  std::vector<KeyPattern> patterns_;
  std::vector<KeyGroup> groups_;
  std::vector<std::uint32_t> group_of_;
  std::vector<std::vector<std::uint32_t>> of_worker_;
};

}  // namespace hallmark::loadgen::datagram
