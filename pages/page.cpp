#include "pages/page.hpp"

#include <algorithm>
#include <numeric>

#include "base/base64.hpp"
#include "base/gzip.hpp"
#include "pages/page_parts.hpp"

namespace hallmark::pages {
namespace {

/// Results of together so many bytes stand on the page as they are; larger ones are packed.
constexpr std::size_t most_plain_bytes = 900'000;

bool is_markup(char letter) { return letter == '<' || letter == '>' || letter == '&'; }

std::string_view escaped(char markup) {
  return markup == '<' ? "\\u003c" : markup == '>' ? "\\u003e" : "\\u0026";
}

/// Appends JSON in one line, and so that nothing in it is markup: these letters occur within
/// strings only, where the escaped form means the same. Line breaks occur between values only; they
/// and the indentation behind them are left out.
void append_escaped(std::string& out, std::string_view json) {
  const auto is_special = [](char letter) { return letter == '\n' || is_markup(letter); };
  for (;;) {
    const auto* const found = std::ranges::find_if(json, is_special);
    out.append(json.begin(), found);
    if (found == json.end()) return;
    const bool line_break = *found == '\n';
    if (!line_break) out += escaped(*found);
    json.remove_prefix(static_cast<std::size_t>(found - json.begin()) + 1);
    if (line_break) json.remove_prefix(std::min(json.find_first_not_of(' '), json.size()));
  }
}

void append_script(std::string& out, std::string_view attribute, std::string_view json) {
  out += R"(<script type="application/json" )";
  out += attribute;
  out += '>';
  append_escaped(out, json);
  out += "</script>\n";
}

/// Appends JSON as base64 of a gzip stream: a tenth of its size where names and texts recur.
void append_packed(std::string& out, std::string_view json) {
  const auto packed = base::gzip(json);
  if (!packed) return append_script(out, R"(class="result")", json);
  out += R"(<script type="application/gzip" class="result">)";
  out += base::to_base64({reinterpret_cast<const std::uint8_t*>(packed->data()), packed->size()});
  out += "</script>\n";
}

std::size_t size_of(const std::vector<PageResult>& results) {
  return std::accumulate(
      results.begin(), results.end(), std::size_t{0},
      [](std::size_t sum, const PageResult& result) { return sum + result.json.size(); });
}

base::Json about(const Page& page) {
  base::Json::Items results;
  for (const PageResult& result : page.results) {
    base::Json one{{"name", result.name}, {"verdict", result.verdict}};
    if (!result.note.empty()) one["note"] = result.note;
    results.push_back(std::move(one));
  }
  base::Json json{{"version", page.version}, {"results", results}};
  for (const auto& [name, value] : page.facts) json[name] = value;
  if (page.live) json["live"] = true;
  return json;
}

/// A live page may ask its own server, others nobody.
std::string beginning(const Page& page) {
  std::string html(before_results);
  if (!page.live) return html;
  constexpr std::string_view nothing = "default-src 'none';";
  html.insert(html.find(nothing) + nothing.size(), " connect-src 'self';");
  return html;
}

}  // namespace

std::string render(const Page& page) {
  const std::string facts = about(page).dump();
  const std::size_t size = size_of(page.results);
  std::string html;
  html.reserve(before_results.size() + behind_results.size() + 2 * facts.size() + size + size / 16);
  html += beginning(page);
  append_script(html, R"(id="about")", facts);
  for (const PageResult& result : page.results) {
    if (size > most_plain_bytes) {
      append_packed(html, result.json);
    } else {
      append_script(html, R"(class="result")", result.json);
    }
  }
  html += behind_results;
  return html;
}

std::string render_event(const Page& page) {
  std::string event = R"({"about":)";
  append_escaped(event, about(page).dump());
  event += R"(,"results":[)";
  for (const PageResult& result : page.results) {
    if (&result != &page.results.front()) event += ',';
    append_escaped(event, result.json);
  }
  event += "]}";
  return event;
}

}  // namespace hallmark::pages
