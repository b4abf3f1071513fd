#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "protocol/codec/layout.hpp"

namespace hallmark::exporters {

/// The types of a Kaitai Struct description while they are being written.
class KaitaiTypes {
 public:
  explicit KaitaiTypes(const protocol::Readings& readings);

  /// Adds the type of a message. `from`: so many of its first fields are left out, as somebody else
  /// has read them. Error: one line.
  base::Result<void> add_message(const std::string& name, const protocol::Layout& layout,
                                 std::size_t from, std::string_view doc);

  /// The text under `types:` and under `enums:`.
  const std::string& types() const { return types_; }
  std::string enums() const;

  /// "(width)" behind the name of a type where the dialect has widths, and its declaration.
  std::string width_argument() const { return has_width_ ? "(width)" : ""; }
  std::string width_parameter(std::string_view indent) const;

  /// Adds an enumeration; returns its name.
  std::string enumeration(std::string_view name, std::span<const protocol::Choice> choices);

 private:
  struct Scope {
    std::string type;                           ///< name of the type
    std::span<const protocol::Field> fields{};  ///< the fields that sizes are looked up in
    std::string after{};                        ///< the text behind the last field; empty: the end
    bool repeats = false;                       ///< of a group: its first field may follow as well
  };

  base::Result<std::string> fields(const protocol::Layout& layout,
                                   std::span<const protocol::Field> list, const Scope& scope,
                                   const std::string& condition);
  base::Result<std::string> field(const protocol::Layout& layout,
                                  std::span<const protocol::Field> list, std::size_t at,
                                  const Scope& scope, const std::string& condition);
  base::Result<std::string> group(const protocol::Layout& layout, const protocol::Field& field,
                                  const Scope& scope, const std::string& condition);
  std::string tail(const protocol::Layout& layout, const protocol::Field& field,
                   const std::string& type);
  std::string number(std::uint8_t width) const;
  std::string integer_of(const protocol::Field& field, std::uint8_t width,
                         std::string_view doc) const;
  void add_tagged(const std::string& name, std::string_view doc);
  void add_type(const std::string& name, std::string_view doc, std::string_view parameters,
                const std::string& seq);

  const protocol::Readings& readings_;
  bool has_width_;
  bool of_text_;
  std::string types_;
  std::map<std::string, std::string> enums_;
};

/// The name of a field in a description.
std::string kaitai_id(const protocol::Field& field, std::size_t position);

}  // namespace hallmark::exporters
