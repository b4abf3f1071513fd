#include "base/utf8.hpp"

#include <boost/locale/utf.hpp>

namespace hallmark::base {
namespace {

using Utf8 = boost::locale::utf::utf_traits<char>;
using boost::locale::utf::code_point;

bool may_be_shown(code_point point) {
  const bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
  // Bidirectional overrides reorder what follows them on the screen.
  const bool steers = (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
  const bool noncharacter = (point & 0xfffeU) == 0xfffe || (point >= 0xfdd0 && point < 0xfdf0);
  return !control && !steers && !noncharacter;
}

}  // namespace

std::size_t printable_prefix(std::string_view text) {
  const char* at = text.data();
  const code_point point = Utf8::decode(at, text.data() + text.size());
  const bool is_broken =
      point == boost::locale::utf::illegal || point == boost::locale::utf::incomplete;
  return is_broken || !may_be_shown(point) ? 0 : static_cast<std::size_t>(at - text.data());
}

}  // namespace hallmark::base
