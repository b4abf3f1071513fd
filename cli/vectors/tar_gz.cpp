#include "cli/vectors/tar_gz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/gzip.hpp"

namespace hallmark::cli {
namespace {

constexpr std::size_t tar_block = 512;

// Fields of a header of POSIX.1-1988 (ustar): offset and length.
struct TarField {
  std::size_t offset;
  std::size_t length;
};
constexpr TarField name_field{0, 100};
constexpr TarField mode_field{100, 8};
constexpr TarField owner_field{108, 8};
constexpr TarField group_field{116, 8};
constexpr TarField size_field{124, 12};
constexpr TarField time_field{136, 12};
constexpr TarField checksum_field{148, 8};
constexpr TarField type_field{156, 1};
constexpr TarField magic_field{257, 8};

void set_field(std::string& header, TarField field, std::string_view text) {
  header.replace(field.offset, text.size(), text);
}

/// Octal digits that fill the field but for the zero behind them.
void set_octal(std::string& header, TarField field, std::size_t number) {
  set_field(header, field, fmt::format("{:0{}o}", number, field.length - 1));
}

std::string tar_header(const std::string& path, std::size_t size) {
  constexpr std::size_t readable_by_all = 0644;
  std::string header(tar_block, '\0');
  set_field(header, name_field, path);
  set_octal(header, mode_field, readable_by_all);
  set_octal(header, owner_field, 0);
  set_octal(header, group_field, 0);
  set_octal(header, size_field, size);
  set_octal(header, time_field, 0);
  set_field(header, type_field, "0");
  set_field(header, magic_field,
            std::string_view("ustar\0"
                             "00",
                             8));
  // The sum is taken with blanks in its own place.
  set_field(header, checksum_field, std::string(checksum_field.length, ' '));
  const auto sum = std::accumulate(
      header.begin(), header.end(), std::size_t{0},
      [](std::size_t all, char one) { return all + static_cast<unsigned char>(one); });
  set_field(header, checksum_field, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return header;
}

}  // namespace

base::Result<std::string> tar_gz(const ArchiveFiles& files) {
  std::string tar;
  for (const auto& [path, content] : files) {
    if (path.size() > name_field.length) {
      return base::Error{fmt::format("{}: has {} bytes, expected at most {} in an archive", path,
                                     path.size(), name_field.length)};
    }
    tar += tar_header(path, content.size());
    tar += content;
    tar.resize((tar.size() + tar_block - 1) / tar_block * tar_block);
  }
  tar.resize(tar.size() + 2 * tar_block);  // its end
  return base::gzip(tar);
}

}  // namespace hallmark::cli
