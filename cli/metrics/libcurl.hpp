#pragma once
// Its macros that check types would call the functions by their names.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "base/error.hpp"

namespace hallmark::cli {

/// The functions of libcurl that Hallmark calls.
// clang-format moves the ends of these lines each time.
// clang-format off
#define HALLMARK_LIBCURL_FUNCTIONS(X) \
  X(curl_easy_cleanup) X(curl_easy_escape) X(curl_easy_getinfo) X(curl_easy_init) \
  X(curl_easy_perform) X(curl_easy_setopt) X(curl_easy_strerror) X(curl_free) \
  X(curl_slist_append) X(curl_slist_free_all) X(curl_url) X(curl_url_cleanup) X(curl_url_get) \
  X(curl_url_set) X(curl_url_strerror)
// clang-format on

/// The library that speaks to a gateway, loaded when metrics are first pushed
/// (base/shared_library.hpp). The names are the library's own.
struct Libcurl {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define HALLMARK_MEMBER(name) decltype(&::name) name = nullptr;
  HALLMARK_LIBCURL_FUNCTIONS(HALLMARK_MEMBER)
#undef HALLMARK_MEMBER
};

/// Loads the library, once. Error: it is not installed, or too old.
base::Result<void> load_libcurl();

/// Returns its functions. Precondition: `load_libcurl` succeeded.
const Libcurl& libcurl();

}  // namespace hallmark::cli
