#include "protocol/codec/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/text.hpp"
#include "protocol/by_kind.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/text/text.hpp"

namespace hallmark::protocol {
namespace {

constexpr std::string_view no_decimal = "is no unsigned decimal number of 64 bits";

std::string left_over(std::size_t bytes) {
  return base::counted(bytes, "byte is", "bytes are") + " left over";
}

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > most - b ? most : a + b;
}

std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > most / b ? most : a * b;
}

}  // namespace

Decoder::Decoder(const Layout& layout, DecodeOptions options) : layout_(layout), options_(options) {
  // Offsets are kept in 32 bits.
  options_.max_bytes =
      std::min<std::size_t>(options_.max_bytes, std::numeric_limits<std::uint32_t>::max());
  frames_.push_back({.list = layout_.message().fields});
}

Decoder::State Decoder::resume(base::ByteView message) {
  while (state_ == State::need_more && step(message)) {
    if (frames_.empty()) state_ = State::complete;
  }
  if (layout_.ends_with_bytes()) require_end(message);
  return state_;
}

/// No more bytes will come, and none may be left over.
void Decoder::require_end(base::ByteView message) {
  if (state_ == State::complete && at_ < message.size()) {
    state_ = State::malformed;
    error_ = {"", at_, left_over(message.size() - at_)};
  } else if (state_ == State::need_more) {
    state_ = State::malformed;
    error_ = {std::string(frames_.back().list[frames_.back().next].name), at_, "is missing"};
  }
}

/// Takes one field or ends one list. False when more bytes are needed or the message is malformed.
bool Decoder::step(base::ByteView message) {
  Frame& frame = frames_.back();
  if (frame.next == frame.list.size()) return end_of_list();
  const Field& field = frame.list[frame.next];
  if (!layout_.present(field)) {
    ++frame.next;
    return true;
  }
  // A group pushes a frame of its own: its position moves on first.
  ++frame.next;
  if (decode_field(field, message)) return true;
  --frames_.back().next;
  return false;
}

bool Decoder::end_of_list() {
  Frame& frame = frames_.back();
  if (frame.is_group && next_record(frame)) return true;
  if (frame.is_group) leave_group(frame);
  frames_.pop_back();
  if (frames_.empty() && !success_entered_) {
    success_entered_ = true;
    if (status_ != 0) frames_.push_back({.list = layout_.message().on_success});
  }
  return true;
}

bool Decoder::next_record(Frame& frame) {
  const bool heads_over = !frame.in_tail && frame.record + 1 == frame.records;
  if (heads_over && !frame.list.empty()) {
    const auto& group = values_[frame.group_value].field->get<kinds::Group>();
    if (group.tail.empty()) return false;
    frame.in_tail = true;
    frame.list = group.tail;
    frame.record = 0;
  } else if (frame.record + 1 == frame.records) {
    return false;
  } else {
    ++frame.record;
  }
  frame.next = 0;
  frame.scope = frame.in_tail ? frame.heads + frame.record * frame.per_head : values_.size();
  return true;
}

void Decoder::leave_group(const Frame& frame) {
  FieldValue& group = values_[frame.group_value];
  group.length = static_cast<std::uint32_t>(at_ - group.offset);
}

bool Decoder::decode_field(const Field& field, base::ByteView message) {
  return by_kind(field.kind, [&](const auto& kind) { return decode(field, kind, message); });
}

bool Decoder::decode(const Field& field, const kinds::Number auto& kind, base::ByteView message) {
  const std::size_t width = kinds::width_in(kind.width, layout_.width());
  if (!available(field, width, message)) return false;
  const std::uint64_t number = load_little_endian(message.data() + at_, width);
  return accepts(field, kind, number) && take(field, width, number);
}

bool Decoder::accepts(const Field& field, const kinds::Opcode& /*kind*/, std::uint64_t number) {
  if (number == layout_.opcode()) return true;
  return fail(field, at_,
              fmt::format("{:02x} where {:02x} was expected", number, layout_.opcode()));
}

bool Decoder::accepts(const Field& field, const kinds::Status& /*kind*/, std::uint64_t number) {
  status_ = number;
  if (number <= kinds::Status::success) return true;
  return fail_unlisted(field, fmt::format("{:02x} is neither 00 nor 01", number));
}

bool Decoder::accepts(const Field& field, const kinds::ChoiceOf& kind, std::uint64_t number) {
  if (!options_.refuse_unlisted || find_choice(kind.choices, number) != nullptr) return true;
  return fail_unlisted(field, fmt::format("{:02x} is not listed", number));
}

template <among<kinds::Integer, kinds::Size, kinds::Count> Kind>
bool Decoder::accepts(const Field& /*field*/, const Kind& /*kind*/, std::uint64_t /*number*/) {
  return true;
}

bool Decoder::decode(const Field& field, const kinds::Bytes& /*kind*/, base::ByteView message) {
  return decode_bytes(field, measure_of(field), message);
}

bool Decoder::decode(const Field& field, const kinds::FixedBytes auto& kind,
                     base::ByteView message) {
  return decode_bytes(field, kind.width, message);
}

bool Decoder::decode_bytes(const Field& field, std::uint64_t length, base::ByteView message) {
  return available(field, length, message) && take(field, length, length);
}

bool Decoder::decode(const Field& field, const kinds::Group& kind, base::ByteView /*message*/) {
  const std::uint64_t records = measure_of(field);
  const std::uint64_t least = saturating_multiply(records, layout_.fixed_size(kind.head));
  if (saturating_add(at_, least) > options_.max_bytes) {
    return fail(field, at_,
                fmt::format("announces {} records, at least {} bytes: more than the limit of {}",
                            records, least, options_.max_bytes));
  }
  needed_ = std::max<std::size_t>(needed_, at_ + least);
  take(field, 0, records);
  if (records == 0) return true;
  frames_.push_back({.list = kind.head,
                     .scope = values_.size(),
                     .group_value = values_.size() - 1,
                     .records = records,
                     .heads = values_.size(),
                     .per_head = present_fields(kind.head),
                     .is_group = true});
  return true;
}

bool Decoder::decode(const Field& field, const kinds::Textual auto& kind, base::ByteView message) {
  return decode_text(field, kind, base::as_text(message.subspan(at_)));
}

bool Decoder::decode_text(const Field& field, const kinds::Literal& kind, std::string_view rest) {
  if (!rest.starts_with(kind.spelling))
    return fail(field, at_, fmt::format("\"{}\" was expected", kind.spelling));
  return take(field, kind.spelling.size(), kind.spelling.size());
}

bool Decoder::decode_text(const Field& field, const kinds::Tag& /*kind*/, std::string_view rest) {
  const std::size_t digits = text::tag_at_front(rest).size();
  take(field, digits, digits);
  if (digits != 0) ++at_;
  return true;
}

bool Decoder::decode_text(const Field& field, const kinds::Decimal& kind, std::string_view rest) {
  if (const auto decimal = text::decimal_at_front(rest, kind.decimals))
    return take(field, decimal->length, decimal->number);
  return fail(
      field, at_,
      kind.decimals == 0
          ? std::string(no_decimal)
          : fmt::format("is not an unsigned number with {} behind a point",
                        kind.decimals == 1 ? "1 digit" : fmt::format("{} digits", kind.decimals)));
}

bool Decoder::decode_text(const Field& field, const kinds::DecimalCount& kind,
                          std::string_view rest) {
  const auto decimal = text::decimal_at_front(rest, 0);
  if (!decimal) return fail(field, at_, std::string(no_decimal));
  if (decimal->number < kind.least || decimal->number > kind.most) {
    return fail(
        field, at_,
        fmt::format("{} is not {} to {}", rest.substr(0, decimal->length), kind.least, kind.most));
  }
  return take(field, decimal->length, decimal->number);
}

bool Decoder::decode_text(const Field& field, const kinds::Word& kind, std::string_view rest) {
  const std::size_t length = text::word_at_front(rest, kind.until).size();
  if (length == 0) return fail(field, at_, "is empty");
  return take(field, length, length);
}

bool Decoder::decode_text(const Field& field, const kinds::Line& /*kind*/, std::string_view rest) {
  if (!text::is_line(rest)) return fail(field, at_ + rest.find('\n'), "holds a newline");
  return take(field, rest.size(), rest.size());
}

bool Decoder::decode_text(const Field& field, const kinds::SignedDecimal& /*kind*/,
                          std::string_view rest) {
  const auto number = text::signed_at_front(rest);
  if (!number) return fail(field, at_, "is no plain decimal number of 64 bits");
  return take(field, number->length, static_cast<std::uint64_t>(number->number));
}

bool Decoder::decode_text(const Field& field, const kinds::Real& /*kind*/, std::string_view rest) {
  const auto real = text::real_at_front(rest);
  if (!real) return fail(field, at_, "is no plain finite float64");
  return take(field, real->length, std::bit_cast<std::uint64_t>(real->number));
}

bool Decoder::decode_text(const Field& field, const kinds::State& kind, std::string_view rest) {
  const auto length = text::state_at_front(rest, kind.until, kind.until_last);
  if (!length) return fail(field, at_, fmt::format("ends nowhere: no '{}' follows", kind.until));
  if (*length == 0) return fail(field, at_, "is empty");
  return take(field, *length, *length);
}

bool Decoder::take(const Field& field, std::size_t length, std::uint64_t number) {
  values_.push_back(
      {&field, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(length), number});
  at_ += length;
  return true;
}

/// The length of a field of bytes, or the number of records of a group.
std::uint64_t Decoder::measure_of(const Field& field) const {
  for (std::size_t i = frames_.back().scope; i < values_.size(); ++i) {
    if (values_[i].field->measured() == field.name) return values_[i].number;
  }
  return 0;
}

bool Decoder::available(const Field& field, std::uint64_t length, base::ByteView message) {
  const std::uint64_t end = saturating_add(at_, length);
  if (end > options_.max_bytes) {
    return fail(
        field, at_,
        fmt::format("announces {} bytes: more than the limit of {}", length, options_.max_bytes));
  }
  if (end <= message.size()) return true;
  needed_ = std::max<std::size_t>(needed_, end);
  return false;
}

bool Decoder::fail(const Field& field, std::size_t offset, std::string reason) {
  state_ = State::malformed;
  error_ = {std::string(field.name), offset, std::move(reason)};
  return false;
}

bool Decoder::fail_unlisted(const Field& field, std::string reason) {
  fail(field, at_, std::move(reason));
  error_.unlisted = true;
  return false;
}

std::size_t Decoder::present_fields(std::span<const Field> fields) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(fields, [&](const Field& field) { return layout_.present(field); }));
}

base::Expected<Record, Malformed> decode(const Layout& layout, base::ByteView message,
                                         DecodeOptions options) {
  Decoder decoder(layout, options);
  switch (decoder.resume(message)) {
    case Decoder::State::malformed: return decoder.error();
    case Decoder::State::need_more:
      return Malformed{
          "", message.size(),
          fmt::format("ends after {} of at least {} bytes", message.size(), decoder.needed())};
    case Decoder::State::complete: break;
  }
  if (decoder.size() != message.size()) {
    return Malformed{"", decoder.size(), left_over(message.size() - decoder.size())};
  }
  return MessageView(decoder, message).record();
}

}  // namespace hallmark::protocol
