#include "audit/listing.hpp"

#include "audit/result.hpp"
#include "base/bytes.hpp"
#include "base/hex.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

namespace hallmark::audit {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 16;

}  // namespace

std::string json_line(std::string_view key, std::string_view text, const Finding& finding) {
  const std::string shown = base::printable(key);
  base::Json json = {{"kind", name_of(finding.kind)}, {"key", shown}};
  if (shown != key) json["key_hex"] = base::to_hex(base::as_bytes(key));
  json["field"] = finding.field;
  json["offset"] = finding.offset;
  json["length"] = finding.length;
  json["reason"] = base::printable(explanation(finding));
  const Excerpt excerpt = excerpt_of(text, finding);
  json["value"] = base::printable(excerpt.text);
  json["value_begin"] = excerpt.begin;
  return json.dump() + '\n';
}

base::Result<Listing> Listing::create(const std::filesystem::path& path) {
  auto file = base::OutputFile::create(path);
  if (!file) return file.error();
  return Listing(*std::move(file));
}

void Listing::add(std::string_view key, std::string_view text, const Finding& finding) {
  if (!state_) return;
  buffer_ += json_line(key, text, finding);
  if (buffer_.size() >= buffer_size) flush();
}

void Listing::flush() {
  state_ = file_.write(buffer_);
  buffer_.clear();
}

base::Result<void> Listing::commit() {
  if (state_) flush();
  if (!state_) return state_;
  return file_.commit();
}

}  // namespace hallmark::audit
