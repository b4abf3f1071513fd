#include "pcapng/tests/captured.hpp"

#include <pcap/pcap.h>

#include <memory>
#include <stdexcept>

namespace hallmark::pcapng::test {

std::vector<CapturedPacket> packets_in(const std::string& path) {
  char why[PCAP_ERRBUF_SIZE] = "";
  const std::unique_ptr<pcap_t, decltype(&::pcap_close)> file(
      ::pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, why),
      &::pcap_close);
  if (file == nullptr) throw std::runtime_error(why);
  std::vector<CapturedPacket> packets;
  pcap_pkthdr* head = nullptr;
  const u_char* bytes = nullptr;
  int next = 0;
  while ((next = ::pcap_next_ex(file.get(), &head, &bytes)) == 1) {
    packets.push_back(
        {std::chrono::seconds(head->ts.tv_sec) + std::chrono::nanoseconds(head->ts.tv_usec),
         base::Bytes(bytes, bytes + head->caplen)});
  }
  if (next != PCAP_ERROR_BREAK) throw std::runtime_error(::pcap_geterr(file.get()));
  return packets;
}

std::uint16_t rest_of_checksum(base::ByteView bytes, std::uint32_t pseudo_header) {
  std::uint32_t sum = pseudo_header;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    sum += std::uint32_t{bytes[i]} << (i % 2 == 0 ? 8 : 0);
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

}  // namespace hallmark::pcapng::test
