#include "vectors/generator/states/state_suite.hpp"

namespace hallmark::vectors::generator {
namespace token_bucket {
namespace {

using base::Json;

Json fields(std::string_view tokens, std::string_view last_refill = document_time) {
  return {{"tokens", tokens}, {"last_refill", last_refill}};
}

Json bucket(std::string_view burst, std::string_view rate) {
  return {{"strategy", "token-bucket"}, {"burst", burst}, {"rate", rate}};
}

constexpr protocol::MessageName current = "token-bucket/12";

void add_texts(StateSuite& suite) {
  suite.add("decode", "example", "the document's example")
      .cites({"token-bucket.format", "header.form", "header.separator", "token-bucket.time"})
      .reads("12|8.5|1761884055342794596", current, fields("8.5"));
  suite.add("encode", "example", "the document's example is written byte for byte")
      .cites({"header.strategy", "token-bucket.format", "header.form", "header.separator",
              "token-bucket.time"})
      .writes(fields("8.5"), "12|8.5|1761884055342794596");
  suite.add("encode", "whole", "a whole number of tokens has no point")
      .should()
      .cites({"silence.float-text"})
      .keeps("12|5|1761884055342794596", current, fields("5"))
      .keeps("12|0|1761884055342794596", current, fields("0"))
      .keeps("12|100000|1761884055342794596", current, fields("100000"));
  suite.add("decode", "point", "a float with a superfluous point is read")
      .should()
      .cites({"silence.float-text"})
      .reads("12|5.0|1761884055342794596", current, fields("5"))
      .reads("12|8.50|1761884055342794596", current, fields("8.5"));
  suite.add("encode", "fraction", "fractions keep every digit that tells them apart")
      .cites({"token-bucket.fraction"})
      .keeps("12|0.30000000000000004|1761884055342794596", current, fields("0.30000000000000004"))
      .keeps("12|3.3333333333333335|1761884055342794596", current, fields("3.3333333333333335"))
      .keeps("12|9.999999999|1761884055342794596", current, fields("9.999999999"))
      .keeps("12|12345.678|1761884055342794596", current, fields("12345.678"));
  suite.add("encode", "large", "from a million on there is an exponent")
      .cites({"token-bucket.fraction"})
      .keeps("12|999999|1761884055342794596", current, fields("999999"))
      .keeps("12|1e+06|1761884055342794596", current, fields("1e+06"))
      .keeps("12|1.234567e+06|1761884055342794596", current, fields("1.234567e+06"))
      .keeps("12|1e+21|1761884055342794596", current, fields("1e+21"))
      .keeps("12|9.007199254740994e+15|1761884055342794596", current,
             fields("9.007199254740994e+15"))
      .keeps("12|1.7976931348623157e+308|1761884055342794596", current,
             fields("1.7976931348623157e+308"));
  suite.add("encode", "small", "below 0.0001 there is an exponent")
      .cites({"token-bucket.fraction"})
      .keeps("12|0.0001|1761884055342794596", current, fields("0.0001"))
      .keeps("12|1e-05|1761884055342794596", current, fields("1e-05"))
      .keeps("12|1.5e-05|1761884055342794596", current, fields("1.5e-05"))
      .keeps("12|5e-324|1761884055342794596", current, fields("5e-324"));
  suite.add("encode", "times", "times are int64, also before 1970 and far from today")
      .cites({"token-bucket.time"})
      .keeps("12|1|0", current, fields("1", "0"))
      .keeps("12|1|1", current, fields("1", "1"))
      .keeps("12|1|-6795364578871345152", current, fields("1", "-6795364578871345152"))
      .keeps("12|1|9223372036854775807", current, fields("1", "9223372036854775807"));
}

void add_malformed(StateSuite& suite) {
  const auto refused = [&](std::string_view name, std::string_view title, std::string_view state,
                           std::size_t offset, std::string_view field) {
    suite.add_refused(name, title, {"token-bucket.format"}, state, offset, field);
  };
  refused("no-fields", "the fields are missing", "12|", 3, "tokens");
  refused("no-time", "the time is missing", "12|8.5", 6, "bar before last_refill");
  refused("empty-time", "the time is empty", "12|8.5|", 7, "last_refill");
  refused("empty-tokens", "the tokens are empty", "12||1761884055342794596", 3, "tokens");
  refused("letters", "tokens are no word", "12|many|1761884055342794596", 3, "tokens");
  refused("two-points", "a float has one point", "12|8.5.1|1761884055342794596", 6,
          "bar before last_refill");
  refused("time-fraction", "the time is no float", "12|8.5|1761884055342794596.5", 26,
          "last_refill");
  refused("time-beyond", "the time has 64 bits", "12|8.5|9223372036854775808", 7, "last_refill");
  refused("one-more", "a third field", "12|8.5|1761884055342794596|10", 26, "last_refill");
}

void add_history(StateSuite& suite) {
  suite.add("decode", "v1", "version 1 holds capacity and rate")
      .should()
      .cites({"history.token-bucket", "silence.legacy-strategy"})
      .reads("v1|8.5|1761884055342794596|10|2", "token-bucket/v1",
             {{"tokens", "8.5"},
              {"last_refill", document_time},
              {"capacity", "10"},
              {"refill_rate", "2"}});
  suite.add("decode", "v2", "version 2 before headers became hexadecimal")
      .should()
      .cites({"history.token-bucket", "silence.legacy-strategy"})
      .where({"legacy-tail", "bar"})
      .reads("v2|8.5|1761884055342794596|", "token-bucket/v2", fields("8.5"));
  suite.add("decode", "v2-without-tail", "version 2 without the last bar")
      .should()
      .cites({"history.token-bucket", "silence.legacy-tail"})
      .where({"legacy-tail", "none"})
      .reads("v2|8.5|1761884055342794596", "token-bucket/v2", fields("8.5"));
  suite.add("decode", "v2-tail-expected", "version 2 has a last bar")
      .should()
      .cites({"silence.legacy-tail", "silence.malformed"})
      .where({"legacy-tail", "bar"})
      .refuses("v2|8.5|1761884055342794596", 26, "last bar");
  suite.add("decode", "v1-cut", "version 1 without its rate")
      .should()
      .cites({"silence.malformed", "history.token-bucket"})
      .refuses("v1|8.5|1761884055342794596|10", 29, "bar before refill_rate");
}

void add_decisions(StateSuite& suite) {
  const auto decision = [&](std::string_view name, std::string_view title) {
    return suite.add("decide", name, title).should().cites({"silence.token-bucket"});
  };
  suite.add("decide", "first", "the first request finds as many tokens as the burst")
      .cites({"token-bucket.burst"})
      .decides(bucket("10", "2"), nullptr, document_time, allowed("9", "12|9|1761884055342794596"))
      .decides(bucket("1", "1"), nullptr, document_time, allowed("0", "12|0|1761884055342794596"));
  decision("take", "a request takes one token")
      .decides(bucket("10", "2"), "12|8.5|1761884055342794596", document_time,
               allowed("7", "12|7.5|1761884055342794596"))
      .decides(bucket("10", "2"), "12|1|1761884055342794596", document_time,
               allowed("0", "12|0|1761884055342794596"));
  decision("refill", "tokens flow in by nanoseconds and the rate per second")
      .decides(bucket("10", "2"), "12|3|1761884055342794596", "1761884056092794596",
               allowed("3", "12|3.5|1761884056092794596"))
      .decides(bucket("100", "0.5"), "12|0|1761884055342794596", "1761884065342794596",
               allowed("4", "12|4|1761884065342794596"));
  decision("full", "no more tokens than the burst")
      .decides(bucket("10", "2"), "12|9.5|1761884055342794596", "1761887655342794596",
               allowed("9", "12|9|1761887655342794596"))
      .decides(bucket("5", "2"), "12|8|1761884055342794596", document_time,
               allowed("4", "12|4|1761884055342794596"));
  decision("just-enough", "exactly one token has come together")
      .decides(bucket("10", "4"), "12|0.5|1761884055342794596", "1761884055467794596",
               allowed("0", "12|0|1761884055467794596"));
  suite.add("decide", "deny", "less than one whole token is none, and nothing is written")
      .should()
      .cites({"silence.token-bucket", "silence.denied"})
      .decides(bucket("10", "2"), "12|0.5|1761884055342794596", document_time, denied("0"))
      .decides(bucket("10", "4"), "12|0.5|1761884055342794596", "1761884055467794595", denied("0"))
      .decides(bucket("10", "2"), "12|0|1761884055342794596", document_time, denied("0"));
  suite.add("decide", "reset", "a denied request is told when a token will be there")
      .may()
      .cites({"silence.reset"})
      .decides(bucket("10", "2"), "12|0.5|1761884055342794596", document_time,
               denied_until("0", "1761884055592794596"))
      .decides(bucket("10", "0.25"), "12|0|1761884055342794596", document_time,
               denied_until("0", "1761884059342794596"));
  decision("fraction-of-burst", "a burst that is no whole number")
      .decides(bucket("2.5", "1"), nullptr, document_time,
               allowed("1", "12|1.5|1761884055342794596"));
  decision("rounding", "a rate that no float64 holds exactly")
      .flag(rounding_flag)
      .decides(bucket("10", "0.1"), "12|1.7|1761884055342794596", "1761884058642794596",
               allowed("1", "12|1.03|1761884058642794596"));
  suite.add("decide", "clock-back", "a clock that went back takes away what it will give again")
      .may()
      .cites({"silence.clock"})
      .decides(bucket("10", "2"), "12|5|1761884055342794596", "1761884054342794596",
               allowed("2", "12|2|1761884054342794596"));
  decision("long-ago", "a state from 1970 is full")
      .decides(bucket("10", "2"), "12|0|0", document_time,
               allowed("9", "12|9|1761884055342794596"));
  suite.add("decide", "malformed", "a malformed state is an error")
      .should()
      .cites({"silence.malformed"})
      .decides(bucket("10", "2"), "12|x|1761884055342794596", document_time, refusal(3, "tokens"))
      .decides(bucket("10", "2"), "32|5|1761884055342794596", document_time, refusal(0, "header"));
}

}  // namespace
}  // namespace token_bucket

void add_token_bucket(StateSuite& suite) {
  token_bucket::add_texts(suite);
  add_foreign_strings(suite);
  token_bucket::add_malformed(suite);
  token_bucket::add_history(suite);
  token_bucket::add_decisions(suite);
}

}  // namespace hallmark::vectors::generator
