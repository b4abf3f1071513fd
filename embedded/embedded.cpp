#include "embedded/embedded.hpp"

#include <zstd.h>

#include <algorithm>
#include <stdexcept>

#include "embedded/bundle.hpp"

namespace hallmark::embedded {
namespace {

bool is_in(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/' &&
         path.find('/', folder.size() + 1) == std::string_view::npos;
}

}  // namespace

void Bundle::decompress() {
  text_.resize(size_);
  const std::size_t got =
      ZSTD_decompress(text_.data(), text_.size(), packed_.data(), packed_.size());
  if (ZSTD_isError(got) != 0 || got != size_)
    throw std::logic_error("the program's own " + std::string(name_) + " cannot be decompressed");
}

std::string_view Bundle::text_of(const Entry& entry) {
  std::call_once(once_, [this] { decompress(); });
  return std::string_view(text_).substr(entry.offset, entry.size);
}

std::vector<std::string> files_in(std::string_view folder) {
  std::vector<std::string> paths;
  for (const Bundle* const bundle : bundles()) {
    for (const Entry& entry : bundle->entries()) {
      if (is_in(entry.path, folder)) paths.emplace_back(entry.path);
    }
  }
  std::ranges::sort(paths);
  return paths;
}

std::optional<std::string_view> text_of(std::string_view path) {
  for (Bundle* const bundle : bundles()) {
    const auto found = std::ranges::find(bundle->entries(), path, &Entry::path);
    if (found != bundle->entries().end()) return bundle->text_of(*found);
  }
  return std::nullopt;
}

}  // namespace hallmark::embedded
