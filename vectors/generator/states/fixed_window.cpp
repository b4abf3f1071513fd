#include "vectors/generator/states/state_suite.hpp"

namespace hallmark::vectors::generator {
namespace fixed_window {
namespace {

using base::Json;

Json quota(std::string_view name, std::string_view count, std::string_view start = document_time) {
  return {{"name", name}, {"count", count}, {"start", start}};
}

Json fields(std::initializer_list<Json> quotas) { return {{"quotas", Json::array(quotas)}}; }

Json limit(std::string_view name, std::string_view most, std::string_view window_ns) {
  return {{"name", name}, {"limit", most}, {"window_ns", window_ns}};
}

Json fixed(std::initializer_list<Json> quotas) {
  return {{"strategy", "fixed-window"}, {"quotas", Json::array(quotas)}};
}

Json result(std::string_view name, bool allowed, std::string_view remaining,
            std::string_view reset) {
  return {{"quota", name}, {"allowed", allowed}, {"remaining", remaining}, {"reset", reset}};
}

Json answer(bool allowed, std::initializer_list<Json> results, Json state) {
  return {{"allowed", allowed}, {"results", Json::array(results)}, {"state", std::move(state)}};
}

constexpr protocol::MessageName current = "fixed-window/23";
constexpr std::string_view second = "1000000000";
constexpr std::string_view minute = "60000000000";
constexpr std::string_view hour = "3600000000000";

void add_texts(StateSuite& suite) {
  suite.add("decode", "example", "the document's example")
      .cites({"fixed-window.format", "header.form", "header.separator", "fixed-window.multiple"})
      .reads("23|2|default|3|1761884055342794596|hourly|10|1761884055342794596", current,
             fields({quota("default", "3"), quota("hourly", "10")}));
  suite.add("encode", "example", "the document's example is written byte for byte")
      .cites({"header.strategy", "fixed-window.format", "header.form", "fixed-window.multiple"})
      .writes(fields({quota("default", "3"), quota("hourly", "10")}),
              "23|2|default|3|1761884055342794596|hourly|10|1761884055342794596");
  suite.add("encode", "one", "one quota")
      .cites({"fixed-window.quotas", "fixed-window.time"})
      .keeps("23|1|default|0|1761884055342794596", current, fields({quota("default", "0")}))
      .keeps("23|1|default|1|0", current, fields({quota("default", "1", "0")}))
      .keeps("23|1|default|1|-6795364578871345152", current,
             fields({quota("default", "1", "-6795364578871345152")}));
  suite.add("encode", "order", "quotas keep their order and each its own start")
      .cites({"fixed-window.multiple", "fixed-window.quotas"})
      .keeps("23|3|z|1|17|a|2|18|m|3|19", current,
             fields({quota("z", "1", "17"), quota("a", "2", "18"), quota("m", "3", "19")}));
  suite.add("encode", "eight", "eight quotas")
      .should()
      .cites({"silence.quota-count", "fixed-window.quotas"})
      .keeps("23|8|a|1|1|b|2|2|c|3|3|d|4|4|e|5|5|f|6|6|g|7|7|h|8|8", current,
             fields({quota("a", "1", "1"), quota("b", "2", "2"), quota("c", "3", "3"),
                     quota("d", "4", "4"), quota("e", "5", "5"), quota("f", "6", "6"),
                     quota("g", "7", "7"), quota("h", "8", "8")}));
  suite.add("encode", "names", "names are bytes without a bar")
      .cites({"fixed-window.format"})
      .keeps("23|1|per minute: 10/m|2|17", current, fields({quota("per minute: 10/m", "2", "17")}))
      .keeps("23|1|23|2|17", current, fields({quota("23", "2", "17")}))
      .keeps("23|1|täglich|2|17", current, fields({quota("täglich", "2", "17")}));
  suite.add("encode", "name-dollar", "outside of a composite a name may hold a $")
      .may()
      .cites({"silence.quota-name"})
      .where({"quota-name", "no-bar"})
      .keeps("23|1|a$b|2|17", current, fields({quota("a$b", "2", "17")}));
}

void add_malformed(StateSuite& suite) {
  const auto refused = [&](std::string_view name, std::string_view title, std::string_view state,
                           std::size_t offset, std::string_view field) {
    suite.add_refused(name, title, {"fixed-window.quotas"}, state, offset, field);
  };
  refused("no-count", "the number of quotas is missing", "23|", 3, "quota_count");
  refused("count-word", "the number of quotas is no word", "23|two|a|1|17", 3, "quota_count");
  refused("too-few", "two quotas are announced, one is there", "23|2|a|1|17", 11,
          "bar before name");
  refused("too-many", "one quota is announced, two are there", "23|1|a|1|17|b|1|17", 11, "start");
  refused("cut-quota", "a quota without its start", "23|1|a|1", 8, "bar before start");
  refused("cut-last", "the last of two quotas without its count", "23|2|a|1|17|b", 13,
          "bar before count");
  refused("empty-start", "a start is empty", "23|1|a|1|", 9, "start");
  refused("empty-count", "a count is empty", "23|1|a||17", 7, "count");
  refused("count-float", "a count is no float", "23|1|a|1.5|17", 8, "bar before start");
  refused("huge", "more quotas are announced than a string can hold",
          "23|18446744073709551615|a|1|17", 3, "quota_count");
  suite.add("decode", "none", "a fixed window without quotas")
      .may()
      .cites({"silence.quota-count"})
      .where({"quota-count", "1-to-8"})
      .refuses("23|0", 3, "quota_count");
  suite.add("decode", "nine", "nine quotas")
      .may()
      .cites({"silence.quota-count"})
      .where({"quota-count", "1-to-8"})
      .refuses("23|9|a|1|1|b|2|2|c|3|3|d|4|4|e|5|5|f|6|6|g|7|7|h|8|8|i|9|9", 3, "quota_count");
  suite.add("decode", "nine-read", "nine quotas where any number is right")
      .may()
      .cites({"silence.quota-count"})
      .where({"quota-count", "any"})
      .reads("23|9|a|1|1|b|2|2|c|3|3|d|4|4|e|5|5|f|6|6|g|7|7|h|8|8|i|9|9", current,
             fields({quota("a", "1", "1"), quota("b", "2", "2"), quota("c", "3", "3"),
                     quota("d", "4", "4"), quota("e", "5", "5"), quota("f", "6", "6"),
                     quota("g", "7", "7"), quota("h", "8", "8"), quota("i", "9", "9")}));
}

void add_history(StateSuite& suite) {
  suite.add("decode", "v1", "version 1 holds the duration and no name")
      .should()
      .cites({"history.fixed-window", "silence.legacy-strategy"})
      .reads("v1|3|1761884055342794596|60000000000", "fixed-window/v1",
             {{"count", "3"}, {"start", document_time}, {"duration", "60000000000"}});
  suite.add("decode", "v2", "version 2 holds no name")
      .should()
      .cites({"history.fixed-window", "silence.legacy-strategy"})
      .where({"legacy-tail", "bar"})
      .reads("v2|3|1761884055342794596|", "fixed-window/v2",
             {{"count", "3"}, {"start", document_time}});
  suite.add("decode", "v2-without-tail", "version 2 without the last bar")
      .should()
      .cites({"history.fixed-window", "silence.legacy-tail"})
      .where({"legacy-tail", "none"})
      .reads("v2|3|1761884055342794596", "fixed-window/v2",
             {{"count", "3"}, {"start", document_time}});
  suite.add("decode", "v3-old-header", "version 3 with the header of its day")
      .should()
      .cites({"history.fixed-window", "silence.header-history"})
      .where({"header-history", "v3"})
      .reads("v3|1|default|3|1761884055342794596", "fixed-window/v3",
             fields({quota("default", "3")}));
  suite.add("decode", "v3-no-old-header", "version 3 never had another header")
      .should()
      .cites({"silence.header-history"})
      .where({"header-history", "hex"})
      .refuses("v3|1|default|3|1761884055342794596", 0, "header");
}

void add_decisions(StateSuite& suite) {
  const auto decision = [&](std::string_view name, std::string_view title) {
    return suite.add("decide", name, title).should().cites({"silence.fixed-window"});
  };
  decision("first", "the first request opens the window")
      .decides(fixed({limit("default", "10", minute)}), nullptr, document_time,
               answer(true, {result("default", true, "9", "1761884115342794596")},
                      "23|1|default|1|1761884055342794596"));
  decision("count", "requests count, and the window stays where it began")
      .decides(fixed({limit("default", "10", minute)}), "23|1|default|3|1761884055342794596",
               "1761884075342794596",
               answer(true, {result("default", true, "6", "1761884115342794596")},
                      "23|1|default|4|1761884055342794596"));
  decision("last", "the request that reaches the limit is allowed")
      .decides(fixed({limit("default", "10", minute)}), "23|1|default|9|1761884055342794596",
               document_time,
               answer(true, {result("default", true, "0", "1761884115342794596")},
                      "23|1|default|10|1761884055342794596"));
  suite.add("decide", "deny", "beyond the limit a request is denied, and nothing is written")
      .should()
      .cites({"silence.fixed-window", "silence.denied"})
      .decides(fixed({limit("default", "10", minute)}), "23|1|default|10|1761884055342794596",
               "1761884075342794596",
               answer(false, {result("default", false, "0", "1761884115342794596")}, nullptr));
  decision("edge", "a window is over after its length, to the nanosecond")
      .decides(fixed({limit("default", "10", minute)}), "23|1|default|10|1761884055342794596",
               "1761884115342794595",
               answer(false, {result("default", false, "0", "1761884115342794596")}, nullptr))
      .decides(fixed({limit("default", "10", minute)}), "23|1|default|10|1761884055342794596",
               "1761884115342794596",
               answer(true, {result("default", true, "9", "1761884175342794596")},
                      "23|1|default|1|1761884115342794596"));
  suite.add("decide", "both-count", "a request counts in every quota")
      .should()
      .cites({"silence.fixed-window", "fixed-window.multiple"})
      .decides(fixed({limit("second", "2", second), limit("hour", "100", hour)}),
               "23|2|second|1|1761884055342794596|hour|40|1761884055342794596", document_time,
               answer(true,
                      {result("second", true, "0", "1761884056342794596"),
                       result("hour", true, "59", "1761887655342794596")},
                      "23|2|second|2|1761884055342794596|hour|41|1761884055342794596"));
  suite.add("decide", "one-denies", "one full quota denies, and the other does not count")
      .should()
      .cites({"silence.fixed-window", "fixed-window.multiple", "silence.denied"})
      .decides(fixed({limit("second", "2", second), limit("hour", "100", hour)}),
               "23|2|second|2|1761884055342794596|hour|41|1761884055342794596", document_time,
               answer(false,
                      {result("second", false, "0", "1761884056342794596"),
                       result("hour", true, "59", "1761887655342794596")},
                      nullptr))
      .decides(fixed({limit("second", "2", second), limit("hour", "100", hour)}),
               "23|2|second|0|1761884055342794596|hour|100|1761884055342794596", document_time,
               answer(false,
                      {result("second", true, "2", "1761884056342794596"),
                       result("hour", false, "0", "1761887655342794596")},
                      nullptr));
  suite.add("decide", "own-windows", "each quota has its own window")
      .should()
      .cites({"silence.fixed-window", "fixed-window.multiple"})
      .decides(fixed({limit("second", "2", second), limit("hour", "100", hour)}),
               "23|2|second|2|1761884055342794596|hour|41|1761884055342794596",
               "1761884056342794596",
               answer(true,
                      {result("second", true, "1", "1761884057342794596"),
                       result("hour", true, "58", "1761887655342794596")},
                      "23|2|second|1|1761884056342794596|hour|42|1761884055342794596"));
  decision("closed", "a limit of 0 allows nothing")
      .decides(fixed({limit("default", "0", minute)}), nullptr, document_time,
               answer(false, {result("default", false, "0", "1761884115342794596")}, nullptr));
  decision("beyond", "a count beyond a limit that was lowered")
      .decides(fixed({limit("default", "5", minute)}), "23|1|default|9|1761884055342794596",
               document_time,
               answer(false, {result("default", false, "0", "1761884115342794596")}, nullptr));
  suite.add("decide", "malformed", "a malformed state is an error")
      .should()
      .cites({"silence.malformed"})
      .decides(fixed({limit("default", "5", minute)}), "23|1|default|x|1761884055342794596",
               document_time, refusal(13, "count"));
}

}  // namespace
}  // namespace fixed_window

void add_fixed_window(StateSuite& suite) {
  fixed_window::add_texts(suite);
  add_foreign_strings(suite);
  fixed_window::add_malformed(suite);
  fixed_window::add_history(suite);
  fixed_window::add_decisions(suite);
}

}  // namespace hallmark::vectors::generator
