#include "vectors/generator/suite.hpp"

// Throttr 7.4 only: EXISTS, and the number of all channels in each fragment of CHANNELS.
namespace hallmark::vectors::generator {
namespace {

void exists_scenarios(Suite& suite) {
  Scenario& lives = suite.add("EXISTS", "lives", "a counter exists from INSERT to PURGE");
  lives.cites({"exists.code", "exists.layout", "exists.status"});
  lives.fails("EXISTS", lives.key());
  lives.insert(lives.key(), 5, hours, 1);
  lives.send("EXISTS", Name(lives.key()).with({}));
  lives.status(true);
  lives.purge(lives.key());
  lives.fails("EXISTS", lives.key());

  for (const NameSize& size : suite.names()) {
    Scenario& missing =
        suite.add("EXISTS", "key-" + std::string(size.id), "a missing key of " + size.title);
    missing.cites({"exists.layout", "exists.status"}).flag(size.flag);
    missing.fails("EXISTS", size.name);
  }
}

/// Other connections may have channels of their own, so there may be more.
void listed_scenario(Suite& suite) {
  Scenario& s =
      suite.add("CHANNELS", "listed", "a fragment tells how many channels all fragments list");
  s.cites({"channels.listed"});
  s.subscribe(s.key("one"));
  s.subscribe(s.key("two"));
  s.send("CHANNELS", {});
  s.succeeds({holds("fragments", {EntryPattern{{between("listed", 2, ~std::uint64_t{0})}}})});
}

}  // namespace

void add_throttr_7_4_scenarios(Suite& suite) {
  exists_scenarios(suite);
  listed_scenario(suite);
}

}  // namespace hallmark::vectors::generator
