#include "conformance/reduction/vector_parts.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "conformance/reduction/effects.hpp"
#include "conformance/reduction/record_reply.hpp"
#include "protocol/codec/encode.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using protocol::Record;
using vectors::EntryPattern;
using vectors::Expect;
using vectors::Expected;
using vectors::FieldPattern;
using vectors::Lifetime;
using vectors::Match;
using vectors::Send;
using vectors::Step;
using vectors::Vector;

/// A request, and what comes of it.
struct Exchange {
  const Send* send;
  std::vector<std::size_t> steps;
};

bool is_push(const Expect& expect) { return expect.any_of.front().push; }

/// Replies belong to the requests of their connection, in order.
std::vector<Exchange> exchanges_of(const WireFormat& format, const Vector& vector) {
  std::vector<Exchange> exchanges;
  std::map<std::string, std::deque<std::size_t>> unanswered;
  for (std::size_t i = 0; i < vector.steps.size(); ++i) {
    const Step& step = vector.steps[i];
    const auto* const expect = std::get_if<Expect>(&step.action);
    if (const auto* const send = std::get_if<Send>(&step.action)) {
      exchanges.push_back({send, {i}});
      if (format.reply(format.operation(protocol::MessageName::unchecked(send->operation))).sent())
        unanswered[step.connection].push_back(exchanges.size() - 1);
    } else if (expect != nullptr && !is_push(*expect) && !unanswered[step.connection].empty()) {
      exchanges[unanswered[step.connection].front()].steps.push_back(i);
      unanswered[step.connection].pop_front();
    }
  }
  return exchanges;
}

/// The record or the channel that a request is about; empty: neither.
Record name_in(const WireFormat& format, const Record& request) {
  Record name = record_named(format, request);
  const protocol::Value* const channel = request.find("channel");
  if (channel != nullptr) name.set("channel", *channel);
  return name;
}

const FieldPattern* find(const std::vector<FieldPattern>& patterns, std::string_view field) {
  const auto found = std::ranges::find(patterns, field, &FieldPattern::field);
  return found == patterns.end() ? nullptr : &*found;
}

/// Returns true if the patterns name that record or channel.
bool are_of(const std::vector<FieldPattern>& patterns, const Record& name) {
  return std::ranges::all_of(name.fields(), [&](const auto& part) {
    const FieldPattern* const pattern = find(patterns, part.first);
    return pattern != nullptr && pattern->match == Match::equals && pattern->value == part.second;
  });
}

/// Deliveries go with their channel. Nothing where they do not say which one it is, and there are
/// several.
std::optional<std::vector<std::size_t>> deliveries_of(const Vector& vector, const Record& name,
                                                      bool only_channel) {
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < vector.steps.size(); ++i) {
    const auto* const expect = std::get_if<Expect>(&vector.steps[i].action);
    if (expect == nullptr || !is_push(*expect)) continue;
    const auto& patterns = expect->any_of.front().fields;
    const bool says = find(patterns, "channel") != nullptr;
    if (!says && !only_channel) return std::nullopt;
    if (!says || are_of(patterns, name)) steps.push_back(i);
  }
  return steps;
}

bool is_channel(const VectorPart& part) { return part.name.find("channel") != nullptr; }

/// The name of what the last step of the vector shows; empty: nothing.
protocol::MessageName last_message(const Vector& vector) {
  const Step& last = vector.steps.back();
  if (const auto* const expect = std::get_if<Expect>(&last.action))
    return protocol::MessageName::unchecked(expect->any_of.front().message);
  const auto* const send = std::get_if<Send>(&last.action);
  return send == nullptr ? protocol::MessageName::none()
                         : protocol::MessageName::unchecked(send->operation);
}

void drop_entries(Record& record, const Record& name) {
  const Record fields = record;
  for (const auto& [field, value] : fields.fields()) {
    if (!std::holds_alternative<std::vector<Record>>(value)) continue;
    auto entries = std::get<std::vector<Record>>(value);
    std::erase_if(entries, [&](const Record& entry) {
      return std::ranges::all_of(name.fields(), [&](const auto& part) {
        const protocol::Value* const told = entry.find(protocol::FieldName::unchecked(part.first));
        return told != nullptr && *told == part.second;
      });
    });
    for (Record& entry : entries) drop_entries(entry, name);
    record.set(protocol::FieldName::unchecked(field), std::move(entries));
  }
}

/// The example of a listing, without what it does not hold any more.
void shorten_example(const WireFormat& format, Expected& expected, const Record& name) {
  const auto layout = vectors::layout_of(expected, format.width(), format.readings());
  if (!layout) return;
  protocol::Decoder decoder(*layout, {.refuse_unlisted = false});
  if (decoder.resume(expected.example) != protocol::Decoder::State::complete) return;
  Record record = protocol::MessageView(decoder, expected.example).record();
  drop_entries(record, name);
  auto bytes = protocol::encode(*layout, record);
  if (!bytes) return;
  expected.example = std::move(*bytes);
  for (FieldPattern& pattern : expected.fields) {
    if (pattern.match == Match::set_of) pattern.length = expected.example.size() - pattern.offset;
  }
}

void forget(const WireFormat& format, Expected& expected, const Record& name) {
  bool listed = false;
  for (FieldPattern& pattern : expected.fields) {
    if (pattern.match != Match::set_of) continue;
    listed =
        std::erase_if(pattern.entries,
                      [&](const EntryPattern& entry) { return are_of(entry.fields, name); }) > 0 ||
        listed;
  }
  if (listed) shorten_example(format, expected, name);
}

/// Moves what steps refer to, where some of them are gone.
class Renumbering {
 public:
  explicit Renumbering(const std::vector<bool>& gone) : gone_(gone) {}

  /// False: the step that set it is gone.
  bool move(Lifetime& lifetime) const {
    if (gone_[lifetime.since]) return false;
    lifetime.since -= static_cast<std::size_t>(std::count(
        gone_.begin(), gone_.begin() + static_cast<std::ptrdiff_t>(lifetime.since), true));
    return true;
  }
  bool move(std::vector<FieldPattern>& patterns) const {
    return std::ranges::all_of(patterns, [&](FieldPattern& pattern) {
      if (pattern.match == Match::remaining && !move(pattern.lifetime)) return false;
      return std::ranges::all_of(pattern.entries,
                                 [&](EntryPattern& entry) { return move(entry.fields); });
    });
  }
  bool move(Expect& expect) const {
    return std::ranges::all_of(expect.any_of, [&](Expected& expected) {
      return (!expected.only_after || move(*expected.only_after)) && move(expected.fields);
    });
  }

 private:
  const std::vector<bool>& gone_;
};

/// Checks that every value in use was captured before.
class Captures {
 public:
  bool fit(const Step& step) {
    if (const auto* const send = std::get_if<Send>(&step.action)) {
      return std::ranges::all_of(send->substitutions, [&](const vectors::Substitution& one) {
        return known_.contains(one.capture);
      });
    }
    const auto* const expect = std::get_if<Expect>(&step.action);
    return expect == nullptr || std::ranges::all_of(expect->any_of, [&](const Expected& expected) {
             return fit(expected.fields);
           });
  }

 private:
  bool fit(const std::vector<FieldPattern>& patterns) {
    return std::ranges::all_of(patterns, [&](const FieldPattern& pattern) {
      if (pattern.match == Match::capture) known_.insert(pattern.capture);
      const bool uses = pattern.match == Match::captured || pattern.match == Match::captured_hex;
      return (!uses || known_.contains(pattern.capture)) &&
             std::ranges::all_of(pattern.entries,
                                 [&](const EntryPattern& entry) { return fit(entry.fields); });
    });
  }

  std::set<std::string> known_;
};

/// Only what is still asked about has to be removed.
void drop_idle_keys(const WireFormat& format, Vector& vector) {
  std::erase_if(vector.keys, [&](const Record& key) {
    return std::ranges::none_of(vector.steps, [&](const Step& step) {
      const auto* const send = std::get_if<Send>(&step.action);
      return send != nullptr && record_named(format, send->fields) == key;
    });
  });
}

}  // namespace

std::vector<VectorPart> parts_of(const WireFormat& format, const Vector& vector) {
  std::vector<VectorPart> parts;
  if (vector.steps.empty() || counts_connections(last_message(vector))) return parts;
  const std::size_t last = vector.steps.size() - 1;
  const bool tells_matter = counts_requests(last_message(vector));
  const std::vector<Exchange> exchanges = exchanges_of(format, vector);
  for (const Exchange& exchange : exchanges) {
    Record name = name_in(format, exchange.send->fields);
    const auto known = std::ranges::find(parts, name, &VectorPart::name);
    if (!name.fields().empty() && known != parts.end()) {
      known->steps.insert(known->steps.end(), exchange.steps.begin(), exchange.steps.end());
    } else if (!name.fields().empty()) {
      parts.push_back({exchange.steps, std::move(name)});
    }
  }
  const bool only_channel = std::ranges::count_if(parts, is_channel) == 1;
  std::erase_if(parts, [&](VectorPart& part) {
    if (!is_channel(part)) return false;
    const auto deliveries = deliveries_of(vector, part.name, only_channel);
    if (deliveries) part.steps.insert(part.steps.end(), deliveries->begin(), deliveries->end());
    return !deliveries;
  });
  for (const Exchange& exchange : exchanges) {
    if (!tells_matter &&
        does_nothing_but_tell(protocol::MessageName::unchecked(exchange.send->operation)))
      parts.push_back({exchange.steps, {}});
  }
  std::erase_if(parts, [&](const VectorPart& part) {
    return std::ranges::find(part.steps, last) != part.steps.end();
  });
  for (VectorPart& part : parts) std::ranges::sort(part.steps);
  return parts;
}

std::optional<Vector> without(const WireFormat& format, const Vector& vector,
                              std::span<const VectorPart> parts) {
  std::vector<bool> gone(vector.steps.size());
  for (const VectorPart& part : parts) {
    for (const std::size_t step : part.steps) gone[step] = true;
  }
  Vector rest = vector;
  rest.steps.clear();
  const Renumbering renumbering(gone);
  Captures captures;
  for (std::size_t i = 0; i < vector.steps.size(); ++i) {
    if (gone[i]) continue;
    Step step = vector.steps[i];
    if (auto* const expect = std::get_if<Expect>(&step.action)) {
      if (!renumbering.move(*expect)) return std::nullopt;
      for (const VectorPart& part : parts) {
        if (part.name.fields().empty()) continue;
        for (Expected& expected : expect->any_of) forget(format, expected, part.name);
      }
    }
    if (!captures.fit(step)) return std::nullopt;
    rest.steps.push_back(std::move(step));
  }
  drop_idle_keys(format, rest);
  return rest;
}

Vector beginning_of(const Vector& vector, std::size_t steps) {
  Vector beginning = vector;
  beginning.steps.resize(steps);
  return beginning;
}

}  // namespace hallmark::conformance
