#include "audit/migration_log.hpp"

#include "audit/result.hpp"

namespace hallmark::audit {
namespace {

constexpr std::size_t most_not_done_shown = 5;

void shorten(Rewritten& one) {
  for (std::string* const text : {&one.key, &one.before, &one.after_key, &one.after})
    text->resize(std::min(text->size(), longest_shown));
}

}  // namespace

void MigrationLog::rewritten(FormatSet from, Rewritten&& one) {
  if (result_.rewritten[from]++ > 0) return;
  shorten(one);
  result_.examples.push_back(std::move(one));
}

void MigrationLog::merged_part(FormatSet from, Rewritten&& one) {
  ++result_.merged_parts;
  rewritten(from, std::move(one));
}

void MigrationLog::not_done(std::string_view key, std::string_view reason) {
  ++result_.not_done;
  if (result_.not_done_first.size() < most_not_done_shown)
    result_.not_done_first.push_back(
        {std::string(key.substr(0, longest_shown)), std::string(reason)});
}

}  // namespace hallmark::audit
