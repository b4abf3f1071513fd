#include "vectors/format/plain_patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "vectors/format/plain_values.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;

/// The names of the groups that lead to one, from the outermost on, with slashes between them;
/// empty if there is no group of that name.
std::string path_to(std::span<const protocol::Field> fields, std::string_view group) {
  for (const protocol::Field& field : fields) {
    const auto* const records = field.as<protocol::kinds::Group>();
    if (records == nullptr) continue;
    if (field.name == group) return std::string(group);
    for (const auto part : {records->head, records->tail}) {
      const std::string path = path_to(part, group);
      if (!path.empty()) return fmt::format("{}/{}", std::string_view(field.name), path);
    }
  }
  return {};
}

Json equals_json(std::string_view field, Json value) {
  return {{"field", field}, {"match", "equals"}, {"value", std::move(value)}};
}

Json one_of_json(const FieldPattern& of) {
  std::vector<Json> lists;
  for (const std::uint64_t one : of.choices)
    lists.push_back(Json::array({equals_json(of.field, std::to_string(one))}));
  return either_json(std::move(lists))[0];
}

/// Writes the patterns of one message.
class PatternWriter {
 public:
  explicit PatternWriter(const Exchanges& exchanges) : exchanges_(exchanges) {}

  /// Adds the pattern of a field or the patterns of a set.
  void add(const FieldPattern& pattern, const protocol::Message& message) {
    if (pattern.match == Match::set_of) {
      add_set(pattern, message);
    } else if (pattern.match != Match::any) {
      all_.push_back(field_json(pattern));
    }
  }

  void add_equals(std::string_view field, const Json& value) {
    all_.push_back(equals_json(field, value));
  }

  void add_over(const Lifetime& lifetime) {
    Json over = {{"match", "over"}};
    over.update(lifetime_json(lifetime));
    all_.push_back(std::move(over));
  }

  Json finish() { return std::move(all_); }

 private:
  /// Each of the records has to be there once. Every record satisfies an empty list of patterns:
  /// its pattern says how many records there are.
  void add_set(const FieldPattern& set, const protocol::Message& message) {
    std::string path = path_to(message.fields, set.field);
    if (path.empty()) path = path_to(message.on_success, set.field);
    const auto add = [&](Json records, std::size_t times) {
      all_.push_back({{"match", "records"},
                      {"path", path},
                      {"records", std::move(records)},
                      {"times", times}});
    };
    if (set.exactly) add(Json::array(), set.entries.size());
    for (const EntryPattern& entry : set.entries) {
      Json records = Json::array();
      for (const FieldPattern& one : entry.fields) {
        if (one.match != Match::any) records.push_back(field_json(one));
      }
      add(std::move(records), 1);
    }
  }

  /// Precondition: the pattern is not of a set, and not every value is right.
  Json field_json(const FieldPattern& of) const {
    Json json = {{"field", of.field}, {"match", name_of(of.match)}};
    switch (of.match) {
      case Match::equals: return equals_json(of.field, plain_value(of.value));
      case Match::captured: return equals_json(of.field, fmt::format("{{{}}}", of.capture));
      case Match::captured_hex: return equals_json(of.field, fmt::format("{{{}.hex}}", of.capture));
      case Match::one_of: return one_of_json(of);
      case Match::range:
        json["min"] = std::to_string(of.min);
        json["max"] = std::to_string(of.max);
        break;
      case Match::remaining: json.update(lifetime_json(of.lifetime)); break;
      case Match::capture: json["name"] = of.capture; break;
      case Match::any:
      case Match::set_of: break;
    }
    return json;
  }

  /// The server set the lifetime after step `set` and before step `confirmed`. It looked at what is
  /// left after step `asked`. If it had not confirmed the lifetime by then, it may have done both
  /// at the same time: `confirmed` is `asked`, so that no time need have passed.
  Json lifetime_json(const Lifetime& lifetime) const {
    constexpr std::uint64_t second = 1'000'000'000;
    const std::size_t set = exchanges_.places[lifetime.since];
    const std::size_t asked = *exchanges_.request;
    const auto reply = exchanges_.replies.find(set);
    const bool is_confirmed = reply != exchanges_.replies.end() && reply->second < asked;
    return {{"full", std::to_string(lifetime.full)},
            {"unit", lifetime.unit_ns},
            {"slack", lifetime.unit_ns < second ? lifetime.unit_ns - 1 : 0},
            {"set", set},
            {"confirmed", is_confirmed ? reply->second : asked},
            {"asked", asked}};
  }

  const Exchanges& exchanges_;
  Json all_ = Json::array();
};

}  // namespace

bool judges_lifetime(const Expected& expected) {
  return expected.only_after || std::ranges::find(expected.fields, Match::remaining,
                                                  &FieldPattern::match) != expected.fields.end();
}

Json patterns_json(const Expected& expected, const Json& example, const protocol::Message& message,
                   const Exchanges& exchanges) {
  std::set<std::string> matched;
  for (const FieldPattern& one : expected.fields) {
    if (one.match != Match::equals) matched.insert(one.field);
  }
  PatternWriter writer(exchanges);
  for (const auto& [name, value] : example.members()) {
    if (!value.is_array() && !matched.contains(name)) writer.add_equals(name, value);
  }
  for (const FieldPattern& one : expected.fields) {
    if (one.match != Match::equals) writer.add(one, message);
  }
  if (expected.only_after) writer.add_over(*expected.only_after);
  return writer.finish();
}

Json either_json(std::vector<Json> lists) {
  Json all = std::move(lists.back());
  for (std::size_t i = lists.size() - 1; i-- > 0;) {
    Json either = {{"match", "either"}, {"either", std::move(lists[i])}, {"or", std::move(all)}};
    all = Json::array({std::move(either)});
  }
  return all;
}

}  // namespace hallmark::vectors
