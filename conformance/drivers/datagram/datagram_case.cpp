#include "conformance/drivers/datagram/datagram_case.hpp"

namespace hallmark::conformance {

boost::system::result<DatagramCases, std::string> chosen(DatagramCases cases,
                                                         const Filter& filter) {
  return chosen_of(std::move(cases), filter);
}

}  // namespace hallmark::conformance
