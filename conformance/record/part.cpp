#include "conformance/record/part.hpp"

namespace hallmark::conformance {

std::string_view name_of(Crossing::Kind kind) {
  switch (kind) {
    case Crossing::Kind::open: return "open";
    case Crossing::Kind::send: return "send";
    case Crossing::Kind::offer: return "offer";
    case Crossing::Kind::receive: return "receive";
    case Crossing::Kind::finish: return "finish";
    case Crossing::Kind::reset: return "reset";
    case Crossing::Kind::close: return "close";
    case Crossing::Kind::wait: return "wait";
    case Crossing::Kind::ended: return "ended";
    case Crossing::Kind::words: return "words";
    case Crossing::Kind::shared: return "shared";
    case Crossing::Kind::judged: return "judged";
    case Crossing::Kind::process: return "process";
  }
  return "";
}

std::string_view name_of(Crossing::Outcome outcome) {
  switch (outcome) {
    case Crossing::Outcome::done: return "done";
    case Crossing::Outcome::refused: return "refused";
    case Crossing::Outcome::timed_out: return "timed-out";
    case Crossing::Outcome::closed: return "closed";
    case Crossing::Outcome::reset: return "reset";
  }
  return "";
}

std::string_view name_of(Shared what) {
  switch (what) {
    case Shared::serial: return "serial";
    case Shared::curtailed: return "curtailed";
    case Shared::hopeless: return "hopeless";
    case Shared::stopped: return "stopped";
    case Shared::curtailed_deliveries: return "curtailed-deliveries";
    case Shared::curtailed_farewells: return "curtailed-farewells";
    case Shared::slowness: return "slowness";
    case Shared::lost: return "lost";
    case Shared::beside: return "beside";
    case Shared::untidy: return "untidy";
    case Shared::waits: return "waits";
    case Shared::apart: return "apart";
    case Shared::halves: return "halves";
  }
  return "";
}

}  // namespace hallmark::conformance
