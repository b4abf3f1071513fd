#include <gmock/gmock.h>

#include <regex>
#include <set>
#include <sstream>

#include "base/json.hpp"
#include "base/read_file.hpp"
#include "cli/metrics/load_metrics.hpp"
#include "cmake/places/places.hpp"

namespace hallmark::cli {
namespace {

using DashboardNames = std::set<std::string>;

/// The metrics of a run with all labels that it can have.
std::string exported_metrics() {
  LoadMetrics metrics({.target = "t", .dialect = "d", .run = "r", .rank = 0});
  metrics.add(std::vector<std::string>{"query"}, loadgen::Tally(1));
  return metrics.text();
}

DashboardNames names_in(const std::string& text, const std::regex& pattern, std::size_t group = 0) {
  DashboardNames names;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
    names.insert(at->str(group));
  return names;
}

/// Every text of the dashboard that is an expression, one a line.
std::string dashboard_expressions(const base::Json& dashboard) {
  std::string all;
  for (const base::Json& panel : dashboard["panels"].items())
    for (const base::Json& target : panel["targets"].items()) all += target["expr"].string() + '\n';
  for (const base::Json& variable : dashboard["templating"]["list"].items())
    if (const base::Json* query = variable["query"].find("query")) all += query->string() + '\n';
  return all;
}

class Dashboard : public testing::Test {
 protected:
  const std::string text_ =
      base::read_file(places::source("grafana/hallmark-load.json"), base::mebibyte, "a dashboard")
          .value();
  const std::string expressions_ = dashboard_expressions(base::parse_json(text_).value());
  const std::string metrics_ = exported_metrics();
  const std::regex metric_{"hallmark_[a-z_]+"};
};

TEST_F(Dashboard, AsksForMetricsThatThereAre) {
  const DashboardNames there = names_in(metrics_, std::regex("(^|\n)(hallmark_[a-z_]+)\\{"), 2);
  for (const std::string& asked : names_in(expressions_, metric_))
    EXPECT_TRUE(there.contains(asked)) << asked;
}

TEST_F(Dashboard, ShowsAllMetrics) {
  const DashboardNames asked = names_in(expressions_, metric_);
  for (const std::string& there : names_in(metrics_, std::regex("(^|\n)(hallmark_[a-z_]+)\\{"), 2))
    EXPECT_TRUE(asked.contains(there)) << there;
}

TEST_F(Dashboard, AsksForLabelsAndOutcomesThatThereAre) {
  const DashboardNames there = names_in(metrics_, std::regex("([a-z_]+)=\""), 1);
  DashboardNames asked = names_in(expressions_, std::regex("([a-z_]+)!?=~?\""), 1);
  for (const std::string& list : names_in(expressions_, std::regex("by \\(([a-z_, ]+)\\)"), 1))
    asked.merge(names_in(list, std::regex("[a-z_]+")));
  EXPECT_FALSE(asked.empty());
  for (const std::string& label : asked) EXPECT_TRUE(there.contains(label)) << label;
  for (const std::string& outcome :
       names_in(expressions_, std::regex("outcome!?=\"([a-z_]+)\""), 1))
    EXPECT_THAT(metrics_, testing::HasSubstr("outcome=\"" + outcome + "\""));
}

}  // namespace
}  // namespace hallmark::cli
