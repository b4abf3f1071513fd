#include "protocol/codec/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "protocol/little_endian.hpp"
#include "protocol/text/text.hpp"

namespace hallmark::protocol {
namespace {

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
    error_ = {"", at_, fmt::format("{} bytes are left over", message.size() - at_)};
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
    const Field& group = *values_[frame.group_value].field;
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
  switch (field.kind) {
    case Kind::bytes: return decode_bytes(field, size_of(field), message);
    case Kind::opaque:
    case Kind::text: return decode_bytes(field, field.width, message);
    case Kind::group: return enter_group(field);
    case Kind::literal:
    case Kind::tag:
    case Kind::decimal:
    case Kind::word:
    case Kind::line:
    case Kind::signed_decimal:
    case Kind::real:
    case Kind::state: return decode_text(field, base::as_text(message.subspan(at_)));
    default: return decode_number(field, message);
  }
}

bool Decoder::decode_number(const Field& field, base::ByteView message) {
  const std::size_t width = layout_.width_of(field);
  if (!available(field, width, message)) return false;
  const std::uint64_t number = load_little_endian(message.data() + at_, width);
  if (!check_number(field, number, at_)) return false;
  values_.push_back(
      {&field, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(width), number});
  at_ += width;
  return true;
}

bool Decoder::check_number(const Field& field, std::uint64_t number, std::size_t offset) {
  if (field.kind == Kind::opcode && number != layout_.opcode()) {
    return fail(field, offset,
                fmt::format("{:02x} where {:02x} was expected", number, layout_.opcode()));
  }
  if (field.kind == Kind::status) {
    status_ = number;
    if (number > 1) return fail(field, offset, fmt::format("{:02x} is neither 00 nor 01", number));
  }
  if (field.kind == Kind::choice && options_.refuse_unlisted &&
      find_choice(field, number) == nullptr) {
    return fail(field, offset, fmt::format("{:02x} is not listed", number));
  }
  return true;
}

bool Decoder::decode_bytes(const Field& field, std::uint64_t length, base::ByteView message) {
  if (!available(field, length, message)) return false;
  values_.push_back(
      {&field, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(length), length});
  at_ += length;
  return true;
}

bool Decoder::decode_text(const Field& field, std::string_view rest) {
  switch (field.kind) {
    case Kind::tag: {
      const std::size_t digits = text::tag_at_front(rest).size();
      take_text(field, digits, digits);
      if (digits != 0) ++at_;
      return true;
    }
    case Kind::decimal: return decode_decimal(field, rest);
    case Kind::signed_decimal: {
      const auto number = text::signed_at_front(rest);
      if (!number) return fail(field, at_, "is no plain decimal number of 64 bits");
      return take_text(field, number->length, static_cast<std::uint64_t>(number->number));
    }
    case Kind::real: {
      const auto real = text::real_at_front(rest);
      if (!real) return fail(field, at_, "is no plain finite float64");
      return take_text(field, real->length, std::bit_cast<std::uint64_t>(real->number));
    }
    case Kind::state: return decode_state(field, rest);
    case Kind::word: {
      const std::size_t length = text::word_at_front(rest, field.until).size();
      if (length == 0) return fail(field, at_, "is empty");
      return take_text(field, length, length);
    }
    case Kind::line:
      if (!text::is_line(rest)) return fail(field, at_ + rest.find('\n'), "holds a newline");
      return take_text(field, rest.size(), rest.size());
    default:
      if (!rest.starts_with(field.literal))
        return fail(field, at_, fmt::format("\"{}\" was expected", field.literal));
      return take_text(field, field.literal.size(), field.literal.size());
  }
}

bool Decoder::decode_decimal(const Field& field, std::string_view rest) {
  const auto decimal = text::decimal_at_front(rest, field.decimals);
  if (!decimal) {
    return fail(field, at_,
                field.decimals == 0
                    ? std::string("is no unsigned decimal number of 64 bits")
                    : fmt::format("is no unsigned decimal number with {} digit(s) behind a point",
                                  field.decimals));
  }
  if (decimal->number < field.least || decimal->number > field.most) {
    return fail(field, at_,
                fmt::format("{} is not {} to {}", rest.substr(0, decimal->length), field.least,
                            field.most));
  }
  return take_text(field, decimal->length, decimal->number);
}

bool Decoder::decode_state(const Field& field, std::string_view rest) {
  const auto length = text::state_at_front(rest, field.until, field.until_last);
  if (!length) return fail(field, at_, fmt::format("ends nowhere: no '{}' follows", field.until));
  if (*length == 0) return fail(field, at_, "is empty");
  return take_text(field, *length, *length);
}

bool Decoder::take_text(const Field& field, std::size_t length, std::uint64_t number) {
  values_.push_back(
      {&field, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(length), number});
  at_ += length;
  return true;
}

bool Decoder::enter_group(const Field& field) {
  const std::uint64_t records = count_of(field);
  const std::uint64_t least = saturating_multiply(records, fixed_size(field.head));
  if (saturating_add(at_, least) > options_.max_bytes) {
    return fail(field, at_,
                fmt::format("announces {} records, at least {} bytes: more than the limit of {}",
                            records, least, options_.max_bytes));
  }
  needed_ = std::max<std::size_t>(needed_, at_ + least);
  values_.push_back({&field, static_cast<std::uint32_t>(at_), 0, records});
  if (records == 0) return true;
  frames_.push_back({.list = field.head,
                     .scope = values_.size(),
                     .group_value = values_.size() - 1,
                     .records = records,
                     .heads = values_.size(),
                     .per_head = present_fields(field.head),
                     .is_group = true});
  return true;
}

std::uint64_t Decoder::size_of(const Field& field) const {
  for (std::size_t i = frames_.back().scope; i < values_.size(); ++i) {
    if (values_[i].field->kind == Kind::size && values_[i].field->of == field.name)
      return values_[i].number;
  }
  return 0;
}

std::uint64_t Decoder::count_of(const Field& group) const {
  for (std::size_t i = frames_.back().scope; i < values_.size(); ++i) {
    if (values_[i].field->counts(group.name)) return values_[i].number;
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

std::size_t Decoder::fixed_size(std::span<const Field> fields) const {
  std::size_t size = 0;
  for (const Field& field : fields) {
    const bool fixed = field.kind != Kind::bytes && field.kind != Kind::group && !field.textual();
    if (fixed && layout_.present(field)) size += layout_.width_of(field);
  }
  return size;
}

std::size_t Decoder::present_fields(std::span<const Field> fields) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(fields, [&](const Field& field) { return layout_.present(field); }));
}

boost::system::result<Record, Malformed> decode(const Layout& layout, base::ByteView message,
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
    return Malformed{"", decoder.size(),
                     fmt::format("{} bytes are left over", message.size() - decoder.size())};
  }
  return MessageView(decoder, message).record();
}

}  // namespace hallmark::protocol
