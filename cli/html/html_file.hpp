#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/html/page_size.hpp"
#include "pages/page.hpp"
#include "reports/certify/comparison.hpp"
#include "reports/load/load_result.hpp"
#include "reports/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::cli {

/// The origin of a page's results.
enum class Origin {
  this_run,  ///< the page says by which command, and on what machine
  files,     ///< the machine and the command are not known
};

/// The style of a report whose last line a page shows. No terminal is so wide, so nothing is cut.
inline constexpr reports::TerminalStyle uncut{.width = 1'000'000};

/// The results that `--html` writes as one page.
class HtmlFile {
 public:
  /// `results`: that will be added; they share the size of the page.
  explicit HtmlFile(Origin origin, std::size_t results = 1) : origin_(origin), results_(results) {}

  /// `name`: such as the file that the result was read from. `verdict`: the last line of the text
  /// is shown as the verdict.
  void add(std::string name, std::string_view terminal_text, std::string json,
           std::string note = {});
  void add(const std::string& name, const reports::CertifyResult& result,
           std::string_view terminal_text);
  void add(const std::string& name, const reports::CertifyResult& result);
  void add(const std::string& name, const reports::LoadResult& result);

  /// The page shows what has changed since the result that `baseline` names.
  void add_changes(const reports::Comparison& comparison, std::string_view baseline);
  /// The page has the clauses and readings of that dialect, if there is one of that name.
  void add_dialect(std::string_view name);
  /// A member that the page's program knows.
  void add_fact(std::string name, base::Json value);

  /// The page with all that was added; nothing can be added afterwards.
  const pages::Page& whole();
  /// Writes the page; an empty path is none. Returns false if that failed, after a complaint.
  bool write_or_complain(std::string_view command, const std::string& path);

 private:
  Origin origin_;
  std::size_t results_;
  pages::Page page_;
  std::size_t evidence_left_ = most_evidence_bytes;
  base::Json::Items clauses_, readings_;
};

}  // namespace hallmark::cli
