#pragma once
#include <mpi.h>

#include <deque>
#include <memory>

#include "distributed/peers.hpp"

namespace hallmark::mpi {

/// Peers that Open MPI or another MPI (3.1) connects. Errors of MPI do not end the program: a rank
/// that has died falls silent.
class MpiPeers : public distributed::Peers {
 public:
  /// Initialises MPI for the calling thread, which is the only one to use it. Throws
  /// std::runtime_error if MPI cannot be initialised.
  MpiPeers(int& argc, char**& argv);
  ~MpiPeers() override;
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override { return size_; }
  void send(std::uint32_t to, base::Bytes message) override;
  std::optional<distributed::Envelope> receive() override;

  /// Waits until everything is sent and every rank has come here. Without this the destructor
  /// leaves MPI as it is, which is right where a rank has died and would be waited for.
  void finalize();

 private:
  /// A message on its way; MPI reads its bytes until the request is done.
  struct Sending {
    base::Bytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void forget_sent();

  std::uint32_t rank_ = 0;
  std::uint32_t size_ = 1;
  std::deque<Sending> sending_;
};

}  // namespace hallmark::mpi
