#include "cli/html/this_machine.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace hallmark::cli {
namespace {

/// The model of the processors, as Linux names it; empty where it does not.
std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

/// The name of the program that was started as this. hallmark-mpi starts itself by the link of the
/// kernel.
std::string program_name(const std::string& started_as) {
  std::error_code error;
  const auto path = std::filesystem::path(started_as);
  const auto program =
      started_as == "/proc/self/exe" ? std::filesystem::read_symlink(path, error) : path;
  return (error ? path : program).filename();
}

base::Json fact(std::string name, std::string value) {
  return {{"name", std::move(name)}, {"value", std::move(value)}};
}

}  // namespace

std::string quoted_for_shell(const std::string& argument) {
  constexpr auto plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) return argument;
  std::string quoted = "'";
  for (const char letter : argument) {
    if (letter == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += letter;
    }
  }
  return quoted + "'";
}

std::string without_password(const std::string& argument) {
  const auto begin = argument.find("://");
  if (begin == std::string::npos) return argument;
  const auto authority = begin + 3;
  const auto end = std::min(argument.find('/', authority), argument.size());
  const auto at = argument.substr(0, end).rfind('@');
  const auto colon = argument.find(':', authority);
  if (at == std::string::npos || at < authority || colon > at) return argument;
  return argument.substr(0, colon + 1) + "…" + argument.substr(at);
}

std::string command_of_this_process() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string command;
  for (std::string argument; std::getline(file, argument, '\0');) {
    if (command.empty()) argument = program_name(argument);
    command += (command.empty() ? "" : " ") + quoted_for_shell(without_password(argument));
  }
  return command;
}

base::Json this_machine() {
  base::Json facts = base::Json::array();
  utsname system{};
  if (uname(&system) == 0)
    facts.push_back(
        fact("system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)));
  facts.push_back(fact("processors", fmt::format("{} × {}", std::thread::hardware_concurrency(),
                                                 processor_model())));
  return facts;
}

}  // namespace hallmark::cli
