#include "vectors/generator/datagrams.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "protocol/annotate.hpp"
#include "protocol/dialects.hpp"
#include "reference/session/datagram_session.hpp"
#include "vectors/format/match.hpp"
#include "vectors/format/places.hpp"
#include "vectors/generator/expectation.hpp"

namespace hallmark::vectors::generator {
namespace {

using base::as_bytes;
using base::as_text;
using base::Error;
using base::Result;
using base::to_bytes;
using protocol::Layout;
using protocol::Level;
using protocol::Readings;
using protocol::Width;

constexpr std::size_t most_keys = 1000;
constexpr model::Time start = 1'700'000'000'000'000'000;
constexpr model::Time pace = 1'000'001;

/// A vector while it is written: datagrams as text, and what they are answered with.
class Transactions {
 public:
  Transactions(const Readings& readings, protocol::Profile profile, protocol::MessageName operation,
               std::string_view name, std::string_view title) {
    vector_.id =
        fmt::format("{}/{}{}/{}", readings.dialect().name,
                    profile == protocol::Profile::literal ? "literal/" : "", operation, name);
    vector_.title = title;
    vector_.operation = operation;
    key_ = fmt::format("hallmark:{}/{}", operation, name);
  }

  Transactions& level(Level level) {
    vector_.level = level;
    return *this;
  }
  Transactions& cites(std::initializer_list<std::string_view> clauses) {
    for (const std::string_view clause : clauses) {
      if (protocol::find_clause(protocol::ratelimit_udp, clause) == nullptr)
        throw std::logic_error(fmt::format("no clause {}", clause));
      vector_.clauses.emplace_back(clause);
    }
    return *this;
  }
  Transactions& flag(std::string_view flag) {
    vector_.flags.emplace_back(flag);
    return *this;
  }

  /// The vector's own key.
  const std::string& key() const { return key_; }

  /// A request of the operation with that id (empty: none) and, where it takes one, that key.
  Transactions& send(protocol::MessageName operation, std::string_view id,
                     std::string_view key = {}) {
    Send send;
    send.operation = operation;
    if (!id.empty()) send.fields.set("request_id", to_bytes(id));
    const bool keyed = operation == "over_limit" || operation == "get_stats";
    if (keyed) send.fields.set("key", to_bytes(key));
    send.bytes = to_bytes(fmt::format("{}{}{}{}{}", id, id.empty() ? "" : " ", operation,
                                      keyed ? " " : "", keyed ? key : ""));
    vector_.steps.push_back({"a", std::move(send)});
    return *this;
  }
  /// Sends a datagram that is not a request.
  Transactions& send_unrecognised(std::string_view datagram) {
    Send send;
    send.bytes = to_bytes(datagram);
    vector_.steps.push_back({"a", std::move(send)});
    return *this;
  }

  Transactions& expect(protocol::MessageName operation, std::string_view id,
                       std::vector<Field> fields) {
    Expected expected;
    expected.message = operation;
    if (!id.empty()) expected.fields.push_back(is("request_id", as_bytes(id)));
    for (Field& field : fields) expected.fields.push_back(std::move(field));
    vector_.steps.push_back({"a", Expect{{std::move(expected)}}});
    return *this;
  }
  Transactions& silence() {
    vector_.steps.push_back({"a", Silence{}});
    return *this;
  }

  // A request and its reply in one word.
  Transactions& over_limit(std::string_view id, std::string_view key) {
    return send("over_limit", id, key)
        .expect("over_limit", id,
                {one_of("over", {'Y', 'N'}), any("rate"), any("limit"), any("period")});
  }
  Transactions& get_stats(std::string_view id, std::string_view key) {
    return send("get_stats", id, key)
        .expect("get_stats", id,
                {any("n_req"), any("n_over"), any("last_max_rate"), is("key", as_bytes(key))});
  }
  Transactions& get_size(std::string_view id) {
    return send("get_size", id).expect("get_size", id, {any("size"), any("keys")});
  }
  Transactions& ping(std::string_view id) { return send("ping", id).expect("ping", id, {}); }
  Transactions& ignored(std::string_view datagram) { return send_unrecognised(datagram).silence(); }

  Vector& vector() { return vector_; }

 private:
  Vector vector_;
  std::string key_;
};

class Book {
 public:
  Book(const Readings& readings, protocol::Profile profile)
      : readings_(readings), profile_(profile) {}

  Transactions& add(protocol::MessageName operation, std::string_view name,
                    std::string_view title) {
    return all_.emplace_back(readings_, profile_, operation, name, title);
  }
  bool reads(protocol::Chosen answer) const { return readings_.reads(answer); }
  std::vector<Transactions>& all() { return all_; }

 private:
  const Readings& readings_;
  protocol::Profile profile_;
  std::vector<Transactions> all_;
};

struct Id {
  std::string_view name;
  std::string_view title;
  std::string_view digits;
  bool is_number;  ///< comes back the same where it is taken for a number of 64 bits
};

constexpr Id ids[] = {
    {"id", "with a request id", "78229", true},
    {"id-zero", "with the request id 0", "0", true},
    {"id-leading-zeros", "with a request id that begins with zeros", "000867465", false},
    {"id-beyond-64-bits", "with a request id beyond 64 bits", "394769760968709384567", false},
    {"id-of-100-digits", "with a request id of 100 digits",
     "123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123"
     "4"
     "567890",
     false},
};

using Ask = Transactions& (*)(Transactions&, std::string_view id);

/// One command with every kind of id.
void add_ids(Book& book, protocol::MessageName operation, std::string_view format_clause, Ask ask) {
  auto& plain = book.add(operation, "no-id", "without a request id");
  ask(plain.cites({format_clause, "request.form", "id.none"}), "");
  for (const Id& id : ids) {
    auto& one = book.add(operation, id.name, id.title);
    one.cites({format_clause, "request.form", "id.repeated", "id.non-negative"});
    if (!id.is_number) one.cites({"silence.udp-id"}).level(Level::should).flag("silent");
    ask(one, id.digits);
  }
}

/// Adds datagrams that are nearly that command and must not be answered.
void add_near_misses(Book& book, protocol::MessageName operation, std::string_view argument) {
  const std::string upper = base::upper_case(operation);
  const auto add = [&](std::string_view name, std::string_view title,
                       const std::string& datagram) -> Transactions& {
    return book.add(operation, name, title)
        .cites({"commands.unrecognised", "request.form"})
        .ignored(datagram);
  };
  const std::string whole = std::string(operation) + std::string(argument);
  add("upper-case", "in capitals", upper + std::string(argument));
  add("upper-case-id", "in capitals, with a request id", "31 " + upper + std::string(argument));
  add("leading-space", "behind a space", " " + whole);
  add("two-spaces-behind-id", "with two spaces behind the request id", "123  " + whole);
  add("negative-id", "with a negative request id", "-1 " + whole).cites({"id.non-negative"});
  add("signed-id", "with a request id behind a plus", "+1 " + whole);
  add("hexadecimal-id", "with a hexadecimal request id", "0x1f " + whole);
  add("fraction-id", "with a fraction as request id", "1.5 " + whole);
  add("word-id", "with a word as request id", "id " + whole);
  add("two-ids", "with two request ids", "1 2 " + whole);
  add("tab-behind-id", "with a tab behind the request id", "5\t" + whole);
  add("cut-short", "without the last byte of the command", whole.substr(0, operation.size() - 1));
  add("run-on", "with a letter more behind the command", std::string(operation) + "s");
  add("behind-nul", "behind a zero byte", std::string(1, '\0') + whole);
  add("quoted", "in quotes", "\"" + whole + "\"");
}

void add_keys(Book& book, protocol::MessageName operation,
              Transactions& (*ask)(Transactions&, std::string_view id, std::string_view key)) {
  const auto key_in = [&](std::string_view name, std::string_view title) -> Transactions& {
    return book.add(operation, name, title);
  };
  const std::string base = fmt::format("hallmark:{}", operation);
  ask(key_in("key-with-spaces", "a key with spaces")
          .level(Level::should)
          .cites({"silence.udp-key"}),
      "1173", base + " ip=4.14.98.98 and more");
  ask(key_in("key-trailing-space", "a key that ends with a space")
          .level(Level::should)
          .cites({"silence.udp-key"})
          .flag("silent"),
      "1174", base + " ");
  ask(key_in("key-leading-space", "a key that begins with a space")
          .level(Level::should)
          .cites({"silence.udp-key"})
          .flag("silent"),
      "1175", " " + base);
  ask(key_in("key-utf-8", "a key in UTF-8")
          .level(Level::may)
          .cites({"silence.binary"})
          .flag("silent"),
      "1176", base + " \xc3\xa4\xe2\x82\xac\xf0\x9f\x8e\xb5");
  std::string binary = base + " ";
  for (int byte = 255; byte > 0; --byte) {
    if (byte != '\n') binary.push_back(static_cast<char>(byte));
  }
  ask(key_in("key-binary", "a key of all bytes but newline and zero")
          .level(Level::may)
          .cites({"silence.binary"})
          .flag("binary-name"),
      "1177", binary);
  ask(key_in("key-zero-byte", "a key with a zero byte in it")
          .level(Level::may)
          .cites({"silence.binary"})
          .flag("binary-name"),
      "1178", base + std::string(1, '\0') + "behind");
  ask(key_in("key-is-a-request", "a key that reads like a request")
          .cites({"request.form", "transaction.one-reply"}),
      "1179", fmt::format("5 {} {}", operation, base));
  ask(key_in("key-with-equals", "a key that reads like fields of a reply")
          .cites({"request.form", "transaction.one-reply"}),
      "1180", base + " n_req=1 key=2");
  const std::string prefix = fmt::format("1181 {} {} ", operation, base);
  ask(key_in("longest", "a request of 1000 bytes")
          .level(Level::should)
          .cites({"silence.long-request"})
          .flag("silent"),
      "1181", base + " " + std::string(1000 - prefix.size(), 'k'));
  if (book.reads({"empty-key", "key"})) {
    ask(key_in("key-empty", "a key of length 0")
            .level(Level::may)
            .cites({"silence.empty-key"})
            .flag("empty-name"),
        "1182", "");
  }
  if (book.reads({"key-newline", "silence"})) {
    key_in("key-newline", "a newline inside the key")
        .level(Level::may)
        .cites({"silence.key-newline"})
        .flag("silent")
        .ignored(fmt::format("1183 {} {}\nbehind", operation, base));
  }
  if (book.reads({"long-request", "silence"})) {
    key_in("one-byte-over", "a request of 1001 bytes")
        .level(Level::may)
        .cites({"silence.long-request"})
        .flag("silent")
        .ignored(
            fmt::format("1184 {} {} {}", operation, base, std::string(1001 - prefix.size(), 'k')));
  }
  if (book.reads({"long-request", "silence"})) {
    const std::string whole = fmt::format("1185 {} {} ", operation, base);
    key_in("largest-datagram", "a request of 65507 bytes, as many as IPv4 carries")
        .level(Level::may)
        .cites({"silence.long-request"})
        .flag("silent")
        .ignored(whole + std::string(65507 - whole.size(), 'k'));
  }
  key_in("key-missing", "without a key")
      .level(Level::should)
      .cites({"silence.missing-key", "commands.unrecognised"})
      .ignored(operation);
  key_in("key-missing-id", "without a key, with a request id")
      .level(Level::should)
      .cites({"silence.missing-key", "commands.unrecognised"})
      .ignored(fmt::format("77 {}", operation));
}

void add_unrecognised(Book& book) {
  const auto add = [&](std::string_view name, std::string_view title, std::string_view datagram) {
    book.add("ping", name, title)
        .cites({"commands.unrecognised", "request.form"})
        .ignored(datagram);
  };
  add("unknown-command", "a command that is not there", "no_such_command");
  add("unknown-command-id", "a command that is not there, with a request id",
      "27823 no_such_command");
  add("unknown-command-key", "a command that is not there, with a key",
      "27824 no_such_command some-key");
  add("empty-datagram", "a datagram of no bytes", "");
  add("only-id", "a request id alone", "5");
  add("only-id-and-space", "a request id and a space", "5 ");
  add("only-space", "a space", " ");
  add("only-newline", "a newline", "\n");
  add("reply-as-request", "a reply sent as a request", "17 pong");
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte) all_bytes.push_back(static_cast<char>(byte));
  add("all-bytes", "256 bytes, each value once", all_bytes);
  add("two-requests", "two requests in one datagram", "1 ping\n2 ping");
  add("argument", "ping with an argument", "6 ping pong");
  add("trailing-space", "ping with a space behind it", "ping ");
  book.add("get_size", "argument", "get_size with an argument")
      .cites({"commands.unrecognised", "request.form"})
      .ignored("7 get_size some-key");
  book.add("get_size", "trailing-space", "get_size with a space behind it")
      .cites({"commands.unrecognised", "request.form"})
      .ignored("get_size ");
}

std::vector<Transactions> written(const Readings& readings, protocol::Profile profile) {
  Book book(readings, profile);
  add_ids(book, "over_limit", "over_limit.format",
          [](Transactions& one, std::string_view id) -> Transactions& {
            return one.over_limit(id, one.key());
          });
  add_keys(book, "over_limit",
           [](Transactions& one, std::string_view id, std::string_view key) -> Transactions& {
             return one.over_limit(id, key);
           });
  add_near_misses(book, "over_limit", " hallmark:near");
  add_ids(book, "get_stats", "get_stats.format",
          [](Transactions& one, std::string_view id) -> Transactions& {
            return one.cites({"get_stats.key"}).get_stats(id, one.key());
          });
  add_keys(book, "get_stats",
           [](Transactions& one, std::string_view id, std::string_view key) -> Transactions& {
             return one.cites({"get_stats.key"}).get_stats(id, key);
           });
  add_near_misses(book, "get_stats", " hallmark:near");
  add_ids(book, "get_size", "get_size.format",
          [](Transactions& one, std::string_view id) -> Transactions& {
            return one.cites({"silence.size-field"}).get_size(id);
          });
  add_near_misses(book, "get_size", "");
  add_ids(book, "ping", "ping.pong",
          [](Transactions& one, std::string_view id) -> Transactions& { return one.ping(id); });
  add_near_misses(book, "ping", "");
  add_unrecognised(book);
  return std::move(book.all());
}

/// A vector against the reference model that gives the answers `served`.
class DatagramRehearsal {
 public:
  DatagramRehearsal(Vector& vector, const Readings& written, const Readings& served)
      : vector_(vector),
        written_(written),
        limiter_(protocol::ratelimit::example_rules(), model::rate_behaviour_of(served), most_keys),
        session_(limiter_, served) {}

  Result<void> run() {
    for (std::size_t i = 0; i < vector_.steps.size(); ++i) {
      if (const std::string why = step(vector_.steps[i]); !why.empty())
        return Error{fmt::format("{}, step {}: {}", vector_.id, i, why)};
    }
    return {};
  }

 private:
  std::string step(Step& step) {
    if (const auto* const send = std::get_if<Send>(&step.action)) {
      protocol::ByteBuffer out;
      session_.answer(send->bytes, now_ += pace, out);
      reply_.assign(out.view().begin(), out.view().end());
      return {};
    }
    if (auto* const expect = std::get_if<Expect>(&step.action))
      return compare(expect->any_of.front());
    return reply_.empty() ? "" : fmt::format("answered {}", protocol::printable(reply_, 64));
  }

  std::string compare(Expected& expected) {
    if (reply_.empty()) return "not answered";
    const Layout layout = *layout_of(expected, Width::none, written_);
    protocol::Decoder decoder(layout);
    if (decoder.resume(reply_) != protocol::Decoder::State::complete)
      return fmt::format("{} {}", decoder.error().field, decoder.error().reason);
    const protocol::MessageView message(decoder, reply_);
    Context none;
    if (const auto wrong = match(expected, message, none); !wrong.empty())
      return fmt::format("{} is {}, expected {}", wrong.front().field, wrong.front().received,
                         wrong.front().expected);
    expected.example = reply_;
    locate_fields(expected, layout);
    return {};
  }

  Vector& vector_;
  const Readings& written_;
  model::RateLimiter limiter_;
  server::DatagramSession session_;
  model::Time now_ = start;
  Bytes reply_;
};

/// The answers without which the model does not do what the vector says.
std::map<std::string, std::string> datagram_dependence_of(const Vector& vector,
                                                          const Readings& readings) {
  std::map<std::string, std::string> depends;
  for (const protocol::Reading& reading : readings.dialect().readings) {
    const std::string_view own = readings.answer(reading);
    for (const protocol::Answer& other : reading.answers) {
      Readings served = readings;
      if (other.id == own || !served.set(reading.id, other.id)) continue;
      Vector copy = vector;
      if (!DatagramRehearsal(copy, readings, served).run()) depends[std::string(reading.id)] = own;
    }
  }
  return depends;
}

}  // namespace

Result<std::vector<Vector>> rehearsed_datagrams(const Readings& readings,
                                                protocol::Profile profile) {
  std::vector<Vector> vectors;
  for (Transactions& one : written(readings, profile)) {
    Vector& vector = one.vector();
    if (const auto rehearsed = DatagramRehearsal(vector, readings, readings).run(); !rehearsed)
      return rehearsed.error();
    vector.readings = datagram_dependence_of(vector, readings);
    vectors.push_back(std::move(vector));
  }
  return vectors;
}

}  // namespace hallmark::vectors::generator
