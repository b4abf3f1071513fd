#pragma once
#include <pcap/pcap.h>

#include "base/error.hpp"

namespace hallmark::captures {

/// The functions of libpcap that Hallmark calls.
// clang-format moves the ends of these lines each time.
// clang-format off
#define HALLMARK_LIBPCAP_FUNCTIONS(X) \
  X(pcap_close) X(pcap_datalink) X(pcap_datalink_val_to_name) \
  X(pcap_fopen_offline_with_tstamp_precision) X(pcap_geterr) X(pcap_next_ex)
// clang-format on

/// The library that reads captures, loaded when the first one is opened (base/shared_library.hpp).
/// The names are the library's own.
struct Libpcap {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define HALLMARK_MEMBER(name) decltype(&::name) name = nullptr;
  HALLMARK_LIBPCAP_FUNCTIONS(HALLMARK_MEMBER)
#undef HALLMARK_MEMBER
};

/// Loads the library, once. Error: it is not installed, or too old.
base::Result<void> load_libpcap();

/// Returns its functions. Precondition: `load_libpcap` succeeded.
const Libpcap& libpcap();

}  // namespace hallmark::captures
