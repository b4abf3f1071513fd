#include "distributed/counter_sums.hpp"

#include <utility>

#include "base/byte_stream.hpp"

namespace hallmark::distributed {

base::Bytes encode(const loadgen::CounterLedger& ledger) {
  base::ByteWriter out;
  for (const auto& entry : ledger.entries()) {
    out.number(entry.key);
    out.number(entry.up);
    out.number(entry.down);
    out.signed_number(entry.lost.least);
    out.signed_number(entry.lost.most);
  }
  return std::move(out).take();
}

base::Result<void> add_encoded(base::ByteView counters, loadgen::CounterLedger& ledger) {
  base::ByteReader in(counters);
  while (in.ok() && !in.at_end()) {
    loadgen::CounterLedger::Entry entry;
    for (std::uint32_t* const member : {&entry.key, &entry.up, &entry.down}) {
      const std::uint64_t number = in.number();
      if (!std::in_range<std::uint32_t>(number)) return base::Error{"counters of another run"};
      *member = static_cast<std::uint32_t>(number);
    }
    entry.lost.least = in.signed_number();
    entry.lost.most = in.signed_number();
    if (!in.ok() || !ledger.add(entry)) return base::Error{"counters of another run"};
  }
  return {};
}

}  // namespace hallmark::distributed
