#include <algorithm>

#include "reference/faults/bugs.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {

namespace {

void swap_reads_and_writes(Record& one) {
  swap_fields(one, "reads_per_minute", "writes_per_minute");
  swap_fields(one, "total_reads", "total_writes");
}

}  // namespace

Bugs listing_bugs() {
  return {
      {.id = "list.numbered-from-zero",
       .breaks = "the first fragment has the number 0",
       .violates = {{"throttr-7.1", {"list.fragment-head"}}},
       .code = of_reply({"LIST"},
                        [](Record& values) {
                          Entries fragments = std::get<Entries>(*values.find("fragments"));
                          for (Record& one : fragments)
                            one.set("fragment", one.number("fragment") - 1);
                          values.set("fragments", std::move(fragments));
                        })},
      {.id = "list.number-of-fragments-off",
       .breaks = "the number of fragments is one too high",
       .violates = {{"throttr-7.1", {"list.fragments"}}},
       .code = one_fragment_more("LIST"),
       .settles = "how a reply to LIST is laid out"},
      {.id = "list.names-first",
       .breaks = "the keys of a fragment stand before its entries",
       .violates = {{"throttr-7.1", {"list.names-last"}}},
       .code = of_bytes({"LIST"},
                        [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                          names_first(bytes, decoder, "keys", "key");
                        }),
       .settles = "how a reply to LIST is laid out"},
      {.id = "list.names-reversed",
       .breaks = "the keys of a fragment stand in the reverse order of its entries",
       .violates = {{"throttr-7.1", {"list.names-last"}}},
       .code = of_entries("LIST", "keys", [](Entries& keys) { reverse_names(keys, "key"); })},
      {.id = "list.counters-only",
       .breaks = "LIST leaves out buffers",
       .violates = {{"throttr-7.1", {"list.both-kinds"}}},
       .code = of_entries("LIST", "keys",
                          [](Entries& keys) {
                            std::erase_if(keys, [](const Record& key) {
                              return key.number("key_type") == 1;
                            });
                          }),
       .settles = "which records LIST tells"},
      {.id = "list.buffers-only",
       .breaks = "LIST leaves out counters",
       .violates = {{"throttr-7.1", {"list.both-kinds"}}},
       .code = of_entries("LIST", "keys",
                          [](Entries& keys) {
                            std::erase_if(keys, [](const Record& key) {
                              return key.number("key_type") == 0;
                            });
                          }),
       .settles = "which records LIST tells"},
      {.id = "list.last-twice",
       .breaks = "the last entry of LIST is told twice",
       .violates = {{"throttr-7.1", {"list.entry"}}, {"throttr-6.0", {"list.entry"}}},
       .code = of_entries("LIST", "keys",
                          [](Entries& keys) {
                            if (!keys.empty()) keys.push_back(keys.back());
                          })},
      {.id = "list.last-lost",
       .breaks = "the last entry of every fragment of more than one key is lost",
       .violates = {{"throttr-7.1", {"list.fragments"}}},
       .code = of_entries("LIST", "keys",
                          [](Entries& keys) {
                            if (keys.size() > 1) keys.pop_back();
                          })},
      {.id = "list.time-point-in-seconds",
       .breaks = "time points are in seconds",
       .violates = {{"throttr-7.1", {"record.time-point"}}},
       .code = of_entries("LIST", "keys",
                          [](Entries& keys) {
                            for (Record& key : keys)
                              key.set("time_point", key.number("time_point") / 1'000'000'000);
                          })},
      {.id = "list.bytes-in-one-byte",
       .breaks = "the bytes used are told in one byte",
       .violates = {{"throttr-7.1", {"list.entry"}}},
       .code = of_bytes({"LIST"},
                        [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                          erase_field(bytes, decoder, "bytes_used", 1);
                        }),
       .settles = "how a reply to LIST is laid out"},
      {.id = "list.kinds-swapped",
       .breaks = "counters are listed as buffers and buffers as counters",
       .violates = {{"throttr-7.1", {"list.both-kinds"}}},
       .code = of_entries("LIST", "keys",
                          [](Entries& keys) {
                            for (Record& key : keys)
                              key.set("key_type", 1 - key.number("key_type"));
                          })},
      {.id = "stats.names-reversed",
       .breaks = "the keys of a fragment of STATS stand in the reverse order of its entries",
       .violates = {{"throttr-7.1", {"stats.names-last"}}},
       .code = of_entries("STATS", "keys", [](Entries& keys) { reverse_names(keys, "key"); }),
       .slow = true},
      {.id = "stats.number-of-fragments-off",
       .breaks = "STATS announces one fragment too many",
       .violates = {{"throttr-7.1", {"stats.fragments"}}},
       .code = one_fragment_more("STATS")},
      {.id = "stats.reads-and-writes-swapped",
       .breaks = "STATS and STAT tell writes as reads and reads as writes",
       .violates = {{"throttr-7.1", {"stats.entry", "stat.found"}}},
       .code = of_reply({"STAT", "STATS"},
                        [](Record& values) {
                          swap_reads_and_writes(values);
                          in_fragments(values, "keys", [](Entries& keys) {
                            std::ranges::for_each(keys, swap_reads_and_writes);
                          });
                        }),
       .slow = true},
      {.id = "stat.totals-missing",
       .breaks = "STAT leaves out the two totals",
       .violates = {{"throttr-7.1", {"stat.found"}}},
       .code = of_bytes({"STAT"},
                        [](Bytes& bytes, const Decoder&, const WireContext& context) {
                          if (!failed(bytes, context.layout)) bytes.resize(bytes.size() - 16);
                        })},
      {.id = "stat.missing-zeros",
       .breaks = "STAT of a missing key succeeds with zeros",
       .violates = {{"throttr-7.1", {"stat.missing"}}},
       .code = of_bytes({"STAT"}, succeed_with_zeros)},
  };
}

}  // namespace hallmark::faults
