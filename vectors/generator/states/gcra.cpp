#include "vectors/generator/states/state_suite.hpp"

namespace hallmark::vectors::generator {
namespace gcra {
namespace {

using base::Json;

Json fields(std::string_view tat) { return {{"tat", tat}}; }

Json gcra(std::string_view burst, std::string_view rate) {
  return {{"strategy", "gcra"}, {"burst", burst}, {"rate", rate}};
}

constexpr protocol::MessageName current = "gcra/42";

void add_texts(StateSuite& suite) {
  suite.add("decode", "example", "the document's example")
      .cites({"gcra.format", "header.form", "header.separator"})
      .reads("42|1761884055342794596", current, fields(document_time));
  suite.add("encode", "example", "the document's example is written byte for byte")
      .cites({"header.strategy", "gcra.format", "header.form", "gcra.tat"})
      .writes(fields(document_time), "42|1761884055342794596");
  suite.add("encode", "times", "the TAT is an int64")
      .cites({"gcra.tat"})
      .keeps("42|0", current, fields("0"))
      .keeps("42|-1", current, fields("-1"))
      .keeps("42|-6795364578871345152", current, fields("-6795364578871345152"))
      .keeps("42|-9223372036854775808", current, fields("-9223372036854775808"))
      .keeps("42|9223372036854775807", current, fields("9223372036854775807"));
}

void add_malformed(StateSuite& suite) {
  const auto refused = [&](std::string_view name, std::string_view title, std::string_view state,
                           std::size_t offset, std::string_view field) {
    suite.add_refused(name, title, {"gcra.format"}, state, offset, field);
  };
  refused("no-time", "the TAT is missing", "42|", 3, "tat");
  refused("letters", "the TAT is no word", "42|soon", 3, "tat");
  refused("fraction", "the TAT is no float", "42|1.5", 4, "tat");
  refused("beyond", "the TAT has 64 bits", "42|9223372036854775808", 3, "tat");
  refused("one-more", "a second field", "42|1761884055342794596|1", 22, "tat");
}

void add_history(StateSuite& suite) {
  suite.add("decode", "v1", "version 1 holds interval and limit")
      .should()
      .cites({"history.gcra", "silence.legacy-strategy"})
      .reads("v1|1761884055342794596|100000000|500000000", "gcra/v1",
             {{"tat", document_time}, {"emission_interval", "100000000"}, {"limit", "500000000"}});
  suite.add("decode", "v2", "version 2 before headers became hexadecimal")
      .should()
      .cites({"history.gcra"})
      .where({"legacy-tail", "bar"})
      .reads("v2|1761884055342794596|", "gcra/v2", fields(document_time));
  suite.add("decode", "v2-without-tail", "version 2 without the last bar")
      .should()
      .cites({"history.gcra", "silence.legacy-tail"})
      .where({"legacy-tail", "none"})
      .reads("v2|1761884055342794596", "gcra/v2", fields(document_time));
}

void add_decisions(StateSuite& suite) {
  const auto decision = [&](std::string_view name, std::string_view title) {
    return suite.add("decide", name, title).should().cites({"silence.gcra"});
  };
  decision("first", "the first request moves the TAT on from now")
      .decides(gcra("3", "10"), nullptr, document_time, allowed("2", "42|1761884055442794596"));
  decision("burst", "as many at once as the burst, and no more")
      .decides(gcra("3", "10"), "42|1761884055442794596", document_time,
               allowed("1", "42|1761884055542794596"))
      .decides(gcra("3", "10"), "42|1761884055542794596", document_time,
               allowed("0", "42|1761884055642794596"))
      .decides(gcra("3", "10"), "42|1761884055642794596", document_time, denied("0"));
  decision("edge", "an interval later, to the nanosecond, there is room for one")
      .decides(gcra("3", "10"), "42|1761884055642794596", "1761884055442794595", denied("0"))
      .decides(gcra("3", "10"), "42|1761884055642794596", "1761884055442794596",
               allowed("0", "42|1761884055742794596"));
  decision("past", "a TAT in the past counts as now")
      .decides(gcra("3", "10"), "42|1761884055342794596", "1761884055342794597",
               allowed("2", "42|1761884055442794597"))
      .decides(gcra("3", "10"), "42|0", document_time, allowed("2", "42|1761884055442794596"));
  decision("whole-nanoseconds", "the interval is a whole number of nanoseconds")
      .decides(gcra("1", "3"), nullptr, document_time, allowed("0", "42|1761884055676127929"));
  suite.add("decide", "deny", "a denied request writes nothing")
      .should()
      .cites({"silence.gcra", "silence.denied"})
      .decides(gcra("1", "1"), "42|1761884056342794596", document_time, denied("0"));
  suite.add("decide", "reset", "a denied request is told when there is room")
      .may()
      .cites({"silence.reset"})
      .decides(gcra("3", "10"), "42|1761884055642794596", document_time,
               denied_until("0", "1761884055442794596"));
  suite.add("decide", "clock-back", "a TAT far in the future denies")
      .may()
      .cites({"silence.clock"})
      .decides(gcra("3", "10"), "42|1761884055342794596", "1761884054342794596", denied("0"));
  suite.add("decide", "malformed", "a malformed state is an error")
      .should()
      .cites({"silence.malformed"})
      .decides(gcra("3", "10"), "42|soon", document_time, refusal(3, "tat"));
}

}  // namespace
}  // namespace gcra

void add_gcra(StateSuite& suite) {
  gcra::add_texts(suite);
  add_foreign_strings(suite);
  gcra::add_malformed(suite);
  gcra::add_history(suite);
  gcra::add_decisions(suite);
}

}  // namespace hallmark::vectors::generator
