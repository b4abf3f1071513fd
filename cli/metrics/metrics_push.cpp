#include "cli/metrics/metrics_push.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "cli/metrics/libcurl.hpp"

namespace hallmark::cli {
namespace {

constexpr long connects_within_ms = 5'000;
constexpr long ends_within_ms = 10'000;
constexpr std::size_t most_kept_reply = 200;

using CurlUrl = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;
using CurlHandle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using CurlHeaders = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

std::string part_of(const CurlUrl& url, CURLUPart part) {
  char* text = nullptr;
  if (libcurl().curl_url_get(url.get(), part, &text, 0) != CURLUE_OK) return {};
  const std::unique_ptr<char, decltype(&curl_free)> owned(text, libcurl().curl_free);
  return owned.get();
}

/// The rest of the text that is sent.
struct Unsent {
  std::string_view text;
};

std::size_t send_some(char* to, std::size_t size, std::size_t count, void* unsent) {
  std::string_view& text = static_cast<Unsent*>(unsent)->text;
  const std::size_t some = std::min(text.size(), size * count);
  std::memcpy(to, text.data(), some);
  text.remove_prefix(some);
  return some;
}

/// The beginning of a reply says why the metrics were refused.
std::size_t keep_some(char* from, std::size_t size, std::size_t count, void* reply) {
  auto& kept = *static_cast<std::string*>(reply);
  const std::size_t room = most_kept_reply - std::min(kept.size(), most_kept_reply);
  kept.append(from, std::min(room, size * count));
  return size * count;
}

base::Error refused_push(const std::string& url, std::string_view why) {
  std::string line(why);
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' '; }, ' ');
  return {fmt::format("--metrics-push {}: {}", url, line)};
}

void set_request(CURL* handle, const std::string& url, curl_slist* headers) {
  libcurl().curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  libcurl().curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  libcurl().curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
  libcurl().curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  libcurl().curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, connects_within_ms);
  libcurl().curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, ends_within_ms);
}

}  // namespace

base::Result<void> check_push_url(const std::string& url) {
  if (const auto library = load_libcurl(); !library)
    return refused_push(url, library.error().message);
  const CurlUrl parsed(libcurl().curl_url(), libcurl().curl_url_cleanup);
  const CURLUcode code = libcurl().curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0);
  const std::string scheme = code == CURLUE_OK ? part_of(parsed, CURLUPART_SCHEME) : "";
  if (scheme == "http" || scheme == "https") return {};
  return refused_push(url, code == CURLUE_OK ? "expected http://HOST:PORT or https://HOST:PORT"
                                             : fmt::format("not an address ({}); expected "
                                                           "http://HOST:PORT or https://HOST:PORT",
                                                           libcurl().curl_url_strerror(code)));
}

std::string push_url(const std::string& url, std::string_view run, std::string_view rank) {
  if (url.find("/metrics/job/") != std::string::npos) return url;
  const std::unique_ptr<char, decltype(&curl_free)> escaped(
      libcurl().curl_easy_escape(nullptr, run.data(), static_cast<int>(run.size())),
      libcurl().curl_free);
  const std::string_view slash = url.ends_with('/') ? "" : "/";
  return fmt::format("{}{}metrics/job/hallmark/run/{}/rank/{}", url, slash, escaped.get(), rank);
}

base::Result<void> push_metrics(const std::string& url, std::string_view text) {
  const CurlHandle handle(libcurl().curl_easy_init(), libcurl().curl_easy_cleanup);
  const CurlHeaders headers(libcurl().curl_slist_append(
                                nullptr, "Content-Type: text/plain; version=0.0.4; charset=utf-8"),
                            libcurl().curl_slist_free_all);
  Unsent unsent{text};
  std::string reply;
  set_request(handle.get(), url, headers.get());
  libcurl().curl_easy_setopt(handle.get(), CURLOPT_UPLOAD, 1L);
  libcurl().curl_easy_setopt(handle.get(), CURLOPT_INFILESIZE_LARGE,
                             static_cast<curl_off_t>(text.size()));
  libcurl().curl_easy_setopt(handle.get(), CURLOPT_READFUNCTION, &send_some);
  libcurl().curl_easy_setopt(handle.get(), CURLOPT_READDATA, &unsent);
  libcurl().curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, &keep_some);
  libcurl().curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &reply);
  if (const CURLcode code = libcurl().curl_easy_perform(handle.get()); code != CURLE_OK)
    return refused_push(url, libcurl().curl_easy_strerror(code));
  long status = 0;
  libcurl().curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  if (status >= 200 && status < 300) return {};
  return refused_push(url, fmt::format("the gateway answered {}: {}", status, reply));
}

}  // namespace hallmark::cli
