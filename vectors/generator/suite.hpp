#pragma once

#include <deque>

#include "vectors/generator/scenario.hpp"

namespace hallmark::vectors::generator {

/// The scenarios of one dialect and width while they are written.
class Suite {
 public:
  Suite(const protocol::Dialect& dialect, protocol::Width width, const protocol::Readings& readings)
      : dialect_(dialect), width_(width), readings_(readings) {}

  Scenario& add(std::string_view operation, std::string_view name, std::string_view title) {
    return scenarios_.emplace_back(dialect_, width_, readings_, operation, name, title);
  }

  std::uint64_t max() const { return protocol::max_of_width(protocol::bytes_of(width_)); }
  protocol::Width width() const { return width_; }
  const protocol::Dialect& dialect() const { return dialect_; }
  std::deque<Scenario>& scenarios() { return scenarios_; }

 private:
  const protocol::Dialect& dialect_;
  protocol::Width width_;
  const protocol::Readings& readings_;
  std::deque<Scenario> scenarios_;
};

// Expected replies are written here by hand, from the document, one file a group of operations.
void add_counter_scenarios(Suite& suite);
void add_update_scenarios(Suite& suite);
void add_buffer_scenarios(Suite& suite);
void add_listing_scenarios(Suite& suite);
void add_metric_scenarios(Suite& suite);
void add_channel_scenarios(Suite& suite);
void add_connection_scenarios(Suite& suite);

/// Names and binary contents that every operation with a key or channel is tried with.
struct NameSize {
  std::string_view id;
  std::string_view title;
  Bytes bytes;
  std::string_view flag;
};
const std::vector<NameSize>& name_sizes();

}  // namespace hallmark::vectors::generator
