#include "captures/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hallmark::captures {
namespace {

using protocol::FieldValue;

constexpr std::size_t most_passed_shown = 64;

bool decides_what_follows(const protocol::Field& field) {
  using namespace protocol::kinds;
  return field.is<Opcode, Status, Size, Count>();
}

bool is_unlisted(const FieldValue& value) {
  const auto* const choice = value.field->as<protocol::kinds::ChoiceOf>();
  return choice != nullptr && protocol::find_choice(choice->choices, value.number) == nullptr;
}

bool overlap(const FieldValue& value, const Stretch& hole) {
  return hole.offset < std::uint64_t{value.offset} + value.length &&
         value.offset < hole.offset + hole.length;
}

void append_up_to(Bytes& kept, ByteView bytes, std::size_t most) {
  const std::size_t room = most - std::min(most, kept.size());
  const ByteView first = bytes.first(std::min(bytes.size(), room));
  kept.insert(kept.end(), first.begin(), first.end());
}

}  // namespace

bool Reader::take_in(const Chunk& chunk) {
  if (lost_) {
    skip(chunk.bytes, inbox_.end(), chunk.stamp.at);
    inbox_.skip(chunk.bytes.size() + chunk.missing);
    return true;
  }
  if (chunk.missing == 0) {
    inbox_.append(chunk.bytes, chunk.stamp);
    return true;
  }
  if (!reading() || chunk.missing > longest_hole) return false;
  inbox_.append_hole(static_cast<std::size_t>(chunk.missing), chunk.stamp);
  return true;
}

bool Reader::hides_structure() const {
  const std::vector<Stretch> holes = inbox_.holes(decoder_->size());
  return std::ranges::any_of(decoder_->fields(), [&](const FieldValue& value) {
    return decides_what_follows(*value.field) &&
           std::ranges::any_of(holes, [&](const Stretch& hole) { return overlap(value, hole); });
  });
}

Message Reader::take(std::vector<Finding>& remarks, std::uint64_t number) {
  remark_holes(remarks);
  remark_unlisted(remarks);
  for (Finding& remark : remarks) remark.number = number;
  const std::size_t size = decoder_->size();
  const std::uint64_t offset = inbox_.begin();
  const std::optional<Time> at = inbox_.time_of_byte(size - 1);
  Message message{decoder_->layout(), inbox_.take(size), offset, at};
  decoder_.reset();
  return message;
}

void Reader::remark_holes(std::vector<Finding>& remarks) const {
  for (const Stretch& hole : inbox_.holes(decoder_->size())) {
    remarks.push_back({FindingKind::missing,
                       side_,
                       {inbox_.begin() + hole.offset, hole.length},
                       fmt::format("bytes {} to {} of this message are not in the capture; zeros "
                                   "stand for them",
                                   hole.offset, hole.offset + hole.length - 1)});
  }
}

/// The first, and how many more: a message under a wrong width may be full of them.
void Reader::remark_unlisted(std::vector<Finding>& remarks) const {
  const FieldValue* first = nullptr;
  std::size_t more = 0;
  for (const FieldValue& value : decoder_->fields()) {
    if (!is_unlisted(value)) continue;
    if (first != nullptr) ++more;
    if (first == nullptr) first = &value;
  }
  if (first == nullptr) return;
  std::string reason =
      fmt::format("{} is {:02x}, which is not listed", first->field->name, first->number);
  if (more > 0) reason += fmt::format("; {} more such values", more);
  remarks.push_back({FindingKind::unlisted,
                     side_,
                     {inbox_.begin() + first->offset, first->length},
                     std::move(reason)});
}

Finding Reader::finding(FindingKind kind, std::string reason) const {
  Finding finding{kind, side_, {inbox_.begin(), inbox_.size()}, std::move(reason)};
  append_up_to(finding.bytes, inbox_.bytes(), most_shown);
  if (!inbox_.empty()) finding.at = inbox_.time_of_byte(0);
  if (decoder_) finding.layout = decoder_->layout();
  return finding;
}

void Reader::lose() {
  if (!inbox_.empty()) inbox_.take(inbox_.size());
  decoder_.reset();
  lost_ = true;
}

void Reader::pass(std::size_t length) {
  const std::uint64_t offset = inbox_.begin();
  const std::optional<Time> at = inbox_.time_of_byte(0);
  skip(inbox_.take(length), offset, at);
}

void Reader::find() {
  if (!inbox_.empty()) inbox_.take(inbox_.size());
  decoder_.reset();
  lost_ = false;
}

void Reader::skip(ByteView bytes, std::uint64_t offset, std::optional<Time> at) {
  if (bytes.empty()) return;
  if (!passed_) {
    passed_ = Finding{FindingKind::undecoded, side_, {offset, 0}, {}};
    passed_->at = at;
  }
  passed_->where.length = offset + bytes.size() - passed_->where.offset;
  append_up_to(passed_->bytes, bytes, most_passed_shown);
}

std::optional<Finding> Reader::passed() { return std::exchange(passed_, std::nullopt); }

}  // namespace hallmark::captures
