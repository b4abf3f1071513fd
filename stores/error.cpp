#include "stores/error.hpp"

#include <algorithm>

#include "base/descriptor.hpp"
#include "base/local_resources.hpp"

namespace hallmark::stores {

ErrorKind kind_of_failed_connect(std::string_view message) {
  const bool starved = std::ranges::any_of(base::lacking_resources(), [&](int error) {
    return message.find(base::errno_text(error)) != message.npos;
  });
  return starved ? ErrorKind::starved : ErrorKind::unreachable;
}

}  // namespace hallmark::stores
