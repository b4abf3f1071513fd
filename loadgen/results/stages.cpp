#include "loadgen/results/stages.hpp"

namespace hallmark::loadgen {

void StageTimes::add(const StageTimes& other) {
  planned_to_written.add(other.planned_to_written);
  written_to_kernel_sent.add(other.written_to_kernel_sent);
  kernel_sent_to_received.add(other.kernel_sent_to_received);
  kernel_received_to_read.add(other.kernel_received_to_read);
  without_kernel_times += other.without_kernel_times;
}

void StageTimes::reset() {
  planned_to_written.reset();
  written_to_kernel_sent.reset();
  kernel_sent_to_received.reset();
  kernel_received_to_read.reset();
  without_kernel_times = 0;
}

}  // namespace hallmark::loadgen
