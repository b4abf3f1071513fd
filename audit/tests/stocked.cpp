#include "audit/tests/stocked.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "stores/redis_channel.hpp"

namespace hallmark::audit::test {

void put(stores::Connection& connection, const Stock& stock) {
  std::vector<stores::Change> changes;
  for (const auto& [key, stocked] : stock) {
    changes.push_back({.key = key,
                       .desired = stocked.value,
                       .expiry = stocked.expires_in ? stores::Expiry::in(*stocked.expires_in)
                                                    : stores::Expiry::never()});
  }
  for (const stores::Outcome one : connection.compare_and_set(changes).value()) {
    if (one != stores::Outcome::done) throw std::runtime_error("the store was not empty");
  }
}

Stock contents(const stores::Address& address) {
  Stock all;
  auto scanner = stores::open_scanner(address, {.expiry = true}).value();
  while (true) {
    const auto entries = scanner->next().value();
    if (entries.empty()) return all;
    for (const stores::Entry& one : entries) {
      if (one.kind == stores::EntryKind::text)
        all[std::string(one.key)] = {std::string(one.value), one.expires_in};
    }
  }
}

std::string shown(const Stock& stock) {
  std::string text;
  for (const auto& [key, stocked] : stock)
    text += fmt::format("{}{} {}\n", key, stocked.expires_in ? "!" : "", stocked.value);
  return text;
}

std::vector<std::string> counted_commands(const stores::test::RedisServer& server) {
  std::istringstream info(server.run({"INFO", "commandstats"}));
  constexpr std::string_view prefix = "cmdstat_";
  std::vector<std::string> names;
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with(prefix))
      names.push_back(line.substr(prefix.size(), line.find(':') - prefix.size()));
  }
  return names;
}

std::string expiry_times(const stores::test::RedisServer& server,
                         const std::vector<std::string>& keys) {
  const stores::Deadline deadline{std::chrono::seconds(30)};
  const auto address = server.address();
  const auto channel =
      stores::RedisChannel::open(std::get<base::RedisEndpoint>(address), std::chrono::seconds(30))
          .value();
  for (const std::string& key : keys) channel->queue({"PEXPIRETIME", key});
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i)
    text += fmt::format("{}\n", channel->receive_success(deadline).value()->integer);
  return text;
}

}  // namespace hallmark::audit::test
