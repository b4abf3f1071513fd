#pragma once
#include <filesystem>
#include <memory>
#include <string_view>

#include "stores/store.hpp"

namespace hallmark::stores {

/// A file of states, rewritten whole: what is not replaced or dropped stays byte for byte. Nothing
/// of it is seen until `commit`, and without it the file stays as it is. Entries are those of a
/// scanner of the same file, and have to come in its order, each once.
class FileEdit {
 public:
  /// Errors: missing, denied, failed.
  static Result<FileEdit> open(const std::filesystem::path& path);

  FileEdit(FileEdit&&) noexcept;
  FileEdit& operator=(FileEdit&&) noexcept;
  ~FileEdit();  ///< leaves the file as it is, unless committed

  /// `state` has neither a line feed nor a carriage return.
  Result<void> replace(const Entry& entry, std::string_view state);
  Result<void> drop(const Entry& entry);
  /// A line `key TAB state` after all others, which ends as the last one does; with an empty key
  /// only the state.
  Result<void> append(std::string_view key, std::string_view state);

  /// Called once, and last. Error (failed): the file was changed by others since `open`, or cannot
  /// be written; then it stays as it is.
  Result<void> commit();

 private:
  class Impl;
  explicit FileEdit(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hallmark::stores
