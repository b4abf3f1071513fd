#include <fmt/format.h>

#include "conformance/drivers/datagram/datagram_case.hpp"
#include "conformance/drivers/stream/variants.hpp"
#include "conformance/suites/ratelimit_udp/datagram_readings.hpp"
#include "protocol/annotate.hpp"

namespace hallmark::conformance {
namespace {

using vectors::Expect;
using vectors::Expected;
using vectors::Send;
using vectors::Vector;

std::string id_of(const Send& send) {
  const protocol::Value* const id = send.fields.find("request_id");
  return id == nullptr ? "" : std::string(base::as_text(std::get<base::Bytes>(*id)));
}

/// The differences from the nearest of what is allowed; none: it is one of them.
std::vector<vectors::Mismatch> nearest(const Expect& expect, const Message& message) {
  std::vector<vectors::Mismatch> fewest;
  bool first = true;
  for (const Expected& expected : expect.any_of) {
    vectors::Context none;
    auto mismatches = vectors::match(expected, message.view(), none);
    if (first || mismatches.size() < fewest.size()) fewest = std::move(mismatches);
    first = false;
  }
  return fewest;
}

void expect_reply(Attempt& attempt, const Send& send, const Expect& expect) {
  const Message message = attempt.ask_exactly(
      protocol::MessageName::unchecked(expect.any_of.front().message), send.bytes, id_of(send));
  auto mismatches = nearest(expect, message);
  if (!mismatches.empty())
    attempt.refuse(message, std::move(mismatches), expect.any_of.front().example);
}

/// Each request is followed by what it has to be answered with.
void play(Attempt& attempt, const Vector& vector) {
  const Send* asked = nullptr;
  for (const vectors::Step& step : vector.steps) {
    if (const auto* const send = std::get_if<Send>(&step.action)) {
      asked = send;
    } else if (const auto* const expect = std::get_if<Expect>(&step.action)) {
      expect_reply(attempt, *asked, *expect);
    } else {
      attempt.expect_silence(asked->bytes);
    }
  }
}

}  // namespace

DatagramCases vector_cases(const std::vector<vectors::VectorFile>& files,
                           const WireFormat& format) {
  DatagramCases cases;
  for (const auto& vector : variants_for(files, format).playable) {
    cases.push_back({{vector->id, vector->title, vector->operation, vector->level, vector->clauses,
                      Delivery::whole, danger_of(*vector, danger_of_datagram_reading)},
                     [vector](Attempt& attempt) { play(attempt, *vector); }});
  }
  return cases;
}

}  // namespace hallmark::conformance
