#include "audit/format_set.hpp"

#include "protocol/dialects/ratelimit_state.hpp"

namespace hallmark::audit {
namespace {

using protocol::tables::ratelimit_state;

static_assert(ratelimit_state.formats.size() <= 32);

std::size_t index_of(const protocol::Format& format) {
  return static_cast<std::size_t>(&format - ratelimit_state.formats.data());
}

}  // namespace

FormatSet FormatSet::of(const protocol::state::Parsed& parsed) {
  FormatSet set = at(index_of(*parsed.format));
  for (const protocol::Format* const other : parsed.others) set.add(at(index_of(*other)));
  return set;
}

std::string FormatSet::name() const {
  std::string text;
  for (std::size_t i = 0; i < ratelimit_state.formats.size(); ++i) {
    if ((bits_ >> i & 1) == 0) continue;
    if (!text.empty()) text += " or ";
    text += ratelimit_state.formats[i].name;
  }
  return text;
}

const protocol::Format& FormatSet::first() const {
  return ratelimit_state.formats[static_cast<std::size_t>(std::countr_zero(bits_))];
}

}  // namespace hallmark::audit
