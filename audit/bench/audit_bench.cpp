// Measures how fast Hallmark audits stores. Each audit reads a store from the first entry to the
// last; the numbers are medians of several rounds. It measures:
//   - Redis, taking turns with a bare loop of SCAN and MGET: with a store of token buckets, and
//     with one that mixes all formats and every sort of planted fault;
//   - the same two stores as files;
//   - the checker alone, format by format.
// Each audit has to find every planted fault and nothing else, and to leave the store as it is.
//
//     hallmark_audit_bench [KEYS]      by default a million
#include <fmt/format.h>
#include <hiredis/hiredis.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "audit/run.hpp"
#include "audit/tests/planted.hpp"
#include "audit/tests/stocked.hpp"
#include "base/number.hpp"
#include "base/tests/temporary_directory.hpp"

namespace {

using namespace hallmark;
using audit::test::Stock;
using Clock = std::chrono::steady_clock;

constexpr int rounds = 7;
constexpr std::size_t batch = 1000;

using StateOf = std::string (*)(std::uint64_t);

std::string token_bucket(std::uint64_t number) {
  return fmt::format("12|{}.5|{}", number % 100, audit::test::now);
}

struct Content {
  const char* name;
  StateOf state;
  bool faults;
};

constexpr Content contents[] = {{"token buckets", token_bucket, false},
                                {"all formats, with faults", audit::test::healthy, true}};

std::string key_of(std::uint64_t number) { return fmt::format("hallmark:{}", number); }

void fill(const stores::Address& address, const Content& content, std::uint64_t keys) {
  constexpr std::uint64_t at_once = 10'000;
  const auto connection = stores::connect(address).value();
  for (std::uint64_t i = 0; i < keys;) {
    Stock stock;
    for (; stock.size() < at_once && i < keys; ++i) stock[key_of(i)] = {content.state(i), {}};
    put(*connection, stock);
  }
  Stock planted;
  for (const auto& row : audit::test::planted()) planted[row.key] = {row.text, {}};
  if (content.faults) put(*connection, planted);
}

/// Sends nothing but the two commands. Returns the number of keys.
std::size_t read_bare(const std::string& socket) {
  redisContext* const context = redisConnectUnix(socket.c_str());
  std::string cursor = "0";
  std::size_t keys = 0;
  do {
    auto* const page = static_cast<redisReply*>(
        redisCommand(context, "SCAN %s COUNT %d", cursor.c_str(), static_cast<int>(batch)));
    cursor = page->element[0]->str;
    const redisReply& names = *page->element[1];
    std::vector<const char*> words{"MGET"};
    std::vector<std::size_t> lengths{4};
    for (std::size_t i = 0; i < names.elements; ++i) {
      words.push_back(names.element[i]->str);
      lengths.push_back(names.element[i]->len);
    }
    if (words.size() > 1) {
      auto* const values = static_cast<redisReply*>(
          redisCommandArgv(context, static_cast<int>(words.size()), words.data(), lengths.data()));
      keys += values->elements;
      freeReplyObject(values);
    }
    freeReplyObject(page);
  } while (cursor != "0");
  redisFree(context);
  return keys;
}

void require(bool right, std::string_view what) {
  if (right) return;
  fmt::print("WRONG: {}\n", what);
  std::exit(1);
}

std::size_t audit_all(const stores::Address& address, const Content& content, std::uint64_t keys) {
  audit::Rules rules;
  audit::RunOptions options;
  options.limits.now = audit::test::now;
  std::vector<std::string> found;
  options.on_finding = [&](std::string_view key, std::string_view, const audit::Finding& one) {
    found.push_back(fmt::format("{} {} {} {}", key, name_of(one.kind), one.field, one.offset));
  };
  const auto result =
      audit::run({.address = address, .scan = {.batch = batch}}, rules, options).value();
  std::vector<std::string> expected;
  for (const auto& row : audit::test::planted()) {
    for (const auto& one : row.findings)
      expected.push_back(
          fmt::format("{} {} {} {}", row.key, name_of(one.kind), one.field, one.offset));
  }
  if (!content.faults) expected.clear();
  std::ranges::sort(found);
  std::ranges::sort(expected);
  require(found == expected, "the findings are not what was planted");
  const std::size_t planted = content.faults ? audit::test::planted().size() : 0;
  require(result.audit.entries == keys + planted, "the number of entries");
  return result.audit.entries;
}

/// A digest of all keys and values that does not depend on their order.
std::size_t digest(const stores::Address& address) {
  const auto scanner = stores::open_scanner(address, {}).value();
  std::size_t all = 0;
  while (true) {
    const auto entries = scanner->next().value();
    if (entries.empty()) return all;
    for (const auto& one : entries)
      all ^= std::hash<std::string>()(fmt::format("{}\t{}", one.key, one.value));
  }
}

double per_second(const std::function<std::size_t()>& read) {
  const auto begin = Clock::now();
  const std::size_t entries = read();
  return static_cast<double>(entries) / std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void bench_redis(const Content& content, std::uint64_t keys) {
  const stores::test::RedisServer server;
  fill(server.unix_address(), content, keys);
  const std::size_t before = digest(server.unix_address());
  const std::string socket = std::get<base::RedisEndpoint>(server.unix_address()).socket;
  std::vector<double> bare, audited;
  for (int round = 0; round < rounds; ++round) {
    bare.push_back(per_second([&] { return read_bare(socket); }));
    audited.push_back(per_second([&] { return audit_all(server.unix_address(), content, keys); }));
  }
  require(digest(server.unix_address()) == before, "the store has changed");
  fmt::print("redis, {}\n  bare SCAN and MGET {:>12.0f} keys/s\n", content.name, median(bare));
  fmt::print("  audit              {:>12.0f} keys/s, {:.2f} of the bare loop (0.8 is asked for)\n",
             median(audited), median(audited) / median(bare));
  if (content.faults)
    fmt::print("  {} planted faults were found each time, nothing else was, and nothing changed\n",
               audit::test::planted().size());
}

void bench_file(const Content& content, std::uint64_t keys) {
  const base::test::TemporaryDirectory directory;
  const auto path = directory.path() / "states";
  std::ofstream file(path);
  for (std::uint64_t i = 0; i < keys; ++i) file << key_of(i) << '\t' << content.state(i) << '\n';
  for (const auto& row : audit::test::planted()) {
    if (content.faults) file << row.key << '\t' << row.text << '\n';
  }
  file.close();
  std::vector<double> audited;
  for (int round = 0; round < rounds; ++round) {
    audited.push_back(
        per_second([&] { return audit_all(base::FileEndpoint{path}, content, keys); }));
  }
  fmt::print("file, {}\n  audit              {:>12.0f} keys/s (300,000 are asked for)\n",
             content.name, median(audited));
}

void bench_checker() {
  const audit::Checker checker({.now = audit::test::now}, audit::Rewriting::no);
  audit::Checked checked;
  fmt::print("checker alone\n");
  for (std::uint64_t format = 0; format < audit::test::healthy_formats; ++format) {
    constexpr std::size_t times = 100'000;
    const std::string text = audit::test::healthy(format);
    const double rate = per_second([&] {
      for (std::size_t i = 0; i < times; ++i) checker.check(text, {}, checked);
      return times;
    });
    fmt::print("  {:>8.0f} ns  {}\n", 1e9 / rate, text);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto keys = base::number_in<std::uint64_t>(argc > 1 ? argv[1] : "1000000");
  if (!keys) {
    fmt::print(stderr, "usage: {} [KEYS]\n", argv[0]);
    return 2;
  }
  bench_checker();
  for (const Content& content : contents) {
    bench_redis(content, *keys);
    bench_file(content, *keys);
  }
}
