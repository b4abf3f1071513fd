#include <gtest/gtest.h>

#include "protocol/dialects.hpp"
#include "protocol/readings.hpp"

/// The profile `deployed` answers as the latest released server of a dialect was measured to.
namespace hallmark::protocol {
namespace {

struct Measured {
  const Dialect& dialect;
  const char* server;
  std::vector<Chosen> answers;
};

/// The answers that servers 5.0.11 and 5.0.3 have in common.
std::vector<Chosen> of_both(std::vector<Chosen> more) {
  std::vector<Chosen> all{{"insert-existing", "refused"},
                          {"set-existing", "replaced"},
                          {"decrease-below-zero", "refused"},
                          {"increase-overflow", "wrapped"},
                          {"ttl-beyond", "saturated"},
                          {"ttl-past-now", "expired"},
                          {"ttl-zero", "expired"},
                          {"ttl-type-unknown", "accepted"},
                          {"change-unknown", "accepted"},
                          {"attribute-unknown", "refused"},
                          {"maximum-values", "valid"},
                          {"empty-names", "valid"}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<Measured> measured() {
  return {{throttr_7_3, "5.0.11",
           of_both({{"purge-missing", "refused"},
                    {"subscribe-twice", "accepted"},
                    {"unsubscribe-absent", "refused"},
                    {"publish-self", "yes"},
                    {"publish-nobody", "refused"}})},
          {throttr_7_1, "5.0.3",
           of_both({{"purge-missing", "refused"},
                    {"subscribe-twice", "accepted"},
                    {"unsubscribe-absent", "refused"},
                    {"publish-self", "no"},
                    {"publish-reply", "none"}})},
          {throttr_6_0, "5.0.11", of_both({})},
          {throttr_2_0,
           "3.0.0",
           {{"insert-existing", "refused"},
            {"purge-missing", "refused"},
            {"decrease-below-zero", "clamped"},
            {"increase-overflow", "wrapped"},
            {"ttl-beyond", "saturated"},
            {"ttl-past-now", "expired"},
            {"ttl-zero", "expired"},
            {"ttl-type-unknown", "accepted"},
            {"change-unknown", "accepted"},
            {"attribute-unknown", "accepted"},
            {"maximum-values", "valid"},
            {"empty-names", "valid"}}}};
}

TEST(Deployed, AnswersAsTheLatestReleasedServer) {
  for (const Measured& one : measured()) {
    const Readings deployed(one.dialect, Profile::deployed);
    for (const Chosen& answer : one.answers) {
      EXPECT_EQ(deployed.answer(answer.reading), answer.answer)
          << one.dialect.name << ", server " << one.server << ": " << answer.reading;
    }
  }
}

}  // namespace
}  // namespace hallmark::protocol
