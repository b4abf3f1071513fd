#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The files that the program carries: golden vectors, JSON schemas and the scripts of completion.
namespace hallmark::embedded {

/// The paths of the files in a folder, not of those in its subfolders, in alphabetical order;
/// `folder` has no slash at its end, such as "throttr-7.3/literal". Empty if the program carries
/// none.
std::vector<std::string> files_in(std::string_view folder);

/// The text of a file, which lives as long as the program; nothing if the program does not carry
/// it.
std::optional<std::string_view> text_of(std::string_view path);

}  // namespace hallmark::embedded
