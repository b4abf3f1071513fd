#include "conformance/tests/fixture.hpp"

#include <algorithm>
#include <stdexcept>

#include "protocol/codec/encode.hpp"

namespace hallmark::conformance::testing {
namespace {

using vectors::Expect;
using vectors::Expected;
using vectors::FieldPattern;
using vectors::Match;
using vectors::Send;
using vectors::Step;

Expected delivery(std::string_view payload) {
  Expected expected = reply("DELIVERY", {is("payload", payload)});
  expected.push = true;
  return expected;
}

FieldPattern capture(protocol::FieldName field, const std::string& name, Match match) {
  FieldPattern pattern = any(field);
  pattern.match = match;
  pattern.capture = name;
  return pattern;
}

}  // namespace

Step send(const std::string& connection, const Request& request) {
  return {connection, Send{std::string(request.operation),
                           request.values,
                           encoded(format_u16(), request).bytes,
                           {}}};
}

Step expect(const std::string& connection, Expected expected) {
  return {connection, Expect{{std::move(expected)}}};
}

Expected reply(const std::string& operation, Patterns fields, base::Bytes example) {
  Expected expected;
  expected.message = operation;
  expected.fields = std::move(fields);
  expected.example = std::move(example);
  return expected;
}

FieldPattern remaining(std::uint64_t full, std::size_t since) {
  FieldPattern pattern = any("ttl");
  pattern.match = Match::remaining;
  pattern.lifetime = {full, 1'000'000'000, since};
  return pattern;
}

vectors::Vector pipelinable_vector() {
  vectors::Vector vector;
  vector.id = "throttr-7.1/u16/query/sample";
  vector.title = "a sample";
  vector.operation = "QUERY";
  vector.clauses = {"query.found"};
  vector.keys = {{{"key", base::to_bytes("sample")}}};
  vector.steps = {send("a", insert("sample", 7, minute)), expect("a", reply("INSERT", success())),
                  send("a", query("sample")),
                  expect("a", reply("QUERY", {is("status", 1), is("quota", 7), is("ttl_type", 4),
                                              remaining(60, 0)}))};
  return vector;
}

vectors::Vector sample_vector() {
  vectors::Vector vector = pipelinable_vector();
  vector.id += "-of-all";
  const std::vector<Step> more{
      send("b", subscribe("sample-channel")),
      expect("b", reply("SUBSCRIBE", success())),
      send("a", publish("sample-channel", "payload")),
      expect("b", delivery("payload")),
      send("a", bare("WHOAMI")),
      expect("a", reply("WHOAMI", {is("status", 1), capture("id", "me", Match::capture)})),
      send("a", bare("WHOAMI")),
      expect("a", reply("WHOAMI", {is("status", 1), capture("id", "me", Match::captured)}))};
  vector.steps.insert(vector.steps.end(), more.begin(), more.end());
  return vector;
}

Unit unit_of_vector(const vectors::Vector& vector) {
  vectors::VectorFile file;
  file.vectors = {vector};
  return suite_of_vectors({file}, format_u16()).suite.front();
}

Unit unit_of_behaviour(const std::string& name, const WireFormat& format) {
  for (Unit& unit : suite_of_behaviours(behaviour_cases(format), "prefix")) {
    if (unit.name == name) return unit;
  }
  throw std::out_of_range("no case " + name);
}

Unit unit_that(const std::string& id, std::function<void(Stage&)> run) {
  Unit unit;
  unit.name = id;
  unit.run = std::move(run);
  unit.cases.push_back(
      {id, id, "INSERT", protocol::Level::must, {"insert.status"}, Delivery::whole});
  return unit;
}

}  // namespace hallmark::conformance::testing
