// Measures how fast stores are read, each from the first key to the last. Redis takes turns with a
// bare loop of SCAN and MGET through hiredis; a file is read by itself. The numbers are medians.
//
//     hallmark_stores_bench [KEYS]      by default a million
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "base/number.hpp"
#include "base/tests/temporary_directory.hpp"
#include "stores/redis_channel.hpp"
#include "stores/store.hpp"
#include "stores/tests/support/redis_server.hpp"

namespace {

using namespace hallmark;
using Clock = std::chrono::steady_clock;

constexpr int runs = 7;
constexpr std::size_t batch = 1000;

struct Read {
  std::size_t keys = 0;
  std::size_t bytes = 0;  ///< of the values: something has to look at them
};

stores::Reply command(redisContext* context, std::vector<const char*> parts,
                      std::vector<std::size_t> sizes) {
  return stores::Reply(static_cast<redisReply*>(
      redisCommandArgv(context, static_cast<int>(parts.size()), parts.data(), sizes.data())));
}

Read read_bare(const std::string& socket) {
  const std::unique_ptr<redisContext, decltype(&redisFree)> context(
      redisConnectUnix(socket.c_str()), redisFree);
  const auto count = std::to_string(batch);
  std::string cursor = "0";
  Read read;
  do {
    const auto page = command(context.get(), {"SCAN", cursor.c_str(), "COUNT", count.c_str()},
                              {4, cursor.size(), 5, count.size()});
    cursor = page->element[0]->str;
    const auto& keys = *page->element[1];
    if (keys.elements == 0) continue;
    std::vector<const char*> parts{"MGET"};
    std::vector<std::size_t> sizes{4};
    for (std::size_t i = 0; i < keys.elements; ++i) {
      parts.push_back(keys.element[i]->str);
      sizes.push_back(keys.element[i]->len);
    }
    const auto values = command(context.get(), std::move(parts), std::move(sizes));
    read.keys += values->elements;
    for (std::size_t i = 0; i < values->elements; ++i) read.bytes += values->element[i]->len;
  } while (cursor != "0");
  return read;
}

Read read_store(const stores::Address& address) {
  const auto scanner = stores::open_scanner(address, {.batch = batch}).value();
  Read read;
  while (true) {
    const auto entries = scanner->next().value();
    if (entries.empty()) return read;
    read.keys += entries.size();
    for (const auto& entry : entries) read.bytes += entry.value.size();
  }
}

template <class Reader>
double keys_per_second(const Reader& reader, std::size_t at_least) {
  const auto begin = Clock::now();
  const Read read = reader();
  const std::chrono::duration<double> took = Clock::now() - begin;
  if (read.keys < at_least || read.bytes == 0) {
    fmt::print("read {} keys of {}\n", read.keys, at_least);
    std::exit(1);
  }
  return static_cast<double>(read.keys) / took.count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void bench_redis(std::size_t keys) {
  const stores::test::RedisServer server;
  server.fill("hallmark:", keys, "12|8.5|1761884055342794596");
  const auto socket = std::get<base::RedisEndpoint>(server.unix_address()).socket;
  std::vector<double> bare, ours;
  for (int run = 0; run < runs; ++run) {
    bare.push_back(keys_per_second([&] { return read_bare(socket); }, keys));
    ours.push_back(keys_per_second([&] { return read_store(server.unix_address()); }, keys));
  }
  fmt::print("redis, bare SCAN and MGET  {:>12.0f} keys/s\n", median(bare));
  fmt::print("redis, scanner             {:>12.0f} keys/s, {:.2f} of the bare loop\n", median(ours),
             median(ours) / median(bare));
}

void bench_file(std::size_t keys) {
  const base::test::TemporaryDirectory directory;
  const auto path = directory.path() / "states";
  std::ofstream file(path);
  for (std::size_t i = 0; i < keys; ++i)
    file << "hallmark:" << i << "\t12|8.5|1761884055342794596\n";
  file.close();
  std::vector<double> ours;
  for (int run = 0; run < runs; ++run) {
    ours.push_back(keys_per_second([&] { return read_store(base::FileEndpoint{path}); }, keys));
  }
  fmt::print("file                       {:>12.0f} keys/s\n", median(ours));
}

}  // namespace

int main(int argc, char** argv) {
  const auto keys = base::number_in<std::uint64_t>(argc > 1 ? argv[1] : "1000000");
  if (!keys) {
    fmt::print(stderr, "usage: {} [KEYS]\n", argv[0]);
    return 2;
  }
  bench_redis(*keys);
  bench_file(*keys);
}
