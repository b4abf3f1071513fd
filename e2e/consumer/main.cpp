#include <iostream>

#include "loadgen/histogram/histogram.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/json.hpp"

int main(int, char** argv) {
  const auto& dialect = hallmark::protocol::throttr_7_1;
  const auto files =
      hallmark::vectors::load_directory(argv[1], dialect.name, hallmark::protocol::Width::u16);
  if (files.has_error()) return 1;
  hallmark::loadgen::Histogram histogram;
  for (const auto& file : *files) histogram.record(file.vectors.size());
  std::cout << dialect.name << ": " << histogram.count() << " operations\n";
}
