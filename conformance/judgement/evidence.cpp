#include "conformance/judgement/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hex.hpp"
#include "base/text.hpp"
#include "protocol/annotate.hpp"

namespace hallmark::conformance {
namespace {

constexpr std::size_t most_fields = 256;
constexpr std::size_t most_reproduced_bytes = 512;

std::vector<reports::AnnotatedField> fields_of(const protocol::Layout& layout,
                                               base::ByteView bytes) {
  protocol::Decoder decoder(layout, {.refuse_unlisted = false});
  decoder.resume(bytes);
  std::vector<reports::AnnotatedField> fields;
  for (protocol::Annotation& annotation : protocol::annotate(decoder, bytes)) {
    if (fields.size() == most_fields) break;
    fields.push_back({std::move(annotation.path),
                      annotation.offset,
                      annotation.length,
                      std::move(annotation.meaning),
                      false,
                      {}});
  }
  return fields;
}

bool overlaps(const reports::AnnotatedField& field, const vectors::Mismatch& mismatch) {
  if (field.offset == mismatch.offset) return true;
  return field.offset > mismatch.offset && field.offset < mismatch.offset + mismatch.length;
}

void mark_field(std::vector<reports::AnnotatedField>& fields, const vectors::Mismatch& mismatch) {
  const auto found = std::ranges::find_if(
      fields, [&](const reports::AnnotatedField& field) { return overlaps(field, mismatch); });
  if (found == fields.end()) {
    fields.push_back({mismatch.field, mismatch.offset, mismatch.length, mismatch.received, true,
                      mismatch.expected});
    return;
  }
  found->wrong = true;
  found->expected = mismatch.expected;
}

}  // namespace

void Evidence::start(Time now) {
  start_ = now;
  passed_.clear();
  requests_ = 0;
  dropped_ = 0;
}

/// The last request stays however many messages follow it.
void Evidence::forget_oldest() {
  const bool is_request = passed_.front().direction == reports::Direction::sent;
  if (is_request && requests_ == 1) {
    passed_.erase(passed_.begin() + 1);
    return;
  }
  if (is_request) {
    --requests_;
    ++dropped_;
  }
  passed_.pop_front();
}

Evidence::Passed& Evidence::add(const std::string& connection, reports::Direction direction,
                                const std::optional<protocol::Layout>& layout, base::ByteView bytes,
                                Time at) {
  if (passed_.size() == most_messages) forget_oldest();
  if (direction == reports::Direction::sent) ++requests_;
  const auto kept = bytes.first(std::min(bytes.size(), most_bytes));
  passed_.push_back({connection,
                     direction,
                     at,
                     layout,
                     {kept.begin(), kept.end()},
                     bytes.size() - kept.size(),
                     {},
                     {},
                     {}});
  return passed_.back();
}

void Evidence::sent(const std::string& connection, const std::optional<protocol::Layout>& layout,
                    base::ByteView bytes, Time at, std::span<const std::size_t> cuts) {
  add(connection, reports::Direction::sent, layout, bytes, at)
      .cuts.assign(cuts.begin(), cuts.end());
}

void Evidence::received(const std::string& connection,
                        const std::optional<protocol::Layout>& layout, base::ByteView bytes,
                        Time at) {
  ++received_in_all_;
  add(connection, reports::Direction::received, layout, bytes, at);
}

void Evidence::broken(const std::string& connection, const std::optional<protocol::Layout>& layout,
                      base::ByteView bytes, Time at, std::vector<vectors::Mismatch> mismatches) {
  Passed& passed = add(connection, reports::Direction::received, layout, bytes, at);
  passed.mismatches = std::move(mismatches);
  passed.broken = true;
}

void Evidence::expect_instead(base::Bytes expected) {
  if (!passed_.empty() && passed_.back().broken) passed_.back().expected = std::move(expected);
}

void Evidence::mark(std::vector<vectors::Mismatch> mismatches,
                    std::optional<base::Bytes> expected) {
  const auto last = std::find_if(passed_.rbegin(), passed_.rend(), [](const Passed& passed) {
    return passed.direction == reports::Direction::received;
  });
  if (last == passed_.rend()) return;
  last->mismatches = std::move(mismatches);
  last->expected = std::move(expected);
}

reports::Exchange Evidence::exchange_of(const Passed& passed) const {
  reports::Exchange exchange;
  exchange.connection = passed.connection;
  exchange.direction = passed.direction;
  exchange.at = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::nanoseconds(passed.at - std::min(start_, passed.at)));
  exchange.bytes = passed.bytes;
  exchange.omitted = passed.omitted;
  if (passed.omitted == 0 && passed.expected && passed.expected->size() <= most_bytes) {
    exchange.expected = passed.expected;
  }
  if (passed.layout) exchange.fields = fields_of(*passed.layout, passed.bytes);
  for (const vectors::Mismatch& mismatch : passed.mismatches) mark_field(exchange.fields, mismatch);
  return exchange;
}

std::vector<reports::Exchange> Evidence::exchanges() const {
  std::vector<reports::Exchange> exchanges;
  const auto is_sent = [](const Passed& passed) {
    return passed.direction == reports::Direction::sent;
  };
  const auto shown = static_cast<std::ptrdiff_t>(std::min(passed_.size(), most_shown));
  auto first = passed_.end() - shown;
  const auto last_request = std::find_if(passed_.rbegin(), passed_.rend(), is_sent);
  if (last_request != passed_.rend() && last_request.base() <= first) {
    exchanges.push_back(exchange_of(*last_request));
    ++first;
  }
  for (; first != passed_.end(); ++first) exchanges.push_back(exchange_of(*first));
  return exchanges;
}

std::vector<std::string> Evidence::reproduction() const {
  std::vector<std::string> lines;
  std::vector<const Passed*> requests;
  for (const Passed& passed : passed_) {
    if (passed.direction == reports::Direction::sent) requests.push_back(&passed);
  }
  const std::size_t hidden = requests.size() - std::min(requests.size(), most_shown);
  if (dropped_ + hidden > 0)
    lines.push_back("… " + base::counted(dropped_ + hidden, "request", "requests") + " before");
  for (std::size_t at = hidden; at < requests.size(); ++at) {
    const Passed& passed = *requests[at];
    const std::size_t shown = std::min(passed.bytes.size(), most_reproduced_bytes);
    std::string line = passed.connection + ":";
    // A request of text is easier to send again as it is; one of bytes begins with an opcode.
    const bool is_text = base::is_quotable(base::as_text(passed.bytes)) && passed.cuts.empty();
    if (is_text) {
      line += fmt::format(" \"{}\"", base::as_text(base::ByteView(passed.bytes).first(shown)));
    }
    for (std::size_t i = 0; !is_text && i < shown; ++i) {
      if (std::ranges::find(passed.cuts, i) != passed.cuts.end()) line += " |";
      line += " " + base::to_hex(std::span(passed.bytes).subspan(i, 1));
    }
    if (const auto rest = passed.omitted + passed.bytes.size() - shown; rest > 0) {
      line += fmt::format(" … {} bytes more", rest);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace hallmark::conformance
