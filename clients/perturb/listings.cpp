#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "clients/perturb/layouts.hpp"
#include "clients/perturb/perturbation.hpp"
#include "clients/serve/stream_service.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/little_endian.hpp"

/// Listings in other orders and fragments, of nothing and of much.
namespace hallmark::clients {
namespace {

using protocol::FieldName;
using protocol::Record;
using protocol::Value;
using Records = std::vector<Record>;

/// A listing, taken apart: its entries, and how they were dealt to fragments.
struct Listing {
  std::string group;    ///< the field that holds fragments, or the entries themselves
  std::string entries;  ///< the field of a fragment that holds entries; empty: no fragments
  Records records;      ///< of `group`
};

std::optional<Listing> listing_in(const Record& reply) {
  for (const auto& [name, value] : reply.fields()) {
    const auto* const records = std::get_if<Records>(&value);
    if (records == nullptr) continue;
    Listing listing{name, {}, *records};
    if (!records->empty()) {
      for (const auto& [inner, inner_value] : records->front().fields()) {
        if (std::holds_alternative<Records>(inner_value)) listing.entries = inner;
      }
    }
    return listing;
  }
  return std::nullopt;
}

Records entries_of(const Listing& listing, const Record& fragment) {
  const Value* const found = fragment.find(FieldName::unchecked(listing.entries));
  return found == nullptr ? Records{} : std::get<Records>(*found);
}

void set_entries(const Listing& listing, Record& fragment, Records entries) {
  fragment.set(FieldName::unchecked(listing.entries), std::move(entries));
}

/// Changes a listing; the same entries have to be in it afterwards.
using Change = std::function<void(Listing&, base::Random&)>;

template <class Reorder>
Change reordered(Reorder reorder) {
  return [reorder](Listing& listing, base::Random& random) {
    if (!listing.entries.empty()) {
      for (Record& fragment : listing.records) {
        Records entries = entries_of(listing, fragment);
        reorder(entries, random);
        set_entries(listing, fragment, std::move(entries));
      }
    }
    reorder(listing.records, random);
  };
}

/// Each entry in a fragment of its own; the numbers go on from that of the first.
void one_a_fragment(Listing& listing, base::Random& /*random*/) {
  if (listing.entries.empty()) return;
  Records all;
  std::uint64_t number = listing.records.front().number_or("fragment", 1);
  for (const Record& fragment : listing.records) {
    for (Record& entry : entries_of(listing, fragment)) {
      Record single = fragment;
      single.set("fragment", number++);
      set_entries(listing, single, {std::move(entry)});
      all.push_back(std::move(single));
    }
  }
  listing.records = std::move(all);
}

void nothing(Listing& listing, base::Random& /*random*/) { listing.records.clear(); }

class Relisting final : public Disturbance {
 public:
  Relisting(const Format& format, std::uint64_t seed, Change change, std::string what)
      : format_(format), random_(seed), change_(std::move(change)), what_(std::move(what)) {}

  Treatment treat(const Message& message) override {
    Treatment treatment = untouched(message.bytes);
    const auto layout = layout_of(message, format_);
    if (message.push != nullptr || !layout || message.bytes.empty()) return treatment;
    auto reply = protocol::decode(*layout, message.bytes, {.refuse_unlisted = false});
    if (!reply) return treatment;
    auto listing = listing_in(*reply);
    if (!listing) return treatment;
    change_(*listing, random_);
    reply->set(FieldName::unchecked(listing->group), std::move(listing->records));
    auto bytes = protocol::encode(*layout, *reply);
    if (!bytes || *bytes == message.bytes) return treatment;
    return {{send(std::move(*bytes))}, Reach::performed, what_};
  }

 private:
  const Format& format_;
  base::Random random_;
  Change change_;
  std::string what_;
};

/// Other clients have filled the server before the client comes.
class Crowd final : public Disturbance {
 public:
  explicit Crowd(const Format& format) : format_(format) {}

  void prepare(StreamService& service) override {
    const auto* const insert = protocol::find_operation(format_.dialect(), "INSERT");
    if (insert == nullptr) return;
    for (std::size_t i = 0; i < foreign_keys; ++i) {
      Record record{{"quota", protocol::max_of_width(protocol::bytes_of(format_.width))},
                    {"ttl_type", code_of_longest_unit()},
                    {"ttl", std::uint64_t{200}},
                    {"key", key(i)}};
      service.ask_as_another(*insert, record);
    }
  }

  Treatment treat(const Message& message) override {
    Treatment treatment = untouched(message.bytes);
    if (message.operation == nullptr || !has_group(*message.operation, format_)) return treatment;
    const std::string_view bytes = base::as_text(message.bytes);
    if (bytes.find(prefix) == std::string_view::npos) return treatment;
    treatment.reach = Reach::performed;
    treatment.what = fmt::format("it lists {} keys of other clients, too", foreign_keys);
    return treatment;
  }

 private:
  static constexpr std::size_t foreign_keys = 300;
  static constexpr std::size_t longest_key = 255;
  static constexpr std::string_view prefix = "hallmark-another-client-";

  static base::Bytes key(std::size_t number) {
    std::string text = fmt::format("{}{}-", prefix, number);
    text.resize(longest_key, 'x');
    return base::to_bytes(text);
  }

  std::uint64_t code_of_longest_unit() const {
    std::uint64_t code = 0;
    const auto* const insert = protocol::find_operation(format_.dialect(), "INSERT");
    for (const protocol::Field& field : insert->request.fields) {
      if (field.name == "ttl_type")
        code = field.get<protocol::kinds::ChoiceOf>().choices.back().code;
    }
    return code;
  }

  const Format& format_;
};

Perturbation relisting(const std::string& name, const std::string& title, Demand demand,
                       Change change) {
  Perturbation made{"listing/" + name, "listing", "", title, true, demand, "client.fragments"};
  made.make = [change = std::move(change), title](const Format& format, std::uint64_t seed) {
    return std::make_unique<Relisting>(format, seed, change, title);
  };
  return made;
}

}  // namespace

std::vector<Perturbation> listing_perturbations(const Format& format) {
  const auto lists = [&](const protocol::Operation& operation) {
    return has_group(operation, format);
  };
  if (std::ranges::none_of(format.dialect().operations, lists)) return {};
  std::vector<Perturbation> all;
  all.push_back(relisting(
      "reversed", "entries and fragments of listings come in reverse order", Demand::passes,
      reordered([](Records& records, base::Random&) { std::ranges::reverse(records); })));
  all.push_back(relisting(
      "shuffled", "entries and fragments of listings come in a random order", Demand::passes,
      reordered([](Records& records, base::Random& random) { random.shuffle(records); })));
  all.push_back(relisting("one-a-fragment", "each entry of a listing is a fragment of its own",
                          Demand::passes, one_a_fragment));
  all.push_back(
      relisting("empty", "listings hold nothing: others have removed it", Demand::ends, nothing));
  Perturbation crowd{"listing/large",
                     "listing",
                     "",
                     "listings hold 300 keys of other clients, too, with names of 255 bytes",
                     true,
                     Demand::ends,
                     "client.fragments"};
  crowd.make = [](const Format& served, std::uint64_t) { return std::make_unique<Crowd>(served); };
  all.push_back(std::move(crowd));
  return all;
}

}  // namespace hallmark::clients
