#include "vectors/generator/invalid_messages.hpp"

#include <gmock/gmock.h>

#include <set>

#include "cmake/places/places.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/codec/refusal.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::vectors::generator {
namespace {

using protocol::Dialect;

std::string name_of_dialect(const testing::TestParamInfo<const Dialect*>& row) {
  std::string name(row.param->name);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

/// The committed files, as runners in other languages read them.
class InvalidMessages : public testing::TestWithParam<const Dialect*> {
 protected:
  void SetUp() override {
    auto files = load_invalid_file(places::source("vectors/" + invalid_path_of(GetParam()->name)));
    ASSERT_TRUE(files.has_value()) << files.error().message;
    files_ = std::move(*files);
    ASSERT_EQ(files_.size(), GetParam()->widths.size());
  }

  /// Calls `visit` with each message and its layout.
  template <class Visit>
  void for_each_message(const Visit& visit) const {
    const protocol::Readings readings(*GetParam(), protocol::Profile::deployed);
    for (const InvalidFile& file : files_) {
      for (const InvalidMessage& message : file.messages) {
        SCOPED_TRACE(message.message + " " + std::string(protocol::name_of(file.width)));
        const auto layout = layout_of(message, file.width, readings);
        ASSERT_TRUE(layout.has_value());
        visit(message, *layout);
      }
    }
  }

  std::vector<InvalidFile> files_;
};

TEST_P(InvalidMessages, AreRefusedAtTheFieldThatTheyName) {
  for_each_message([](const InvalidMessage& message, const protocol::Layout& layout) {
    EXPECT_FALSE(protocol::refusal(layout, message.valid).has_value());
    for (const InvalidVector& one : message.invalid) {
      SCOPED_TRACE(one.id);
      if (!one.change.fields().empty()) {
        auto values = message.fields;
        for (const auto& [name, value] : one.change.fields())
          values.set(protocol::FieldName::unchecked(name), value);
        const auto bytes = protocol::encode(layout, values);
        ASSERT_FALSE(bytes.has_value());
        EXPECT_EQ(bytes.error().field, one.field);
        continue;
      }
      const auto why = protocol::refusal(layout, one.bytes);
      ASSERT_TRUE(why.has_value());
      EXPECT_EQ(why->field, one.field);
      EXPECT_FALSE(protocol::decode(layout, one.bytes).has_value());
    }
  });
}

/// The names of all fields that are there, at any depth.
void add_fields(std::span<const protocol::Field> fields, const protocol::Layout& layout,
                std::set<std::string>& names) {
  for (const protocol::Field& field : fields) {
    if (!layout.present(field)) continue;
    if (const auto* const group = field.as<protocol::kinds::Group>()) {
      add_fields(group->head, layout, names);
      add_fields(group->tail, layout, names);
    } else if (layout.readings().dialect().transport == protocol::Transport::stream) {
      names.insert(std::string(field.name));
    }
  }
}

TEST_P(InvalidMessages, EndInEachField) {
  for_each_message([](const InvalidMessage& message, const protocol::Layout& layout) {
    if (message.kind == MessageKind::request) return;
    std::set<std::string> missing;
    add_fields(layout.message().fields, layout, missing);
    add_fields(layout.message().on_success, layout, missing);
    if (!missing.empty())
      missing.erase(std::string(layout.first()->name));  // would be no bytes at all
    for (const InvalidVector& one : message.invalid) {
      if (one.kind == Illegal::truncated) missing.erase(one.field);
    }
    EXPECT_THAT(missing, testing::IsEmpty());
  });
}

TEST_P(InvalidMessages, OfEveryReply) {
  std::set<std::string> replies;
  for_each_message([&](const InvalidMessage& message, const protocol::Layout&) {
    if (message.kind == MessageKind::reply) replies.insert(message.message);
  });
  const protocol::Readings readings(*GetParam(), protocol::Profile::deployed);
  for (const auto& operation : GetParam()->operations) {
    const auto layout = protocol::Layout::reply(operation, GetParam()->widths.front(), readings);
    EXPECT_EQ(replies.contains(std::string(operation.name)), layout.sent()) << operation.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, InvalidMessages,
                         testing::ValuesIn(protocol::all_dialects.begin(),
                                           protocol::all_dialects.end()),
                         name_of_dialect);

}  // namespace
}  // namespace hallmark::vectors::generator
