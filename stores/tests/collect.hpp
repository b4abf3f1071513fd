#pragma once
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "stores/store.hpp"

namespace hallmark::stores {

/// An entry that outlives its batch.
struct Kept {
  EntryKind kind = EntryKind::text;
  std::string key{};
  std::string value{};
  ExpiresIn expires_in{};
  Entry::Line line{};
};

/// Reads a store to its end; fails the test on an error.
std::vector<Kept> collect(const Address& address, const ScanOptions& options = {},
                          const Access& access = {});

/// The values of the entries that are text, by key.
std::map<std::string, std::string> texts_of(const std::vector<Kept>& entries);

/// The error of something that failed, or one that says that it did not.
template <class Answer>
Error error_of(const Result<Answer>& result) {
  return result ? Error{ErrorKind::usage, "it did not fail"} : result.error();
}

}  // namespace hallmark::stores
