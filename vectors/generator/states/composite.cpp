#include "vectors/generator/states/state_suite.hpp"

namespace hallmark::vectors::generator {
namespace composite {
namespace {

using base::Json;

using Of = std::vector<std::string>;

constexpr protocol::MessageName current = "composite/51";

Json part(std::string_view strategy, std::string_view header, Json fields) {
  return {{"format", std::string(strategy) + "/" + std::string(header)},
          {"fields", std::move(fields)}};
}

Json read(Json primary, Json secondary) {
  return {{"primary", std::move(primary)}, {"secondary", std::move(secondary)}};
}

Json written(std::string_view strategy, Json fields) {
  return {{"strategy", strategy}, {"fields", std::move(fields)}};
}

Json tokens(std::string_view number) {
  return {{"tokens", number}, {"last_refill", document_time}};
}

Json window(std::string_view count) {
  return {
      {"quotas", Json::array({{{"name", "default"}, {"count", count}, {"start", document_time}}})}};
}

Json requests(std::string_view number) {
  return {{"requests", number}, {"last_leak", document_time}};
}

Json tat() { return {{"tat", document_time}}; }

Json composite(Json primary, Json secondary) {
  return {{"strategy", "composite"},
          {"primary", std::move(primary)},
          {"secondary", std::move(secondary)}};
}

Json fixed(std::string_view limit) {
  return {{"strategy", "fixed-window"},
          {"quotas",
           Json::array({{{"name", "default"}, {"limit", limit}, {"window_ns", "60000000000"}}})}};
}

Json bucket(std::string_view burst) {
  return {{"strategy", "token-bucket"}, {"burst", burst}, {"rate", "1"}};
}

Json gcra(std::string_view burst) {
  return {{"strategy", "gcra"}, {"burst", burst}, {"rate", "10"}};
}

Json leaky(std::string_view capacity) {
  return {{"strategy", "leaky-bucket"}, {"capacity", capacity}, {"rate", "1"}};
}

Json result(bool allowed, std::string_view remaining) {
  return {{"quota", "default"}, {"allowed", allowed}, {"remaining", remaining}};
}

Json answer(bool allowed, Json primary, Json secondary, Json state) {
  return {{"allowed", allowed},
          {"results", Json::array({std::move(primary), std::move(secondary)})},
          {"state", std::move(state)}};
}

void add_texts(StateSuite& suite) {
  suite.add("decode", "example", "the document's example")
      .cites({"composite.format", "composite.nested", "header.form"})
      .reads(
          "51|23|1|default|2|1761884055342794596$12|8.5|1761884055342794596", current,
          read(part("fixed-window", "23", window("2")), part("token-bucket", "12", tokens("8.5"))),
          Of{"fixed-window", "token-bucket"});
  suite.add("encode", "example", "the document's example is written byte for byte")
      .cites({"header.strategy", "composite.format", "composite.nested", "header.form"})
      .writes(read(written("fixed-window", window("2")), written("token-bucket", tokens("8.5"))),
              "51|23|1|default|2|1761884055342794596$12|8.5|1761884055342794596");
  const auto pair = [&](std::string_view name, const Of& of, std::string_view state, Json primary,
                        Json secondary) {
    const Json first = part(of[0], state.substr(3, 2), primary);
    const Json second = part(of[1], state.substr(state.find('$') + 1, 2), secondary);
    suite.add("encode", name, "of " + of[0] + " and " + of[1])
        .cites({"composite.nested"})
        .reads(state, current, read(first, second), of)
        .writes(read(written(of[0], std::move(primary)), written(of[1], std::move(secondary))),
                state);
  };
  pair("bucket-window", {"token-bucket", "fixed-window"},
       "51|12|8.5|1761884055342794596$23|1|default|2|1761884055342794596", tokens("8.5"),
       window("2"));
  pair("gcra-leaky", {"gcra", "leaky-bucket"},
       "51|42|1761884055342794596$32|2.5|1761884055342794596", tat(), requests("2.5"));
  pair("leaky-gcra", {"leaky-bucket", "gcra"},
       "51|32|2.5|1761884055342794596$42|1761884055342794596", requests("2.5"), tat());
  pair("twice-the-same", {"token-bucket", "token-bucket"},
       "51|12|1|1761884055342794596$12|8.5|1761884055342794596", tokens("1"), tokens("8.5"));
}

void add_malformed(StateSuite& suite) {
  const Of of{"token-bucket", "gcra"};
  const auto refused = [&](std::string_view name, std::string_view title, std::string_view state,
                           std::size_t offset, std::string_view field) {
    suite.add_refused(name, title, {"composite.format"}, state, offset, field, of);
  };
  refused("no-separator", "one state alone", "51|12|8.5|1761884055342794596", 3, "primary");
  refused("no-primary", "the primary is empty", "51|$42|17", 3, "primary");
  refused("no-secondary", "the secondary is empty", "51|12|8.5|17$", 13, "secondary");
  refused("wrong-primary", "the primary is malformed", "51|12|x|17$42|17", 6, "primary.tokens");
  refused("wrong-secondary", "the secondary is malformed", "51|12|8.5|17$42|x", 16,
          "secondary.tat");
  refused("swapped", "the parts are swapped", "51|42|17$12|8.5|17", 3, "primary.header");
  refused("third", "three parts", "51|12|8.5|17$42|17$42|18", 18, "secondary.tat");
}

void add_history(StateSuite& suite) {
  suite.add("decode", "cmp1", "version 1 before headers became hexadecimal")
      .should()
      .cites({"history.composite"})
      .reads(
          "cmp1|23|1|default|2|1761884055342794596$12|8.5|1761884055342794596", "composite/cmp1",
          read(part("fixed-window", "23", window("2")), part("token-bucket", "12", tokens("8.5"))),
          Of{"fixed-window", "token-bucket"});
  suite.add("decode", "cmp1-old-parts", "old parts in an old composite")
      .should()
      .cites({"history.composite", "silence.legacy-strategy"})
      .where({"legacy-tail", "bar"})
      .reads("cmp1|v2|1761884055342794596|$v2|8.5|1761884055342794596|", "composite/cmp1",
             read(part("gcra", "v2", tat()), part("token-bucket", "v2", tokens("8.5"))),
             Of{"gcra", "token-bucket"});
  suite.add("decode", "old-part", "an old part in a current composite")
      .should()
      .cites({"history.composite", "composite.nested"})
      .where({"legacy-tail", "bar"})
      .reads("51|v2|1761884055342794596|$12|8.5|1761884055342794596", current,
             read(part("gcra", "v2", tat()), part("token-bucket", "12", tokens("8.5"))),
             Of{"gcra", "token-bucket"});
}

/// A composite within a composite, split at the first `$` or at the last.
void add_nested(StateSuite& suite) {
  const auto tokens_and = [](Json secondary) {
    return read(part("token-bucket", "12", {{"tokens", "8.5"}, {"last_refill", "17"}}),
                std::move(secondary));
  };
  const Json eighteen = part("gcra", "42", {{"tat", "18"}});
  const Json nineteen = part("gcra", "42", {{"tat", "19"}});
  constexpr std::string_view right = "51|12|8.5|17$51|42|18$42|19";
  constexpr std::string_view left = "51|51|12|8.5|17$42|18$42|19";
  const auto add = [&](std::string_view name, std::string_view title, protocol::Chosen answer) {
    return suite.add("decode", name, title).may().cites({"silence.nested-split"}).where(answer);
  };
  add("nested-secondary", "a composite as the secondary", {"nested-split", "first"})
      .reads(right, current, tokens_and(part("composite", "51", read(eighteen, nineteen))),
             Of{"token-bucket", "composite"});
  add("nested-primary-refused", "no composite can be the primary", {"nested-split", "first"})
      .refuses(left, 6, "primary.primary", Of{"composite", "gcra"});
  add("nested-primary", "a composite as the primary", {"nested-split", "last"})
      .reads(left, current, read(part("composite", "51", tokens_and(eighteen)), nineteen),
             Of{"composite", "gcra"});
  add("nested-secondary-refused", "no composite can be the secondary", {"nested-split", "last"})
      .refuses(right, 12, "primary.last_refill", Of{"token-bucket", "composite"});
}

void add_decisions(StateSuite& suite) {
  suite.add("decide", "first", "the first request finds both fresh")
      .should()
      .cites({"composite.approve", "composite.atomic", "silence.token-bucket"})
      .decides(composite(fixed("5"), bucket("10")), nullptr, document_time,
               answer(true, result(true, "4"), result(true, "9"),
                      "51|23|1|default|1|1761884055342794596$12|9|1761884055342794596"));
  suite.add("decide", "both", "both consume, in one state")
      .cites({"composite.approve", "composite.atomic"})
      .decides(composite(fixed("5"), bucket("10")),
               "51|23|1|default|2|1761884055342794596$12|8.5|1761884055342794596", document_time,
               answer(true, result(true, "2"), result(true, "7"),
                      "51|23|1|default|3|1761884055342794596$12|7.5|1761884055342794596"));
  suite.add("decide", "secondary-denies", "the secondary denies, and the primary consumes nothing")
      .cites({"composite.approve", "composite.atomic"})
      .decides(composite(fixed("5"), bucket("10")),
               "51|23|1|default|2|1761884055342794596$12|0.5|1761884055342794596", document_time,
               answer(false, result(true, "3"), result(false, "0"), nullptr));
  suite.add("decide", "primary-denies", "the primary denies, and the secondary consumes nothing")
      .cites({"composite.approve", "composite.atomic"})
      .decides(composite(fixed("5"), bucket("10")),
               "51|23|1|default|5|1761884055342794596$12|8.5|1761884055342794596", document_time,
               answer(false, result(false, "0"), result(true, "8"), nullptr));
  suite.add("decide", "both-deny", "both deny")
      .cites({"composite.approve", "composite.atomic"})
      .decides(composite(fixed("5"), bucket("10")),
               "51|23|1|default|5|1761884055342794596$12|0|1761884055342794596", document_time,
               answer(false, result(false, "0"), result(false, "0"), nullptr));
  suite.add("decide", "gcra-leaky", "of GCRA and leaky bucket")
      .should()
      .cites({"composite.approve", "silence.gcra", "silence.leaky-bucket"})
      .decides(composite(gcra("3"), leaky("5")),
               "51|42|1761884055442794596$32|2.5|1761884055342794596", document_time,
               answer(true, result(true, "1"), result(true, "2"),
                      "51|42|1761884055542794596$32|3.5|1761884055342794596"));
  suite.add("decide", "malformed", "a malformed part is an error")
      .should()
      .cites({"silence.malformed"})
      .decides(composite(fixed("5"), bucket("10")),
               "51|23|1|default|2|1761884055342794596$12|x|1761884055342794596", document_time,
               refusal(41, "secondary.tokens"));
}

}  // namespace
}  // namespace composite

void add_composite(StateSuite& suite) {
  composite::add_texts(suite);
  add_foreign_strings(suite);
  composite::add_malformed(suite);
  composite::add_history(suite);
  composite::add_nested(suite);
  composite::add_decisions(suite);
}

}  // namespace hallmark::vectors::generator
