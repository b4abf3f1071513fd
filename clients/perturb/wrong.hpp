#pragma once

#include <optional>
#include <set>

#include "base/random.hpp"
#include "clients/perturb/layouts.hpp"
#include "clients/perturb/perturbation.hpp"

/// Messages that no server may send.
namespace hallmark::clients {

/// The means by which a message is made wrong.
struct Wrong {
  const Format& format;
  base::Random& random;
  /// The last reply before this one, to another operation; empty where there is none.
  const base::Bytes& other;
};

/// Makes a message wrong. Nothing: this one cannot be made wrong so.
using MakeWrong = std::function<std::optional<Treatment>(const Message&, const Wrong&)>;

/// Makes each message of one name wrong, so that asking again does not help.
class WrongMessages final : public Disturbance {
 public:
  WrongMessages(const Format& format, std::uint64_t seed, std::string name, MakeWrong make)
      : format_(format), random_(seed), name_(std::move(name)), make_(std::move(make)) {}

  Treatment treat(const Message& message) override;

 private:
  const Format& format_;
  base::Random random_;
  std::string name_;
  MakeWrong make_;
  base::Bytes other_;
};

/// The field of that name in a message, the first one; null where it is not there.
const protocol::FieldValue* first_field(const std::vector<protocol::FieldValue>& fields,
                                        std::string_view name);

/// A code of a field's width that is not among its choices: one beside them, or the largest.
std::optional<std::uint64_t> unlisted_code(std::span<const protocol::Choice> choices,
                                           std::size_t width, base::Random& random);

/// The bytes, cut before a field or inside it. Nothing: the field is not there, or nothing would be
/// left of a message that has to have something.
std::optional<base::Bytes> cut_at(const Message& message, const Format& format,
                                  std::string_view field);

/// At most four of the fields, the first and the last among them: some messages have fifty.
std::vector<const protocol::Field*> some_of(const std::vector<const protocol::Field*>& fields);

/// A perturbation that a client has to notice. `field`: empty where it is not about one.
Perturbation wrong(std::string kind, std::string_view subject, std::string_view field,
                   std::string title, std::string clause, MakeWrong make);

}  // namespace hallmark::clients
