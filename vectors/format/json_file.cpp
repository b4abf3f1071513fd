#include "vectors/format/json_file.hpp"

#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "protocol/dialects.hpp"

namespace hallmark::vectors::reading {

const protocol::Dialect& read_dialect(const base::JsonReader& reader) {
  std::vector<std::string_view> names;
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    if (dialect->name == reader.string()) return *dialect;
    names.push_back(dialect->name);
  }
  reader.refuse(fmt::format("one of {}", fmt::join(names, ", ")));
}

}  // namespace hallmark::vectors::reading
