#include "mpi/mpi_peers.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <thread>

namespace hallmark::mpi {
namespace {

constexpr int tag = 0;

}  // namespace

MpiPeers::MpiPeers(int& argc, char**& argv) {
  int provided = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    throw std::runtime_error("MPI cannot be initialised; start this with mpirun");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<std::uint32_t>(rank);
  size_ = static_cast<std::uint32_t>(size);
}

/// Memory that has not been sent stays allocated: MPI may still read it.
MpiPeers::~MpiPeers() {
  for (Sending& one : sending_)
    static_cast<void>(new (std::nothrow) base::Bytes(std::move(one.bytes)));
}

void MpiPeers::send(std::uint32_t to, base::Bytes message) {
  Sending& one = sending_.emplace_back();
  one.bytes = std::move(message);
  MPI_Isend(one.bytes.data(), static_cast<int>(one.bytes.size()), MPI_BYTE, static_cast<int>(to),
            tag, MPI_COMM_WORLD, &one.request);
}

void MpiPeers::forget_sent() {
  std::erase_if(sending_, [](Sending& one) {
    int sent = 0;
    return MPI_Test(&one.request, &sent, MPI_STATUS_IGNORE) != MPI_SUCCESS || sent != 0;
  });
}

std::optional<distributed::Envelope> MpiPeers::receive() {
  forget_sent();
  int found = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  if (MPI_Improbe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &found, &message, &status) != MPI_SUCCESS ||
      found == 0)
    return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  distributed::Envelope envelope{static_cast<std::uint32_t>(status.MPI_SOURCE),
                                 base::Bytes(static_cast<std::size_t>(size))};
  MPI_Mrecv(envelope.bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  return envelope;
}

void MpiPeers::finalize() {
  while (!sending_.empty()) {
    while (receive()) {
    }
    std::this_thread::yield();
  }
  MPI_Finalize();
}

}  // namespace hallmark::mpi
