#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "conformance/suites/ratelimit_state/walk.hpp"
#include "protocol/dialects.hpp"
#include "protocol/text/state.hpp"
#include "protocol/text/text.hpp"
#include "vectors/format/state_match.hpp"

namespace hallmark::conformance {
namespace {

using base::Json;
using protocol::Level;
using protocol::ratelimit_state;

/// Walks of one case: each has a configuration of its own.
constexpr int walks = 4;

using Course = void (*)(Walk&);

void walk(AdapterTrial& trial, std::string_view strategy, Course course) {
  for (int i = 0; i < walks; ++i) {
    Walk one(trial, strategy);
    course(one);
  }
}

void answers_completely(Walk& walk) {
  for (int i = 0; i < Walk::length; ++i) walk.step();
  if (!walk.decide(nullptr, walk.now()).allowed)
    walk.fail("with no state, a first request is denied");
}

void writes_only_what_is_allowed(Walk& walk) {
  for (int i = 0; i < Walk::length; ++i) {
    const WalkDecision decision = walk.step();
    if (!decision.allowed && !decision.state.is_null())
      walk.fail("a denied request writes " + decision.state.dump());
    if (decision.allowed && decision.state.is_null())
      walk.fail("an allowed request writes nothing");
  }
}

/// Over every two admitted requests.
void check_bounds(const Walk& walk, const std::vector<std::int64_t>& admitted) {
  const std::size_t last = admitted.size() - 1;
  for (std::size_t first = 0; first <= last; ++first) {
    const std::int64_t span = admitted[last] - admitted[first];
    const auto count = static_cast<std::int64_t>(last - first + 1);
    for (std::size_t i = 0; i < walk.configuration().bounds.size(); ++i) {
      const std::int64_t most = walk.configuration().bounds[i].most_in(span);
      if (count > most)
        walk.fail(fmt::format("{} requests were admitted within {} ns, {} of '{}' at most", count,
                              span, most, walk.configuration().quotas[i]));
    }
  }
}

void admits_no_more_than_its_limit(Walk& walk) {
  std::vector<std::int64_t> admitted;
  for (int i = 0; i < Walk::length; ++i) {
    if (!walk.step().allowed) continue;
    admitted.push_back(walk.now());
    check_bounds(walk, admitted);
  }
}

/// When all quotas that deny have been reset. A reset is whole nanoseconds, which may be cut off.
std::int64_t after_reset(const WalkDecision& denied) {
  std::int64_t latest = 0;
  for (const WalkResult& result : denied.results) {
    if (!result.allowed) latest = std::max(latest, result.reset);
  }
  return latest + 1;
}

void allows_at_reset(Walk& walk) {
  for (int i = 0; i < Walk::length; ++i) {
    const WalkDecision decision = walk.step();
    if (decision.allowed) continue;
    const std::int64_t then = after_reset(decision);
    if (!walk.decide(walk.state(), then).allowed)
      walk.fail(
          fmt::format("denied at {} until {}, and denied again at {}", walk.now(), then - 1, then));
  }
}

/// Returns how many more requests are admitted at once; tries at most `most`.
std::int64_t admitted_at_once(Walk& walk, Json state, std::int64_t most) {
  for (std::int64_t count = 0; count < most; ++count) {
    const WalkDecision decision = walk.decide(state, walk.now());
    if (!decision.allowed) return count;
    state = decision.state;
  }
  return most;
}

void counts_what_remains(Walk& walk) {
  constexpr int every = 8;
  for (int i = 0; i < Walk::length; ++i) {
    const WalkDecision decision = walk.step();
    if (!decision.allowed || i % every != 0) continue;
    const std::int64_t said = decision.least_remaining();
    const std::int64_t found = admitted_at_once(walk, decision.state, said + 1);
    const bool right = found == said || (walk.configuration().leaks && found + 1 == said);
    if (!right)
      walk.fail(fmt::format("{} are said to remain, and {} more admitted at once", said,
                            found > said ? "more are" : fmt::format("{} are", found)));
  }
}

void forgets_in_the_end(Walk& walk) {
  for (int i = 0; i < Walk::length; ++i) walk.step();
  const std::int64_t then = walk.now() + walk.configuration().rest;
  const WalkDecision kept = walk.decide(walk.state(), then);
  const WalkDecision fresh = walk.decide(nullptr, then);
  if (kept.state != fresh.state)
    walk.fail("a state at rest is as none",
              fmt::format("{} ns later the state is {}, and without one {}",
                          walk.configuration().rest, kept.state.dump(), fresh.state.dump()));
}

/// A store may drop a state when it expires: from then on it is as none. What an adapter does not
/// tell is not judged.
void expires_when_at_rest(Walk& walk) {
  constexpr std::int64_t ns_per_ms = 1'000'000;
  for (int i = 0; i < Walk::length; ++i) {
    const WalkDecision decision = walk.step();
    if (!decision.allowed || !decision.expires_in_ms) continue;
    const std::int64_t then = walk.now() + *decision.expires_in_ms * ns_per_ms;
    const WalkDecision kept = walk.decide(decision.state, then);
    const WalkDecision dropped = walk.decide(nullptr, then);
    if (kept.state != dropped.state)
      walk.fail("a state that expires is as none",
                fmt::format("{} expires in {} ms; then it would be {}, and without it {}",
                            decision.state.dump(), *decision.expires_in_ms, kept.state.dump(),
                            dropped.state.dump()));
  }
}

/// Null where it is not there, or `json` is no object.
Json member(const Json& json, const char* name) { return json[name]; }

Json decode_request(const WalkConfiguration& configuration, const Json& state) {
  Json request = {{"op", "decode"}, {"strategy", configuration.strategy}};
  if (!configuration.parts.empty()) request["of"] = configuration.parts;
  request["state"] = state;
  return request;
}

/// Returns the request that encodes the fields which decode gave.
Json encode_request(const WalkConfiguration& configuration, const Json& fields) {
  Json request = {{"op", "encode"}, {"strategy", configuration.strategy}};
  if (configuration.parts.empty()) {
    request["fields"] = fields;
    return request;
  }
  const char* const names[] = {"primary", "secondary"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    request["fields"][names[i]] = {{"strategy", configuration.parts[i]},
                                   {"fields", member(member(fields, names[i]), "fields")}};
  }
  return request;
}

void reads_what_it_writes(Walk& walk) {
  const WalkConfiguration& configuration = walk.configuration();
  for (int i = 0; i < Walk::length; ++i) {
    const WalkDecision decision = walk.step();
    if (!decision.allowed || !decision.state.is_string()) continue;
    const Json read = walk.trial().ask_listed(decode_request(configuration, decision.state),
                                              configuration.formats());
    const std::string format = configuration.formats().front();
    if (member(read, "format") != format)
      walk.fail(fmt::format("decide wrote {}, which decode does not take for {}: {}",
                            decision.state.dump(), format, read.dump()));
    const Json written =
        walk.trial().ask_listed(encode_request(configuration, member(read, "fields")));
    if (member(written, "state") != decision.state)
      walk.fail(fmt::format("decide wrote {}, and after decode and encode it is {}",
                            decision.state.dump(), written.dump()));
  }
}

Json without_id(Json answer) {
  answer.erase("id");
  return answer;
}

struct Remembered {
  Json request;
  Json answer;
};

/// Two walks in turn, then the same requests in another order to a process that knows of neither.
void remembers_nothing(AdapterTrial& trial, std::string_view strategy) {
  Walk first(trial, strategy);
  Walk second(trial, strategy);
  std::vector<Remembered> all;
  for (int i = 0; i < Walk::length; ++i) {
    Walk& one = i % 2 == 0 ? first : second;
    one.step();
    Json request = one.request(one.state(), one.now());
    Json answer = without_id(trial.ask_listed(request));
    all.push_back({std::move(request), std::move(answer)});
  }
  std::shuffle(all.begin(), all.end(), trial.generator());
  trial.client().renew();
  for (const Remembered& one : all) {
    const Json again = without_id(trial.ask(one.request));
    if (vectors::mismatch(one.answer, again, false))
      trial.fail(fmt::format("the same request gets another answer: {} to {}, before it was {}",
                             again.dump(), one.request.dump(), one.answer.dump()));
  }
}

/// A float64 of the whole range that is 0 or more, or one with few decimals.
double draw_float(AdapterTrial& trial) {
  constexpr double powers[] = {1, 10, 1e3, 1e6, 1e9};
  if (trial.random(2) == 0)
    return static_cast<double>(trial.random(10'000'000)) / powers[trial.random(std::size(powers))];
  const double any = std::abs(std::bit_cast<double>(trial.generator()()));
  return std::isfinite(any) ? any : 0;
}

std::string text_of(double number) {
  char digits[protocol::text::most_real_bytes];
  return {digits, protocol::text::write_real(digits, number)};
}

Json draw_fields(AdapterTrial& trial, const protocol::Format& format) {
  Json fields = Json::object();
  for (const protocol::Field& field : format.message.fields) {
    const std::string name(field.name);
    if (field.is<protocol::kinds::Real>()) fields[name] = text_of(draw_float(trial));
    if (field.is<protocol::kinds::SignedDecimal>())
      fields[name] = std::to_string(trial.generator()() >> 1);
  }
  return fields;
}

/// Numbers of the whole range, as they stand in fields and in states.
void keeps_numbers(AdapterTrial& trial, std::string_view strategy) {
  constexpr int numbers = 200;
  const protocol::Format& format = *protocol::state::current_format(ratelimit_state, strategy);
  for (int i = 0; i < numbers; ++i) {
    const Json fields = draw_fields(trial, format);
    const Json written =
        trial.ask_listed({{"op", "encode"}, {"strategy", strategy}, {"fields", fields}});
    const Json state = member(written, "state");
    if (!state.is_string())
      trial.fail(fmt::format("{} is encoded as {}", fields.dump(), written.dump()));
    const Json read = trial.ask_listed({{"op", "decode"}, {"strategy", strategy}, {"state", state}},
                                       {std::string(format.name)});
    if (vectors::mismatch(fields, member(read, "fields"), false))
      trial.fail(fmt::format("{} is encoded as {}, and decoded as {}", fields.dump(), state.dump(),
                             read.dump()));
  }
}

/// Spellings that no encoder writes, and that libraries for numbers may read.
void reads_odd_numbers_right(AdapterTrial& trial, std::string_view strategy) {
  constexpr const char* odd[] = {"+5",  "05",  "5.", ".5",  "0x1p3",
                                 "NaN", "Inf", "-0", "1E3", "1e400"};
  const protocol::Format& format = *protocol::state::current_format(ratelimit_state, strategy);
  const std::string number(format.message.fields[1].name);
  for (const char* const spelling : odd) {
    std::string state = std::string(format.header) + spelling;
    if (format.message.fields.size() > 2) state += "|17";
    const Json answer = trial.ask_listed(
        {{"op", "decode"}, {"strategy", strategy}, {"state", state}}, {std::string(format.name)});
    if (answer.contains("error")) continue;
    const Json read = member(member(answer, "fields"), number.c_str());
    const std::string text = read.is_string() ? read.string() : "";
    const auto plain = protocol::text::real_at_front(text);
    if (!plain || plain->length != text.size() || plain->number != std::strtod(spelling, nullptr))
      trial.fail(fmt::format("{} is read as {}; expected: an error, or the number that it is",
                             state, read.dump()));
  }
}

struct Property {
  const char* name;
  const char* title;
  const char* operation;
  Level level;
  const char* clause;
  Course course;
};

constexpr Property properties[] = {
    {"answers", "every answer is complete, and a first request is allowed", "decide", Level::should,
     "", answers_completely},
    {"limit", "over no time are more requests admitted than the limit allows", "decide",
     Level::should, "", admits_no_more_than_its_limit},
    {"denied", "a denied request writes nothing, an allowed one its state", "decide", Level::should,
     "silence.denied", writes_only_what_is_allowed},
    {"reset", "after its reset a denied request is allowed", "decide", Level::may, "silence.reset",
     allows_at_reset},
    {"remaining", "as many requests are admitted at once as are said to remain", "decide",
     Level::should, "", counts_what_remains},
    {"rest", "in the end a state is as none", "decide", Level::should, "", forgets_in_the_end},
    {"expiry", "an expired state is as none", "decide", Level::should, "silence.expiry",
     expires_when_at_rest},
    {"round-trip", "decode and encode give a written state again", "encode", Level::must, "",
     reads_what_it_writes},
};

/// Returns the clauses by which a strategy's answers are judged, and those of its states' format.
std::vector<std::string> clauses_of(std::string_view strategy, const Property& property) {
  std::vector<std::string> clauses;
  const std::string name(strategy);
  if (*property.clause != '\0') clauses.emplace_back(property.clause);
  if (property.level == Level::must) clauses.push_back(name + ".format");
  if (strategy == "fixed-window" && property.course == expires_when_at_rest)
    clauses.emplace_back("fixed-window.ttl");
  if (clauses.empty())
    clauses.push_back(strategy == "composite" ? "composite.approve" : "silence." + name);
  return clauses;
}

CaseEntry entry(const std::string& prefix, std::string_view strategy, const char* name,
                std::string title, const char* operation, Level level,
                std::vector<std::string> clauses) {
  return {fmt::format("{}/behaviour/{}/{}", prefix, strategy, name),
          std::move(title),
          operation,
          level,
          std::move(clauses),
          Delivery::whole};
}

/// Returns true if numbers for its states can be drawn, and their texts be told in advance.
bool has_numbers(std::string_view strategy, const WireFormat& format) {
  return strategy != "composite" && strategy != "fixed-window" &&
         format.reads({"float-text", "shortest"});
}

}  // namespace

AdapterCases property_cases(const std::string& prefix, const WireFormat& format) {
  AdapterCases cases;
  for (const std::string_view strategy : protocol::state::strategies(ratelimit_state)) {
    const std::string name(strategy);
    for (const Property& one : properties) {
      cases.push_back(
          {entry(prefix, strategy, one.name, one.title, one.operation, one.level,
                 clauses_of(strategy, one)),
           [name, course = one.course](AdapterTrial& trial) { walk(trial, name, course); }});
    }
    cases.push_back({entry(prefix, strategy, "no-memory", "the same request gets the same answer",
                           "decide", Level::must, {"adapter.no-memory"}),
                     [name](AdapterTrial& trial) { remembers_nothing(trial, name); }});
    if (!has_numbers(strategy, format)) continue;
    cases.push_back({entry(prefix, strategy, "odd-numbers",
                           "an odd spelling of a number is refused, or read as what it says",
                           "decode", Level::may, {"silence.numbers"}),
                     [name](AdapterTrial& trial) { reads_odd_numbers_right(trial, name); }});
    cases.push_back({entry(prefix, strategy, "numbers", "numbers of the whole range are kept",
                           "encode", Level::must, {name + ".format", "silence.float-text"}),
                     [name](AdapterTrial& trial) { keeps_numbers(trial, name); }});
  }
  return cases;
}

}  // namespace hallmark::conformance
