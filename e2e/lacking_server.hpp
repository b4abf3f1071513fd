#pragma once

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "e2e/fixture.hpp"

namespace hallmark::e2e {

/// A server of throttr-7.1 at u16 that lacks operations: what it is asked goes to the server
/// behind it, and a request of such an operation ends the connection, as an undefined opcode does.
class LackingServer : public Port {
 public:
  /// `behind`: tcp://127.0.0.1:PORT.
  LackingServer(const std::string& behind, std::set<std::string> operations);
  ~LackingServer();

 private:
  class Connection;

  void accept();

  unsigned behind_;
  std::set<std::string> operations_;
  std::vector<std::jthread> connections_;
  std::jthread acceptor_;
};

}  // namespace hallmark::e2e
