#include "loadgen/results/failure.hpp"

namespace hallmark::loadgen {

std::string_view name_of(Failure failure) {
  switch (failure) {
    case Failure::timeout: return "timeout";
    case Failure::late: return "client too late";
    case Failure::backlog: return "connection backlog";
    case Failure::no_connection: return "no connection";
    case Failure::refused: return "connection refused";
    case Failure::reset: return "connection reset";
    case Failure::closed: return "connection closed";
    case Failure::connection_error: return "connection error";
    case Failure::malformed: return "malformed reply";
    case Failure::wrong_status: return "wrong status";
    case Failure::wrong_content: return "wrong content";
    case Failure::wrong_id: return "reply to another request";
    case Failure::foreign_value: return "value nobody wrote";
    case Failure::unexpected_bytes: return "unexpected bytes";
    case Failure::not_sent: return "not sent by the client";
    case Failure::abandoned: return "connection given up";
    case Failure::conflict: return "conflicts";
    case Failure::bad_state: return "malformed state";
    case Failure::store_refused: return "refused by the store";
    case Failure::starved: return "client without ports or descriptors";
    case Failure::rank_lost: return "rank lost";
  }
  return "unknown";
}

std::uint64_t reports::LoadCounts::*count_of(Failure failure) {
  switch (failure) {
    case Failure::timeout: return &reports::LoadCounts::timed_out;
    case Failure::late:
    case Failure::not_sent:
    case Failure::starved: return &reports::LoadCounts::shed;
    default: return &reports::LoadCounts::failed;
  }
}

}  // namespace hallmark::loadgen
