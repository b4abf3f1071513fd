#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "clients/perturb/layouts.hpp"
#include "clients/tests/client_fixture.hpp"

namespace hallmark::clients::testing {
namespace {

std::vector<Format> all_formats() {
  std::vector<Format> all;
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    if (dialect->transport == protocol::Transport::at_rest) continue;
    for (const protocol::Width width : dialect->widths) all.push_back(format_of(*dialect, width));
  }
  return all;
}

TEST(Catalogue, HasEachIdOnce) {
  for (const Format& format : all_formats()) {
    std::set<std::string> ids;
    for (const Perturbation& one : catalogue(format))
      EXPECT_TRUE(ids.insert(one.id).second) << format.dialect().name << " " << one.id;
    EXPECT_GT(ids.size(), 10U);
  }
}

TEST(Catalogue, DemandsToBeNoticedOfWrongRepliesOnly) {
  for (const Format& format : all_formats()) {
    for (const Perturbation& one : catalogue(format)) {
      EXPECT_FALSE(one.title.empty()) << one.id;
      EXPECT_FALSE(one.legal && one.demand == Demand::notices) << one.id;
      EXPECT_FALSE(!one.legal && one.demand == Demand::passes) << one.id;
    }
  }
}

TEST(Catalogue, IsChosenByGlobs) {
  const Format format = usual_format();
  EXPECT_EQ(chosen(format, {"cut/one-by-one"}).size(), 1U);
  EXPECT_TRUE(chosen(format, {"nothing*"}).empty());
  EXPECT_EQ(chosen(format, {}).size(), catalogue(format).size());
}

Message query_reply(const Format& format, const char* hex) {
  Message message;
  message.connection = message.number = 1;
  message.operation = protocol::find_operation(format.dialect(), "QUERY");
  message.bytes = base::from_hex(hex).value();
  return message;
}

/// The treatment that a perturbation of that id gives a message.
Treatment treated(const Format& format, const std::string& id, const Message& message) {
  const auto found = chosen(format, {id});
  EXPECT_EQ(found.size(), 1U) << id;
  return found.front().make(format, 1)->treat(message);
}

std::string sent_hex(const Treatment& treatment) {
  std::string all;
  for (const Step& step : treatment.steps) {
    if (!step.bytes.empty()) all += (all.empty() ? "" : "|") + base::to_hex(step.bytes);
  }
  return all;
}

TEST(Treatments, ChangeWhatTheySay) {
  const Format format = usual_format();
  // Success, quota 5, seconds, 60 left.
  const Message message = query_reply(format, "01 0500 04 3c00");
  const auto hex = [&](const char* id) { return sent_hex(treated(format, id, message)); };
  EXPECT_EQ(hex("cut/one-by-one"), "01|05|00|04|3c|00");
  EXPECT_EQ(hex("cut/at-fields"), "01|0500|04|3c00");
  EXPECT_EQ(hex("cut/inside-fields"), "0105|00043c|00");
  EXPECT_EQ(hex("cut/before-last-byte"), "010500043c|00");
  EXPECT_EQ(hex("ttl/milliseconds"),
            "01050003"
            "60ea");
  EXPECT_EQ(hex("ttl/minutes"), "010500050100");
  EXPECT_EQ(hex("repeated/QUERY"), "010500043c00010500043c00");
  EXPECT_EQ(hex("missing/QUERY"), "");
  EXPECT_EQ(hex("stalled/QUERY"), "010500");
  EXPECT_EQ(hex("truncated/QUERY/quota"), "0105");
  EXPECT_EQ(hex("truncated/QUERY/status"), "");
}

TEST(Treatments, LeaveAloneWhatTheyAreNotAbout) {
  const Format format = usual_format();
  const Message message = query_reply(format, "01 0500 04 3c00");
  for (const char* const id : {"status/INSERT", "listing/reversed", "ttl/seconds", "ttl/hours",
                               "delivery/before-replies", "counters/zero"}) {
    const Treatment treatment = treated(format, id, message);
    EXPECT_EQ(treatment.reach, Reach::never) << id;
    EXPECT_EQ(sent_hex(treatment), "010500043c00") << id;
  }
}

TEST(Treatments, MakeUnlistedValuesThatAreNotListed) {
  const Format format = usual_format();
  const Message message = query_reply(format, "01 0500 04 3c00");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto status = chosen(format, {"status/QUERY"}).front().make(format, seed)->treat(message);
    EXPECT_GT(status.steps.front().bytes.front(), 1);
    const auto unit =
        chosen(format, {"choice/QUERY/ttl_type"}).front().make(format, seed)->treat(message);
    const std::uint8_t code = unit.steps.front().bytes.at(3);
    EXPECT_TRUE(code == 0 || code > 6) << int{code};
  }
}

}  // namespace
}  // namespace hallmark::clients::testing
