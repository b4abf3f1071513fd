#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

/// Results as pages for people: one file of HTML each, which asks nobody for anything.
namespace hallmark::pages {

/// One result on a page.
struct PageResult {
  std::string name;     ///< for people, such as the file that it was read from
  std::string verdict;  ///< the last line of the report for terminals
  std::string json;     ///< the output of --json
  std::string note;     ///< one line: how this differs from what --json writes; empty: not at all
};

/// A page of several results has a section for each.
struct Page {
  std::string version;  ///< of Hallmark
  std::vector<PageResult> results;
  /// Members that the page's program knows: `clauses`, `readings`, `command`, `environment`.
  base::Json::Members facts;
  /// The page is served while its run lasts: it asks its server for `events`.
  bool live = false;
};

/// Renders the page. The results stand in it without indentation, and `<`, `>` and `&` in them are
/// written as \u003c, \u003e and \u0026: so no text of a target can end the element that holds it.
/// Results of more than 900 kB together are packed: gzip, in base64.
std::string render(const Page& page);

/// An update for a page that is open: everything that the page would carry, as JSON in one line
/// with the members `about` and `results`.
std::string render_event(const Page& page);

}  // namespace hallmark::pages
