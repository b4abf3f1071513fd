#include "pages/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.hpp"
#include "base/gzip.hpp"

namespace hallmark::pages {
namespace {

using testing::HasSubstr;
using testing::Not;

Page page_of(std::string json) {
  return {"0.1.0", {{"a.json", "DONE  all well", std::move(json), ""}}, {}};
}

/// The text between the opening tag of the element and its end.
std::string content_of(const std::string& html, std::string_view opening) {
  const auto begin = html.find(opening) + opening.size();
  return html.substr(begin, html.find("</script>", begin) - begin);
}

constexpr std::string_view result_tag = R"(<script type="application/json" class="result">)";
constexpr std::string_view about_tag = R"(<script type="application/json" id="about">)";

TEST(Page, CarriesTheResultAsItIs) {
  EXPECT_EQ(content_of(render(page_of(R"({"format": "hallmark-load"})")), result_tag),
            R"({"format": "hallmark-load"})");
}

TEST(Page, LeavesOutIndentationBetweenValuesOnly) {
  EXPECT_EQ(content_of(render(page_of("{\n \"a b\": [\n  \"  c\\n  d\"\n ]\n}\n")), result_tag),
            "{\"a b\": [\"  c\\n  d\"]}");
}

TEST(Page, NamesItsResults) {
  EXPECT_EQ(content_of(render(page_of("{}")), about_tag),
            R"({"version":"0.1.0","results":[{"name":"a.json","verdict":"DONE  all well"}]})");
}

TEST(Page, WritesMarkupOfATargetAsNumbers) {
  const std::string html = render(page_of(R"({"key": "</script><script>alert(1)&amp;"})"));
  EXPECT_EQ(content_of(html, result_tag),
            R"({"key": "\u003c/script\u003e\u003cscript\u003ealert(1)\u0026amp;"})");
}

TEST(Page, EscapesWhatItSaysOfItsResultsToo) {
  Page page = page_of("{}");
  page.results[0].name = "<b>.json";
  page.facts.push_back({"command", "hallmark load '</script>'"});
  const std::string html = render(page);
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
  EXPECT_THAT(content_of(html, about_tag), HasSubstr(R"('\u003c/script\u003e')"));
}

TEST(Page, AllowsItsOwnProgramAndStyleOnly) {
  const std::string html = render(page_of("{}"));
  EXPECT_THAT(html, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(html, Not(HasSubstr("unsafe-inline")));
  EXPECT_THAT(html, Not(HasSubstr("@SCRIPT")));
  EXPECT_THAT(html, Not(HasSubstr("@STYLE")));
}

TEST(Page, PacksResultsThatAreLargeTogether) {
  const std::string json = R"({"text": ")" + std::string(500'000, '<') + "\"}";
  Page page = page_of(json);
  EXPECT_THAT(render(page), HasSubstr(result_tag));
  page.results.push_back(page.results[0]);
  const std::string html = render(page);
  EXPECT_THAT(html, Not(HasSubstr(result_tag)));
  EXPECT_EQ(content_of(html, R"(<script type="application/gzip" class="result">)"),
            base::to_base64(base::as_bytes(base::gzip(json).value())));
}

TEST(LivePage, MayAskItsOwnServer) {
  Page page{"0.1.0", {}, {}, true};
  const std::string html = render(page);
  EXPECT_THAT(html, HasSubstr("default-src 'none'; connect-src 'self'; script-src 'sha256-"));
  EXPECT_EQ(content_of(html, about_tag), R"({"version":"0.1.0","results":[],"live":true})");
}

TEST(LivePage, IsSentWhatAPageCarriesInOneLine) {
  EXPECT_EQ(
      render_event(page_of("{\n \"a\": \"<\"\n}\n")),
      R"({"about":{"version":"0.1.0","results":[{"name":"a.json","verdict":"DONE  all well"}]},)"
      R"("results":[{"a": "\u003c"}]})");
}

}  // namespace
}  // namespace hallmark::pages
