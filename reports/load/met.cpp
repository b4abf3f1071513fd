#include "reports/load/met.hpp"

namespace hallmark::reports {

std::string_view name_of(Met met) {
  switch (met) {
    case Met::yes: return "yes";
    case Met::no: return "no";
    case Met::unknown: return "unknown";
  }
  return "";
}

}  // namespace hallmark::reports
