#include "loadgen/workload/key_choice.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace hallmark::loadgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t draws = 200'000;

std::vector<double> key_shares(std::string_view choice, std::uint32_t keys,
                               std::uint64_t seed = 1) {
  const KeyPicker picker(KeyChoice::parse(choice).value(), keys, seed);
  std::vector<double> counts(keys);
  for (std::uint64_t i = 0; i < draws; ++i) counts.at(picker.pick(i)) += 1.0 / draws;
  return counts;
}

TEST(KeyChoice, UniformTakesEachKeyAsOften) {
  for (const double share : key_shares("uniform", 100)) EXPECT_NEAR(share, 0.01, 0.0015);
}

TEST(KeyChoice, SequentialTakesOneAfterTheOther) {
  const KeyPicker picker(KeyChoice::parse("sequential").value(), 3, 1);
  EXPECT_THAT((std::vector{picker.pick(0), picker.pick(1), picker.pick(2), picker.pick(3)}),
              ElementsAre(0, 1, 2, 0));
}

class Zipf : public testing::TestWithParam<double> {};

TEST_P(Zipf, TakesAKeyOfRankKAsOftenAsItsDistributionSays) {
  constexpr std::uint32_t keys = 1'000;
  const double exponent = GetParam();
  double sum = 0;
  for (std::uint32_t k = 1; k <= keys; ++k) sum += std::pow(k, -exponent);
  const auto seen = key_shares(fmt::format("zipf:{}", exponent), keys);
  // Chi-squared over the ranks that are expected at least 20 times, with the rest in one.
  double statistic = 0;
  double rest_seen = 1;
  double rest_expected = 1;
  int classes = 0;
  for (std::uint32_t k = 1; k <= keys; ++k) {
    const double expected = std::pow(k, -exponent) / sum;
    if (expected * draws < 20) break;
    statistic += draws * (seen[k - 1] - expected) * (seen[k - 1] - expected) / expected;
    rest_seen -= seen[k - 1];
    rest_expected -= expected;
    ++classes;
  }
  if (rest_expected * draws > 20)
    statistic += draws * (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
  // Mean classes, standard deviation sqrt(2 classes): five of those above.
  EXPECT_LT(statistic, classes + 5 * std::sqrt(2.0 * classes)) << classes << " classes";
  EXPECT_GT(seen[0], seen[9]);
}

INSTANTIATE_TEST_SUITE_P(Exponents, Zipf, testing::Values(0.5, 0.99, 1.0, 1.2, 3.0));

TEST(KeyChoice, OneKeyIsTakenWhateverTheChoice) {
  for (const auto* choice : {"uniform", "sequential", "zipf:0.99", "zipf:1", "hotspot:1%=90%"})
    EXPECT_EQ(key_shares(choice, 1)[0] > 0.999, true) << choice;
}

TEST(KeyChoice, AHotspotGetsItsShare) {
  const auto seen = key_shares("hotspot:10%=90%", 1'000);
  double hot = 0;
  for (std::size_t i = 0; i < 100; ++i) hot += seen[i];
  EXPECT_NEAR(hot, 0.9, 0.005);
  EXPECT_NEAR(seen[50], 0.009, 0.0015);
  EXPECT_NEAR(seen[500], 0.1 / 900, 0.0002);
}

TEST(KeyChoice, IsAFunctionOfSeedAndIndex) {
  for (const auto* choice : {"zipf:0.99", "hotspot:10%=90%"}) {
    EXPECT_EQ(key_shares(choice, 50, 3), key_shares(choice, 50, 3));
    EXPECT_NE(key_shares(choice, 50, 3), key_shares(choice, 50, 4));
  }
}

TEST(KeyChoice, ReadsWhatItPrints) {
  for (const auto* text : {"uniform", "sequential", "zipf:0.99", "hotspot:1%=90%"})
    EXPECT_EQ(KeyChoice::parse(text).value().text(), text);
}

TEST(KeyChoice, WhatIsNoneIsRefusedInOneLine) {
  for (const auto* text : {"", "zipf", "zipf:", "zipf:0", "zipf:-1", "zipf:11", "zipf:1x",
                           "zipf:nan", "hotspot", "hotspot:1%", "hotspot:0%=90%", "hotspot:100%=1%",
                           "hotspot:1=90", "hotspot:1%=101%", "gauss:1"}) {
    const auto choice = KeyChoice::parse(text);
    ASSERT_FALSE(choice) << text;
    EXPECT_THAT(choice.error().message, HasSubstr("allowed: uniform, sequential, zipf"));
  }
}

class NamedKeysFile : public testing::Test {
 protected:
  ~NamedKeysFile() override { std::filesystem::remove(path_); }
  base::Result<NamedKeys> read(const std::string& text) const {
    std::ofstream(path_) << text;
    return read_named_keys(path_);
  }
  std::string path_ = testing::TempDir() + "/keys-" + std::to_string(getpid());
};

TEST_F(NamedKeysFile, IsUsedLineByLine) {
  const auto keys = read("# of yesterday\nuser:1\n\nuser:2\r\nuser:1\nuser:1\n");
  ASSERT_TRUE(keys);
  EXPECT_THAT(keys->names, ElementsAre("user:1", "user:2"));
  EXPECT_THAT(keys->lines, ElementsAre(0, 1, 0, 0));
  const KeyPicker picker({}, 2, 1, std::make_shared<const NamedKeys>(*keys));
  EXPECT_THAT(
      (std::vector{picker.pick(0), picker.pick(1), picker.pick(2), picker.pick(4), picker.pick(5)}),
      ElementsAre(0, 1, 0, 0, 1));
}

TEST_F(NamedKeysFile, EndlessIsRefused) {
  EXPECT_THAT(read_named_keys("/dev/zero").error().message,
              HasSubstr("the most that a line of a list of keys may have"));
}

TEST_F(NamedKeysFile, WithoutAKeyIsRefused) {
  EXPECT_THAT(read("# nothing\n").error().message, HasSubstr("no key; expected: a key a line"));
  EXPECT_THAT(
      read_named_keys("/nowhere/keys").error().message,
      HasSubstr("cannot read /nowhere/keys: No such file or directory; expected a list of keys"));
}

}  // namespace
}  // namespace hallmark::loadgen
