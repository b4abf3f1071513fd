#include "vectors/generator/states/state_suite.hpp"

namespace hallmark::vectors::generator {
namespace leaky_bucket {
namespace {

using base::Json;

Json fields(std::string_view requests, std::string_view last_leak = document_time) {
  return {{"requests", requests}, {"last_leak", last_leak}};
}

Json bucket(std::string_view capacity, std::string_view rate) {
  return {{"strategy", "leaky-bucket"}, {"capacity", capacity}, {"rate", rate}};
}

constexpr protocol::MessageName current = "leaky-bucket/32";

void add_texts(StateSuite& suite) {
  suite.add("decode", "example", "the document's example, with its point")
      .cites({"leaky-bucket.format", "header.form", "header.separator", "leaky-bucket.time"})
      .reads("32|5.0|1761884055342794596", current, fields("5"));
  suite.add("encode", "example", "the document's example, in format g")
      .cites({"header.strategy", "leaky-bucket.format", "header.form", "silence.float-text"})
      .writes(fields("5"), "32|5|1761884055342794596");
  suite.add("encode", "floats", "requests are a float64")
      .cites({"leaky-bucket.fraction"})
      .keeps("32|2.5|1761884055342794596", current, fields("2.5"))
      .keeps("32|0|1761884055342794596", current, fields("0"))
      .keeps("32|0.1|1761884055342794596", current, fields("0.1"))
      .keeps("32|1.234567e+06|1761884055342794596", current, fields("1.234567e+06"))
      .keeps("32|1e-05|1761884055342794596", current, fields("1e-05"));
  suite.add("encode", "times", "times are int64")
      .cites({"leaky-bucket.time"})
      .keeps("32|1|0", current, fields("1", "0"))
      .keeps("32|1|-6795364578871345152", current, fields("1", "-6795364578871345152"))
      .keeps("32|1|9223372036854775807", current, fields("1", "9223372036854775807"));
}

void add_malformed(StateSuite& suite) {
  const auto refused = [&](std::string_view name, std::string_view title, std::string_view state,
                           std::size_t offset, std::string_view field) {
    suite.add_refused(name, title, {"leaky-bucket.format"}, state, offset, field);
  };
  refused("no-fields", "the fields are missing", "32|", 3, "requests");
  refused("no-time", "the time is missing", "32|5", 4, "bar before last_leak");
  refused("empty-time", "the time is empty", "32|5|", 5, "last_leak");
  refused("letters", "requests are no word", "32|few|1761884055342794596", 3, "requests");
  refused("one-more", "a third field", "32|5|1761884055342794596|10", 24, "last_leak");
}

void add_history(StateSuite& suite) {
  suite.add("decode", "v1", "version 1 holds capacity and rate")
      .should()
      .cites({"history.leaky-bucket", "silence.legacy-strategy"})
      .reads(
          "v1|5|1761884055342794596|10|2.5", "leaky-bucket/v1",
          {{"level", "5"}, {"last_leak", document_time}, {"capacity", "10"}, {"leak_rate", "2.5"}});
  suite.add("decode", "v2", "version 2 before headers became hexadecimal")
      .should()
      .cites({"history.leaky-bucket", "silence.legacy-strategy"})
      .where({"legacy-tail", "bar"})
      .reads("v2|5.5|1761884055342794596|", "leaky-bucket/v2", fields("5.5"));
  suite.add("decode", "v2-without-tail", "version 2 without the last bar")
      .should()
      .cites({"history.leaky-bucket", "silence.legacy-tail"})
      .where({"legacy-tail", "none"})
      .reads("v2|5.5|1761884055342794596", "leaky-bucket/v2", fields("5.5"));
}

void add_decisions(StateSuite& suite) {
  const auto decision = [&](std::string_view name, std::string_view title) {
    return suite.add("decide", name, title).should().cites({"silence.leaky-bucket"});
  };
  decision("first", "the first request finds an empty bucket")
      .decides(bucket("3", "1"), nullptr, document_time, allowed("2", "32|1|1761884055342794596"));
  suite.add("decide", "capacity", "the bucket holds as many as its capacity")
      .cites({"leaky-bucket.burst"})
      .decides(bucket("3", "1"), "32|2|1761884055342794596", document_time,
               allowed("0", "32|3|1761884055342794596"))
      .decides(bucket("3", "1"), "32|3|1761884055342794596", document_time, denied("0"));
  decision("leak", "requests leak out by nanoseconds and the rate per second")
      .decides(bucket("10", "2"), "32|5|1761884055342794596", "1761884056092794596",
               allowed("6", "32|4.5|1761884056092794596"))
      .decides(bucket("4", "0.5"), "32|4|1761884055342794596", "1761884057342794596",
               allowed("0", "32|4|1761884057342794596"));
  decision("empty", "no bucket is emptier than empty")
      .decides(bucket("3", "1"), "32|2|1761884055342794596", "1761887655342794596",
               allowed("2", "32|1|1761887655342794596"));
  suite.add("decide", "deny", "a request that does not fit whole is denied, and nothing is written")
      .should()
      .cites({"silence.leaky-bucket", "silence.denied"})
      .decides(bucket("3", "1"), "32|2.5|1761884055342794596", document_time, denied("1"))
      .decides(bucket("3", "1"), "32|3|1761884055342794596", "1761884055842794596", denied("1"));
  suite.add("decide", "reset", "a denied request is told when it will fit")
      .may()
      .cites({"silence.reset"})
      .decides(bucket("3", "1"), "32|2.5|1761884055342794596", document_time,
               denied_until("1", "1761884055842794596"));
  suite.add("decide", "clock-back", "a clock that went back fills what it will empty again")
      .may()
      .cites({"silence.clock"})
      .decides(bucket("5", "2"), "32|1|1761884055342794596", "1761884054342794596",
               allowed("1", "32|4|1761884054342794596"));
  suite.add("decide", "malformed", "a malformed state is an error")
      .should()
      .cites({"silence.malformed"})
      .decides(bucket("3", "1"), "32|x|1761884055342794596", document_time, refusal(3, "requests"));
}

}  // namespace
}  // namespace leaky_bucket

void add_leaky_bucket(StateSuite& suite) {
  leaky_bucket::add_texts(suite);
  add_foreign_strings(suite);
  leaky_bucket::add_malformed(suite);
  leaky_bucket::add_history(suite);
  leaky_bucket::add_decisions(suite);
}

}  // namespace hallmark::vectors::generator
