#include "conformance/reduction/script_reducer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/reduction/effects.hpp"
#include "conformance/reduction/script_player.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using protocol::Record;

/// The names that a request is about: keys, pairs and channels.
std::vector<Bytes> names_in(const WireFormat& format, const ScriptStep& step) {
  std::vector<Bytes> names;
  const Record record = record_named(format, step);
  for (const auto& [field, value] : record.fields()) names.push_back(std::get<Bytes>(value));
  const protocol::Value* const channel = step.request.find("channel");
  if (channel != nullptr) names.push_back(std::get<Bytes>(*channel));
  return names;
}

class ScriptReducer {
 public:
  ScriptReducer(RunContext& context, Housekeeper& housekeeper, Script script,
                const ReductionBounds& bounds)
      : context_(context),
        player_(context, housekeeper),
        script_(std::move(script)),
        plays_left_(bounds.plays),
        until_(context.network.now() + bounds.longest) {}

  /// Reduces the script. Returns true if it failed again, and is as short as it gets.
  bool run() {
    if (!fails(script_)) return false;
    freely_ =
        script_.wrong.empty() || is_specified(context_.format, script_.steps.back(), script_.wrong);
    leave_out_steps();
    if (freely_) simplify();
    // The last word is that of what is kept.
    plays_left_ = 1;
    until_ = context_.network.now() + context_.patience.deadline();
    return fails(script_);
  }

  const Script& script() const { return script_; }
  const PlayedScript& last() const { return last_; }

 private:
  bool fails(const Script& candidate) {
    if (plays_left_ == 0 || context_.network.now() >= until_ || context_.stopped()) return false;
    --plays_left_;
    PlayedScript played_script = player_.play(candidate);
    if (!played_script.fails) return false;
    last_ = std::move(played_script);
    return true;
  }

  bool keep_if_it_fails(Script candidate) {
    if (!fails(candidate)) return false;
    script_ = std::move(candidate);
    return true;
  }

  bool can_go(const ScriptStep& step) const {
    if (freely_) return true;
    const ScriptStep& last = script_.steps.back();
    if (counts_requests(last.operation->name)) return false;
    if (does_nothing_but_tell(step.operation->name)) return true;
    const auto names = names_in(context_.format, last);
    return !names.empty() &&
           std::ranges::none_of(names_in(context_.format, step), [&](const Bytes& name) {
             return std::ranges::find(names, name) != names.end();
           });
  }

  /// Leaves out the steps that can go, so many behind each other at a time.
  std::optional<Script> without(std::size_t from, std::size_t count) const {
    Script candidate = script_;
    candidate.steps.clear();
    Time pause = 0;
    for (std::size_t i = 0; i < script_.steps.size(); ++i) {
      const ScriptStep& step = script_.steps[i];
      const bool inside = i >= from && i < from + count && i + 1 < script_.steps.size();
      if (inside && can_go(step)) {
        pause += step.pause;
        continue;
      }
      candidate.steps.push_back(step);
      candidate.steps.back().pause += pause;
      pause = 0;
    }
    if (candidate.steps.size() == script_.steps.size()) return std::nullopt;
    return candidate;
  }

  void leave_out_steps() {
    for (std::size_t size = std::max<std::size_t>(script_.steps.size() / 2, 1);;) {
      bool shorter = false;
      for (std::size_t from = 0; from + 1 < script_.steps.size();) {
        auto candidate = without(from, size);
        const bool kept = candidate && keep_if_it_fails(std::move(*candidate));
        shorter = shorter || kept;
        if (!kept) from += size;
      }
      if (size == 1 && !shorter) return;
      size = std::max<std::size_t>(size / 2, 1);
    }
  }

  void simplify() {
    Script candidate = script_;
    for (ScriptStep& step : candidate.steps) step.connection = "c1";
    keep_if_it_fails(std::move(candidate));
    for (std::size_t i = 0; i < script_.steps.size(); ++i) {
      for (const Time shorter : {Time{0}, script_.steps[i].pause / 4, script_.steps[i].pause / 2}) {
        if (shorter >= script_.steps[i].pause) continue;
        candidate = script_;
        candidate.steps[i].pause = shorter;
        if (keep_if_it_fails(std::move(candidate))) break;
      }
    }
    shorten_names();
    shorten_values();
  }

  void shorten_names() {
    std::vector<Bytes> names;
    for (const ScriptStep& step : script_.steps) {
      for (const Bytes& name : names_in(context_.format, step)) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Bytes shorter = base::to_bytes(fmt::format("hallmark:{}", i));
      if (shorter.size() < names[i].size()) keep_if_it_fails(replaced(names[i], shorter));
    }
  }

  Script replaced(const Bytes& from, const Bytes& to) const {
    Script candidate = script_;
    for (ScriptStep& step : candidate.steps) {
      const Record fields = step.request;
      for (const auto& [field, value] : fields.fields()) {
        if (std::holds_alternative<Bytes>(value) && std::get<Bytes>(value) == from)
          step.request.set(protocol::FieldName::unchecked(field), to);
      }
    }
    return candidate;
  }

  void shorten_values() {
    for (std::size_t i = 0; i < script_.steps.size(); ++i) {
      for (const protocol::FieldName field :
           std::initializer_list<protocol::FieldName>{"value", "payload"}) {
        for (;;) {
          const protocol::Value* const value = script_.steps[i].request.find(field);
          if (value == nullptr || !std::holds_alternative<Bytes>(*value)) break;
          const Bytes& bytes = std::get<Bytes>(*value);
          if (bytes.size() < 2) break;
          Script candidate = script_;
          candidate.steps[i].request.set(
              field,
              Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2)));
          if (!keep_if_it_fails(std::move(candidate))) break;
        }
      }
    }
  }

  RunContext& context_;
  ScriptPlayer player_;
  Script script_;
  std::size_t plays_left_;
  Time until_;
  bool freely_ = false;
  PlayedScript last_;
};

}  // namespace

std::optional<vectors::Vector> reduced_script(RunContext& context, Housekeeper& housekeeper,
                                              const Script& script, const ReductionBounds& bounds) {
  ScriptReducer reducer(context, housekeeper, script, bounds);
  if (!reducer.run()) return std::nullopt;
  return vector_of(context.format, reducer.script(), reducer.last());
}

}  // namespace hallmark::conformance
