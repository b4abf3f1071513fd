#include "audit/fast_check.hpp"

#include "audit/walk.hpp"
#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/ratelimit_state.hpp"

namespace hallmark::audit {
namespace {

namespace fast_text = protocol::fast_text;
using protocol::state::Taken;
using protocol::tables::ratelimit_state;

constexpr protocol::Readings as_released(ratelimit_state, protocol::Profile::deployed);

constexpr std::size_t token_bucket = fast_text::format_index(ratelimit_state, "token-bucket/12");
constexpr std::size_t leaky_bucket = fast_text::format_index(ratelimit_state, "leaky-bucket/32");
constexpr std::size_t gcra = fast_text::format_index(ratelimit_state, "gcra/42");
constexpr std::size_t fixed_window = fast_text::format_index(ratelimit_state, "fixed-window/23");
constexpr std::size_t composite = fast_text::format_index(ratelimit_state, "composite/51");

template <std::size_t index>
using View = typename fast_text::State<ratelimit_state, index>::View;

template <std::size_t index>
bool read(std::string_view text, std::string_view strategy, View<index>& view) {
  return (strategy.empty() || strategy == ratelimit_state.formats[index].strategy) &&
         fast_text::decode(base::as_bytes(text), as_released, view);
}

/// A state that is no composite.
class Single {
 public:
  Single(std::string_view text, std::string_view strategy, std::string_view prefix,
         FieldChecks& checks)
      : text_(text), strategy_(strategy), prefix_(prefix), checks_(checks) {}

  bool check(FormatSet& formats) {
    return bucket<token_bucket, "tokens", "last_refill">(formats) ||
           bucket<leaky_bucket, "requests", "last_leak">(formats) || arrival(formats) ||
           window(formats);
  }

 private:
  template <std::size_t index, protocol::FieldText amount, protocol::FieldText time>
  bool bucket(FormatSet& formats) {
    View<index> view;
    if (!read<index>(text_, strategy_, view)) return false;
    formats = FormatSet::at(index);
    constexpr Role role = role_of(protocol::FieldName(amount.text));
    const bool is_canonical =
        checks_.real(role, {.prefix = prefix_, .name = amount.view()}, view.template text<amount>(),
                     view.template real<amount>());
    integer<time>(view);
    return is_canonical;
  }

  bool arrival(FormatSet& formats) {
    View<gcra> view;
    if (!read<gcra>(text_, strategy_, view)) return false;
    formats = FormatSet::at(gcra);
    integer<"tat">(view);
    return true;
  }

  /// The one with a group: its table is walked, but nothing else is tried. It has no floats, so
  /// what reads is canonical.
  bool window(FormatSet& formats) {
    constexpr const protocol::Format& format = ratelimit_state.formats[fixed_window];
    if (!text_.starts_with(format.header)) return false;
    if (!strategy_.empty() && strategy_ != format.strategy) return false;
    const protocol::Layout layout = protocol::Layout::format(format, as_released);
    protocol::state::Parsed parsed{&format, text_, 0, protocol::Decoder(layout), {}, {}};
    if (parsed.decoder.resume(base::as_bytes(text_)) != protocol::Decoder::State::complete)
      return false;
    formats = FormatSet::at(fixed_window);
    return check_fields(parsed, prefix_, checks_);
  }

  template <protocol::FieldText field>
  void integer(const auto& view) {
    constexpr Role role = role_of(protocol::FieldName(field.text));
    checks_.integer(role, {.prefix = prefix_, .name = field.view()}, view.template text<field>(),
                    view.template signed_number<field>());
  }

  std::string_view text_, strategy_, prefix_;
  FieldChecks& checks_;
};

}  // namespace

bool check_fast(std::string_view text, const Taken& taken, FieldChecks& checks,
                FormatSet& formats) {
  if (Single(text, taken.strategy, "", checks).check(formats)) return true;
  View<composite> view;
  if (!read<composite>(text, taken.strategy, view)) return false;
  FormatSet ignored;
  formats = FormatSet::at(composite);
  return Single(view.text<"primary">(), taken.primary, "primary.", checks).check(ignored) &&
         Single(view.text<"secondary">(), taken.secondary, "secondary.", checks).check(ignored);
}

}  // namespace hallmark::audit
