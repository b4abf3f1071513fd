#include "captures/event.hpp"

namespace hallmark::captures {

std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::malformed: return "malformed";
    case FindingKind::truncated: return "truncated";
    case FindingKind::unanswered: return "unanswered";
    case FindingKind::unasked: return "unasked";
    case FindingKind::mismatched: return "mismatched";
    case FindingKind::unlisted: return "unlisted";
    case FindingKind::contradictory: return "contradictory";
    case FindingKind::missing: return "missing";
    case FindingKind::undecoded: return "undecoded";
    case FindingKind::conflicting: return "conflicting";
    case FindingKind::damaged: return "damaged";
    case FindingKind::retransmitted: return "retransmitted";
    case FindingKind::reordered: return "reordered";
    case FindingKind::ambiguous: return "ambiguous";
    case FindingKind::resumed: return "resumed";
  }
  return "unknown";
}

std::string_view name_of(Evidence evidence) {
  switch (evidence) {
    case Evidence::handshake: return "handshake";
    case Evidence::port: return "port";
    case Evidence::decoding: return "decoding";
    case Evidence::port_order: return "port-order";
  }
  return "unknown";
}

}  // namespace hallmark::captures
