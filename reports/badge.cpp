#include "reports/badge.hpp"

#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "reports/certify/run_verdict.hpp"

namespace hallmark::reports {
namespace {

constexpr int height = 20;
constexpr int letter = 7;  // of Verdana at 11 px, about; textLength makes it exact
constexpr int margin = 6;

struct Message {
  std::string text;
  const char* colour;
};

Message message_of(const CertifyResult& result) {
  const VerdictCounts counts = count_verdicts(result);
  switch (exit_code(result)) {
    case ExitCode::as_expected: {
      const std::string known =
          counts.known == 0 ? "" : fmt::format(", {} known to fail", counts.known);
      const std::string exceptions = exceptions_in_words(result);
      const std::string without = exceptions.empty() ? "" : " without " + exceptions;
      return {fmt::format("certified{}, {} cases{}", without, counts.pass, known),
              exceptions.empty() ? "#2e7d32" : "#b26a00"};
    }
    case ExitCode::failures:
      return {result.findings.empty()
                  ? fmt::format("{} failed", counts.fail + counts.unstable)
                  : base::counted(result.findings.size(), "finding", "findings"),
              "#c62828"};
    default: return {"undecided", "#9e9e9e"};
  }
}

int width_of(const std::string& text) {
  return static_cast<int>(base::display_width(text)) * letter + 2 * margin;
}

void add_text(pugi::xml_node parent, const std::string& text, int at, int width) {
  auto node = parent.append_child("text");
  node.append_attribute("x").set_value(at + margin);
  node.append_attribute("y").set_value(14);
  node.append_attribute("textLength").set_value(width - 2 * margin);
  node.text().set(text.c_str());
}

void add_box(pugi::xml_node parent, int at, int width, const char* colour) {
  auto node = parent.append_child("rect");
  node.append_attribute("x").set_value(at);
  node.append_attribute("width").set_value(width);
  node.append_attribute("height").set_value(height);
  node.append_attribute("fill").set_value(colour);
}

}  // namespace

std::string render_badge(const CertifyResult& result) {
  const std::string label = base::printable(subject_of(result.header));
  const Message message = message_of(result);
  const int left = width_of(label);
  const int right = width_of(message.text);
  pugi::xml_document document;
  auto svg = document.append_child("svg");
  svg.append_attribute("xmlns").set_value("http://www.w3.org/2000/svg");
  svg.append_attribute("width").set_value(left + right);
  svg.append_attribute("height").set_value(height);
  svg.append_attribute("role").set_value("img");
  svg.append_child("title").text().set(fmt::format("{}: {}", label, message.text).c_str());
  add_box(svg, 0, left, "#455a64");
  add_box(svg, left, right, message.colour);
  auto texts = svg.append_child("g");
  texts.append_attribute("fill").set_value("#fff");
  texts.append_attribute("font-family").set_value("Verdana,DejaVu Sans,sans-serif");
  texts.append_attribute("font-size").set_value(11);
  add_text(texts, label, 0, left);
  add_text(texts, message.text, left, right);
  std::ostringstream out;
  document.save(out, "", pugi::format_raw | pugi::format_no_declaration);
  return out.str() + "\n";
}

}  // namespace hallmark::reports
