#pragma once

#include <functional>
#include <limits>
#include <stdexcept>

#include "base/expected.hpp"
#include "protocol/codec/layout.hpp"
#include "protocol/record.hpp"

namespace hallmark::protocol {

/// One field of a decoded message. Of a group: where its records start and how many there are.
struct FieldValue {
  const Field* field;
  std::uint32_t offset;  ///< from the first byte of the message
  std::uint32_t length;  ///< in bytes; of a group: of all its records
  std::uint64_t number;  ///< value of a number; records of a group; length of anything else

  /// A tag that was not sent.
  bool absent() const { return length == 0 && field->is<kinds::Tag>(); }
};

/// The place where bytes are not the message that they were taken for, and the reason.
struct Malformed {
  std::string field;
  std::size_t offset = 0;
  std::string reason;
  bool unlisted = false;  ///< the field is there, and its value is none of its list
};

[[noreturn]] inline void throw_error(const Malformed& error) {
  throw std::logic_error(error.field + " " + error.reason);
}

struct DecodeOptions {
  /// A message that is larger, or says that it will be, is malformed.
  std::size_t max_bytes = std::size_t{16} << 20;
  /// True if a number that is not among the choices of its field makes a message malformed.
  bool refuse_unlisted = true;
};

/// Decodes one message as its bytes arrive; one that ends with its bytes (Layout) from all of them.
/// The caller keeps all bytes from the message's first and shows them again, with more behind them,
/// at each call; no byte is looked at twice and no memory is taken for what a length merely claims.
class Decoder {
 public:
  enum class State : std::uint8_t { need_more, complete, malformed };

  explicit Decoder(const Layout& layout, DecodeOptions options = {});

  /// `message` starts at the first byte of the message and may reach beyond its end.
  State resume(base::ByteView message);

  State state() const { return state_; }
  /// Bytes of the message looked at so far; when complete, its size.
  std::size_t size() const { return at_; }
  /// When more is needed: the message has at least this many bytes.
  std::size_t needed() const { return needed_; }
  /// The values in wire order; a group comes before its records.
  const std::vector<FieldValue>& fields() const { return values_; }
  const Malformed& error() const { return error_; }
  const Layout& layout() const { return layout_; }

 private:
  struct Frame {
    std::span<const Field> list;
    std::size_t next = 0;         ///< position in `list`
    std::size_t scope = 0;        ///< first value of the record that sizes are looked up in
    std::size_t group_value = 0;  ///< position of the group's own value; for groups only
    std::uint64_t record = 0;
    std::uint64_t records = 0;
    std::size_t heads = 0;  ///< position of the first head's first value
    std::size_t per_head = 0;
    bool is_group = false;
    bool in_tail = false;
  };

  bool step(base::ByteView message);
  bool end_of_list();
  bool next_record(Frame& frame);
  void leave_group(const Frame& frame);
  bool decode_field(const Field& field, base::ByteView message);
  bool decode(const Field& field, const kinds::Number auto& kind, base::ByteView message);
  bool decode(const Field& field, const kinds::Bytes& kind, base::ByteView message);
  bool decode(const Field& field, const kinds::FixedBytes auto& kind, base::ByteView message);
  bool decode(const Field& field, const kinds::Group& kind, base::ByteView message);
  bool decode(const Field& field, const kinds::Textual auto& kind, base::ByteView message);
  bool decode_text(const Field& field, const kinds::Literal& kind, std::string_view rest);
  bool decode_text(const Field& field, const kinds::Tag& kind, std::string_view rest);
  bool decode_text(const Field& field, const kinds::Decimal& kind, std::string_view rest);
  bool decode_text(const Field& field, const kinds::DecimalCount& kind, std::string_view rest);
  bool decode_text(const Field& field, const kinds::Word& kind, std::string_view rest);
  bool decode_text(const Field& field, const kinds::Line& kind, std::string_view rest);
  bool decode_text(const Field& field, const kinds::SignedDecimal& kind, std::string_view rest);
  bool decode_text(const Field& field, const kinds::Real& kind, std::string_view rest);
  bool decode_text(const Field& field, const kinds::State& kind, std::string_view rest);
  bool accepts(const Field& field, const kinds::Opcode& kind, std::uint64_t number);
  bool accepts(const Field& field, const kinds::Status& kind, std::uint64_t number);
  bool accepts(const Field& field, const kinds::ChoiceOf& kind, std::uint64_t number);
  template <among<kinds::Integer, kinds::Size, kinds::Count> Kind>
  bool accepts(const Field& field, const Kind& kind, std::uint64_t number);
  bool decode_bytes(const Field& field, std::uint64_t length, base::ByteView message);
  bool take(const Field& field, std::size_t length, std::uint64_t number);
  void require_end(base::ByteView message);
  std::uint64_t measure_of(const Field& field) const;
  bool available(const Field& field, std::uint64_t length, base::ByteView message);
  bool fail(const Field& field, std::size_t offset, std::string reason);
  bool fail_unlisted(const Field& field, std::string reason);
  std::size_t present_fields(std::span<const Field> fields) const;

  Layout layout_;
  DecodeOptions options_;
  State state_ = State::need_more;
  std::size_t at_ = 0;
  std::size_t needed_ = 1;
  std::uint64_t status_ = 1;
  bool success_entered_ = false;
  std::vector<Frame> frames_;
  std::vector<FieldValue> values_;
  Malformed error_;
};

/// A complete message: its fields and the bytes they refer to. Both must outlive it.
class MessageView {
 public:
  MessageView(const Decoder& decoder, base::ByteView message)
      : layout_(&decoder.layout()),
        fields_(decoder.fields()),
        bytes_(message.first(decoder.size())) {}

  const Layout& layout() const { return *layout_; }
  std::span<const FieldValue> fields() const { return fields_; }
  base::ByteView bytes() const { return bytes_; }

  /// The first field of that name outside of groups; null when it is not there.
  const FieldValue* find(FieldName name) const;
  /// The number of that field. Throws std::logic_error, which says what the message has, where it
  /// lacks the field.
  std::uint64_t number(FieldName name) const;
  /// The number of that field; `absent` where the message lacks the field.
  std::uint64_t number_or(FieldName name, std::uint64_t absent) const;
  /// The bytes of that field; empty where the message lacks the field.
  base::ByteView bytes_of(FieldName name) const;
  base::ByteView bytes_of(const FieldValue& value) const {
    return bytes_.subspan(value.offset, value.length);
  }

  /// The values of the message as `encode` takes them.
  Record record() const;

  /// A record of a group whose records hold no groups.
  class Entry {
   public:
    Entry(const MessageView& message, std::span<const FieldValue> head,
          std::span<const FieldValue> tail)
        : message_(message), head_(head), tail_(tail) {}
    // The same functions as those of the message.
    const FieldValue* find(FieldName name) const;
    std::uint64_t number(FieldName name) const;
    std::uint64_t number_or(FieldName name, std::uint64_t absent) const;
    base::ByteView bytes_of(FieldName name) const;
    std::span<const FieldValue> head() const { return head_; }
    std::span<const FieldValue> tail() const { return tail_; }

   private:
    const MessageView& message_;
    std::span<const FieldValue> head_;
    std::span<const FieldValue> tail_;
  };

  /// Visits the records of every group of that name, at any depth, in wire order.
  void for_each(FieldName group, const std::function<void(const Entry&)>& visit) const;

 private:
  const Layout* layout_;
  std::span<const FieldValue> fields_;
  base::ByteView bytes_;
};

/// Decodes bytes that hold exactly one message.
/// Errors: more is needed, bytes are left over, or the message is malformed.
base::Expected<Record, Malformed> decode(const Layout& layout, base::ByteView message,
                                         DecodeOptions options = {});

}  // namespace hallmark::protocol
