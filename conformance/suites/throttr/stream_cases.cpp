#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/random.hpp"
#include "base/text.hpp"
#include "conformance/judgement/lapses.hpp"
#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

/// 200 increments of 1, each followed by the QUERY that shows it.
std::vector<Outgoing> rising(Stage& stage, const std::string& key) {
  std::vector<Outgoing> requests{encoded(stage.format(), insert(key, 1))};
  for (int i = 0; i < 200; ++i) {
    requests.push_back(encoded(stage.format(), update(key, Attribute::quota, Change::increase, 1)));
    requests.push_back(encoded(stage.format(), query(key)));
  }
  return requests;
}

void expect_rising(Conversation& connection) {
  connection.reply(success());
  for (std::uint64_t i = 1; i <= 200; ++i) {
    connection.reply(success());
    connection.reply(counter_of(1 + i));
  }
}

void pipelined(Stage& stage) {
  Conversation& connection = stage.connection();
  connection.send_together(rising(stage, stage.key("k")));
  expect_rising(connection);
}

void interleaved(Stage& stage) {
  constexpr int connections = 4;
  for (int i = 0; i < connections; ++i) {
    stage.connection(fmt::format("c{}", i))
        .send_together(rising(stage, stage.key(fmt::format("k{}", i))));
  }
  for (int i = connections; i-- > 0;) expect_rising(stage.connection(fmt::format("c{}", i)));
}

/// Replies of many sizes: the large ones are made before the small ones that come after them.
void mixed_sizes(Stage& stage) {
  const std::string key = stage.key("k");
  const std::string absent = stage.key("absent");
  const std::string value(std::min<std::size_t>(longest_value(stage.format()), 10'000), 'v');
  rest_on_value(stage, stage.key("before"), value);
  Conversation& connection = stage.connection();
  std::vector<Outgoing> requests{encoded(stage.format(), set(key, value))};
  std::size_t listings = 0;
  for (int i = 0; i < 20; ++i) {
    requests.push_back(encoded(stage.format(), get(key)));
    requests.push_back(encoded(stage.format(), query(absent)));
    for (const protocol::MessageName operation :
         std::initializer_list<protocol::MessageName>{"INFO", "LIST", "WHOAMI"}) {
      if (!stage.format().has(operation)) continue;
      requests.push_back(encoded(stage.format(), bare(operation)));
      ++listings;
    }
  }
  connection.send_together(requests);
  connection.reply(success());
  for (int i = 0; i < 20; ++i) {
    connection.reply({is("status", 1), any("ttl_type"), any("ttl"), is("value", value)});
    connection.reply(failure());
    for (std::size_t other = 0; other < listings / 20; ++other) connection.reply();
  }
}

/// Requests of many lengths, so that a read of any size ends at any place of one.
void long_batch(Stage& stage) {
  constexpr std::size_t lengths = 40;
  constexpr std::size_t requests_of_batch = 5'000;
  constexpr int batches = 4;
  const auto is_there = [](std::size_t number) { return number % 2 == 1; };
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < lengths; ++i) {
    keys.push_back(stage.key(std::string(1 + i, 'k')));
    if (is_there(i)) stage.connection("before").ask(insert(keys.back(), i), success());
  }
  base::Random random(lengths);
  for (int batch = 0; batch < batches; ++batch) {
    std::vector<std::size_t> asked;
    std::vector<Outgoing> requests;
    for (std::size_t i = 0; i < requests_of_batch; ++i) {
      asked.push_back(random.below(lengths));
      requests.push_back(encoded(stage.format(), query(keys[asked.back()])));
    }
    Conversation& connection = stage.connection("batch");
    connection.send_together(requests);
    for (const std::size_t number : asked)
      connection.reply(is_there(number) ? counter_of(number) : failure());
    stage.close("batch");
  }
}

/// Requests in flight that do not depend on each other: whatever order their replies come in, each
/// has to be its own.
void each_its_own(Stage& stage) {
  Conversation& connection = stage.connection();
  constexpr std::uint64_t records = 50;
  std::vector<Outgoing> requests;
  for (std::uint64_t i = 0; i < records; ++i) {
    const std::string key = stage.key(fmt::format("k{}", i));
    if (i % 3 != 0) connection.ask(insert(key, i), success());
    requests.push_back(encoded(stage.format(), query(key)));
  }
  connection.send_together(requests);
  for (std::uint64_t i = 0; i < records; ++i)
    connection.reply(i % 3 == 0 ? failure() : counter_of(i));
}

/// Returns true if nothing comes any more: a reply that is only late comes before the end.
bool ends_without_more(Conversation& connection) {
  const std::size_t before = connection.unread();
  const Conversation::Farewell farewell = connection.finish();
  const bool ended = farewell.end == Arrival::closed || farewell.end == Arrival::reset;
  return ended && farewell.bytes.size() == before;
}

/// Returns true if the reply is another one than it has to be, or none that can be told.
bool is_wrong_reply(const Judgement& judgement) {
  if (!judgement.code) return false;
  switch (judgement.code->kind) {
    case Code::Kind::wrong_field:
    case Code::Kind::malformed:
    case Code::Kind::surplus:
    case Code::Kind::desynchronised: return true;
    default: return false;
  }
}

bool is_silence(const Judgement& judgement) {
  return judgement.code && judgement.code->kind == Code::Kind::silent;
}

/// Requests of many, by their number, that were answered wrongly or not at all.
struct Lapsed {
  std::vector<int> lost;
  std::vector<int> changed;
  std::set<int> on_connections;        ///< which of the requests of its connection each was
  std::optional<Evidence> evidence;    ///< up to the first of them
  std::optional<CaseEnded> judgement;  ///< of that one

  std::size_t count() const { return lost.size() + changed.size(); }
};

/// "2 had no reply: number 20, 40"
std::string said_of(const std::vector<int>& numbers, std::string_view what) {
  return fmt::format("{} {}: number {}", numbers.size(), what, fmt::join(numbers, ", "));
}

/// A harmless request that is asked again and again.
struct Question {
  Request request;
  Patterns reply;
  int wrong_in_a_row = 0;
  std::optional<std::pair<CaseEnded, Evidence>> first_in_row = {};
};

/// QUERY of a key that is absent and, if the target can tell one, of a record: their replies
/// differ, so that one that comes twice is noticed.
std::vector<Question> questions(Stage& stage) {
  std::vector<Question> found{{query(stage.key("absent")), failure()}};
  const std::string key = stage.key("present");
  Evidence before = stage.evidence();
  try {
    Conversation& connection = stage.connection("record");
    connection.ask(insert(key, 5), success());
    connection.ask(query(key), counter_of(5));
    found.push_back({query(key), counter_of(5)});
  } catch (const CaseEnded& ended) {
    if (!is_silence(ended.judgement()) && !is_wrong_reply(ended.judgement())) throw;
    stage.evidence() = std::move(before);
  }
  stage.close("record");
  return found;
}

/// The same harmless requests again and again, each after the reply to the one before. Behind one
/// without a reply, or with a wrong one, a new connection goes on. If more than two of the same
/// request follow each other, other cases are about it, and the case ends as it would have at the
/// first of them.
class Interrogation {
 public:
  explicit Interrogation(Stage& stage) : stage_(stage), questions_(questions(stage)) {}

  int asked() const { return asked_; }
  const Lapsed& lapsed() const { return lapsed_; }

  /// Returns true as long as more of the same request may be wrong in a row.
  bool undecided() const {
    return std::ranges::any_of(questions_, [](const auto& one) { return one.wrong_in_a_row > 0; });
  }

  void ask();

  /// Returns true if every connection, and nothing but its age, decides which request is answered
  /// wrongly: those that come sooner on two further ones are all answered.
  bool every_connection_lapses_alike();

  /// Ends the case, of which one lapse at least is known.
  [[noreturn]] void fail_of_connections();
  [[noreturn]] void fail_of_target();

 private:
  Conversation& connection() { return stage_.connection(name()); }
  std::string name() const { return fmt::format("c{}", connections_); }
  void leave() {
    stage_.close(name());
    ++connections_;
    on_connection_ = 0;
  }
  void take_wrong(Question& question, const CaseEnded& ended);

  Stage& stage_;
  std::vector<Question> questions_;
  Lapsed lapsed_;
  int asked_ = 0;
  int on_connection_ = 0;
  int connections_ = 1;
};

void Interrogation::ask() {
  // Each connection is asked the same, so that it depends on nothing else where one lapses.
  Question& question = questions_[static_cast<std::size_t>(on_connection_) % questions_.size()];
  ++asked_;
  ++on_connection_;
  try {
    connection().ask(question.request, question.reply);
    question.wrong_in_a_row = 0;
  } catch (const CaseEnded& ended) {
    take_wrong(question, ended);
  }
}

void Interrogation::take_wrong(Question& question, const CaseEnded& ended) {
  constexpr int most_in_a_row = 2;
  const bool silent = is_silence(ended.judgement());
  if (!silent && !is_wrong_reply(ended.judgement())) throw CaseEnded(ended);
  if (++question.wrong_in_a_row == 1) question.first_in_row.emplace(ended, stage_.evidence());
  if (question.wrong_in_a_row > most_in_a_row) {
    stage_.evidence() = std::move(question.first_in_row->second);
    throw CaseEnded(question.first_in_row->first);
  }
  if (!lapsed_.evidence) {
    lapsed_.evidence = stage_.evidence();
    lapsed_.judgement = ended;
  }
  // A reply that ends too early is none that was lost.
  const bool lost = silent && connection().unread() == 0;
  if (silent && !ends_without_more(connection())) throw CaseEnded(ended);
  (lost ? lapsed_.lost : lapsed_.changed).push_back(asked_);
  lapsed_.on_connections.insert(on_connection_);
  leave();
}

bool Interrogation::every_connection_lapses_alike() {
  constexpr int further_connections = 2;
  if (lapsed_.count() < 2 || lapsed_.on_connections.size() != 1) return false;
  const int last = *lapsed_.on_connections.begin();
  const std::size_t known = lapsed_.count();
  for (int i = 0; i < further_connections; ++i) {
    leave();
    while (on_connection_ + 1 < last && lapsed_.count() == known) ask();
  }
  return lapsed_.count() == known;
}

void Interrogation::fail_of_connections() {
  stage_.evidence() = std::move(*lapsed_.evidence);
  if (!lapsed_.changed.empty()) throw CaseEnded(*lapsed_.judgement);
  stage_.fail(
      {.kind = Code::Kind::silent,
       .message = "QUERY",
       .promise = std::string(every_connection_lasts)},
      fmt::format("each of {} connections had its replies to {}, and none to the next",
                  lapsed_.count(),
                  base::counted(static_cast<std::size_t>(*lapsed_.on_connections.begin() - 1),
                                "request", "requests")));
}

void Interrogation::fail_of_target() {
  stage_.evidence() = std::move(*lapsed_.evidence);
  std::vector<std::string> parts;
  if (!lapsed_.lost.empty()) parts.push_back(said_of(lapsed_.lost, "had no reply"));
  if (!lapsed_.changed.empty())
    parts.push_back(said_of(lapsed_.changed, "had another reply than others like it"));
  const bool changes = !lapsed_.changed.empty();
  stage_.fail(
      {.kind = changes ? Code::Kind::broken_promise : Code::Kind::silent,
       .message = "QUERY",
       .promise = std::string(changes ? every_reply_is_right : every_request_is_answered)},
      fmt::format("of {} requests one after the other, {}; the target was right about those "
                  "behind them",
                  asked_, fmt::join(parts, ", and ")));
}

/// How many follow a lapse does not depend on how long was waited for the reply: the next run has
/// to find the same ones.
void all_answered(Stage& stage) {
  constexpr int requests = 1000;
  constexpr int at_any_pace = 100;
  constexpr int at_any_pace_with_lapses = 200;
  constexpr std::size_t most_lapses = 4;
  Interrogation asking(stage);
  const Time until = stage.now() + stage.patience() / 2;
  const auto goes_on = [&] {
    const int least = asking.lapsed().count() > 0 ? at_any_pace_with_lapses : at_any_pace;
    return asking.asked() < least || (asking.asked() < requests && stage.now() < until);
  };
  while (asking.undecided() || goes_on()) {
    asking.ask();
    if (asking.lapsed().count() >= most_lapses && !asking.undecided()) break;
  }
  if (asking.lapsed().count() == 0) return;
  if (asking.every_connection_lapses_alike()) asking.fail_of_connections();
  asking.fail_of_target();
}

/// A request whose rest comes late must not keep other connections waiting.
void half_a_request(Stage& stage) {
  Conversation& slow = stage.connection("slow");
  Conversation& quick = stage.connection("quick");
  const std::string key = stage.key("k");
  const std::string other = stage.key("other");
  const Outgoing request = encoded(stage.format(), insert(key, 5));
  const std::size_t half[] = {request.bytes.size() / 2};
  slow.send_cut(request, half, [&] {
    quick.ask(query(key), failure());
    quick.ask(insert(other, 6), success());
    quick.ask(query(other), counter_of(6));
  });
  slow.reply(success());
  quick.ask(query(key), counter_of(5));
}

void close_inside(Stage& stage) {
  const std::string key = stage.key("k");
  const Outgoing request = encoded(stage.format(), insert(key, 5));
  stage.connection("cut").send_raw(base::ByteView(request.bytes).first(request.bytes.size() - 1));
  stage.connection("cut").finish(Patience::For::farewells);
  stage.close("cut");
  stage.connection("c1").ask(query(key), failure());
}

}  // namespace

BehaviourCases stream_cases() {
  return {
      {"stream/pipelined",
       "401 requests in one segment are answered in their order",
       "QUERY",
       Level::must,
       {"stream.reply-order", "stream.framing", "silence.reply-order"},
       pipelined,
       {.unless = {{"reply-order", "any-order"}}}},
      {"stream/interleaved",
       "connections that all send ahead get each its own replies",
       "QUERY",
       Level::must,
       {"stream.reply-order"},
       interleaved,
       {.unless = {{"reply-order", "any-order"}}}},
      {"stream/long-batch",
       "5000 requests of many lengths in one go are answered in their order",
       "QUERY",
       Level::must,
       {"stream.framing", "stream.reply-order"},
       long_batch,
       {.unless = {{"reply-order", "any-order"}}}},
      {"stream/each-its-own",
       "requests in flight have each the reply that is theirs",
       "QUERY",
       Level::must,
       {"stream.framing", "reply.request-id", "reply.always", "silence.reply-order"},
       each_its_own},
      {"stream/mixed-sizes",
       "large and small replies keep their order",
       "GET",
       Level::must,
       {"stream.reply-order"},
       mixed_sizes,
       {.operations = {"SET"}}},
      {std::string(all_answered_case),
       "a request is answered however many came before it",
       "QUERY",
       Level::must,
       {"query.missing", "reply.always"},
       all_answered},
      {"stream/half-a-request",
       "half a request keeps nobody else waiting",
       "INSERT",
       Level::must,
       {"stream.framing"},
       half_a_request,
       {.alone = true}},
      {"stream/closed-inside",
       "a request that was never whole has no effect",
       "INSERT",
       Level::must,
       {"stream.framing"},
       close_inside,
       {},
       Danger::malformed},
  };
}

}  // namespace hallmark::conformance
