#include "reports/tests/samples.hpp"

#include <fmt/format.h>

#include <limits>

namespace hallmark::reports::samples {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

Exchange sent_query() {
  Exchange exchange;
  exchange.connection = "c1";
  exchange.at = microseconds(12);
  exchange.bytes = {0x02, 0x03, 'a', 'b', 'c'};
  exchange.fields = {{"opcode", 0, 1, "QUERY", false, ""},
                     {"key_size", 1, 1, "3", false, ""},
                     {"key", 2, 3, "\"abc\"", false, ""}};
  return exchange;
}

Exchange received_with_other_width() {
  Exchange exchange;
  exchange.connection = "c1";
  exchange.direction = Direction::received;
  exchange.at = microseconds(140);
  exchange.bytes = {0x01, 0x07, 0x04, 0x3c};
  exchange.expected = Bytes{0x01, 0x07, 0x00, 0x04, 0x3c, 0x00};
  exchange.fields = {{"status", 0, 1, "success", false, ""},
                     {"quota", 1, 2, "1031", true, "7"},
                     {"ttl_type", 3, 1, "unknown (3c)", true, "seconds"}};
  return exchange;
}

CaseResult of_verdict(Verdict verdict, std::string id, std::string reason) {
  auto result = passed(std::move(id), "PUBLISH");
  result.verdict = verdict;
  result.reason = std::move(reason);
  return result;
}

CaseResult garbage() {
  auto result = of_verdict(Verdict::fail, "publish/garbage",
                           "\x1b[31mnot a status\x1b[0m and broken UTF-8 \xff");
  result.level = Level::should;
  result.code = Code{.message = "PUBLISH", .promise = "a status | is <one> byte"};
  Exchange exchange;
  exchange.connection = "subscriber";
  exchange.direction = Direction::received;
  exchange.at = milliseconds(3);
  exchange.bytes.assign(300, 0xee);
  exchange.omitted = 4'000'000;
  result.evidence = {exchange};
  return result;
}

OperationLoad operation(std::string name, std::uint64_t count, std::uint64_t base) {
  const Quantiles quantiles{count,     base,      base * 2,
                            base * 3,  base * 9,  base * 30,
                            base * 70, base * 99, 2.5 * static_cast<double>(base)};
  return {std::move(name),
          {count, count, 0, 0, 0},
          {quantiles, "HISTFAAAAAx4nAMAAAAAAQ=="},
          {quantiles, "HISTFAAAAAx4nAMAAAAAAQ=="}};
}

}  // namespace

RunHeader header() {
  RunHeader header;
  header.version = "0.1.0";
  header.dialect = "throttr-7.1";
  header.width = "u16";
  header.profile = "deployed";
  header.readings = {"publish-self=yes", "set-value-size=one-byte", "connection-index=from-1",
                     "channels-subscribers=four-bytes", "decrease-below-zero=wrapped"};
  header.answers = {{"publish-self", "yes", "yes"}, {"ttl-zero", "expired", ""}};
  header.notes = {"throttr-6.0 is contained in throttr-7.1, which the target speaks"};
  header.target = "tcp://127.0.0.1:9000";
  header.started =
      std::chrono::sys_days(std::chrono::year(2024) / 5 / 1) + milliseconds(45'000'250);
  header.duration = milliseconds(1234);
  header.options = {{"seed", "7"}, {"jobs", "4"}, {"deadline", "2s"}};
  return header;
}

CaseResult passed(std::string id, std::string operation) {
  CaseResult result;
  result.id = std::move(id);
  result.operation = std::move(operation);
  result.title = "A title of " + result.id;
  result.clauses = {"7.1/" + result.operation};
  result.verdict = Verdict::pass;
  result.duration = microseconds(420);
  return result;
}

CaseResult wrong_width() {
  auto result = passed("query/typical", "QUERY");
  result.title = "QUERY of a counter answers its quota and what is left of its TTL";
  result.clauses = {"7.1/QUERY", "7.1/Status"};
  result.verdict = Verdict::fail;
  result.reason = "quota is 1031, expected 7; the reply ends 2 bytes early";
  result.code = Code{.kind = Code::Kind::wrong_field, .message = "QUERY", .field = "quota"};
  result.likely_cause = "the target serves width u8";
  result.evidence = {sent_query(), received_with_other_width()};
  result.reproduction = {"c1: 01 03 07 00 04 3c 00 61 62 63", "c1: 02 03 61 62 63"};
  return result;
}

namespace {

Death died_of(std::string id) {
  Death death;
  death.how = "killed by signal 11 (Segmentation fault)";
  death.at = milliseconds(1200);
  death.lived = milliseconds(400);
  death.output = {"listening", "panic: at once"};
  death.running = {id, "insert/typical"};
  death.cause = DeathCause::one_case;
  death.conclusion = id + " kills it: alone against a fresh process, too";
  Exchange last = sent_query();
  last.connection = id + " connection 7";
  Exchange other = sent_query();
  other.connection = "insert/typical connection 8";
  death.last_sent = {last, other};
  death.killer = std::move(id);
  return death;
}

}  // namespace

CertifyFinding finding_of(const CaseResult& one) {
  CertifyFinding finding;
  finding.id = "wrong-field-00beef";
  finding.kind = "wrong-field";
  finding.sentence = one.title + ": " + one.reason;
  finding.severity = Severity::medium;
  finding.clauses = one.clauses;
  finding.shown_by = one.id;
  finding.script = one.reproduction;
  finding.cases = {one.id};
  finding.repeated = one.repeated;
  return finding;
}

CertifyResult mixed() {
  CertifyResult result;
  result.header = header();
  result.suite = "vectors+behaviour";
  result.cases = {
      passed("insert/typical", "INSERT"),
      wrong_width(),
      garbage(),
      of_verdict(Verdict::indeterminate, "publish/late", "decided between 1 ms and 9 ms"),
      of_verdict(Verdict::unsupported, "publish/absent", "answers no PUBLISH"),
      of_verdict(Verdict::error, "publish/ours", "cannot open a second connection"),
      of_verdict(Verdict::skipped, "publish/exclusive", "needs `exclusive`, target is shared"),
      of_verdict(Verdict::known, "publish/known", "payload is longer | by 3")};
  result.cases.back().known = "known failure: #42 <look>";
  result.cases.back().code =
      Code{.kind = Code::Kind::wrong_field, .message = "PUBLISH", .field = "payload"};
  result.missing_operations = {"PUBLISH"};
  result.deaths = {died_of(result.cases[1].id)};
  result.cases[1].repeated = {.failed = 2, .played = 3};
  result.findings = {finding_of(result.cases[1])};
  result.cases[0].duration = nanoseconds(std::numeric_limits<std::int64_t>::max());
  result.cases[1].evidence[1].omitted = 0;
  return result;
}

CertifyResult all_passed() {
  CertifyResult result;
  result.header = header();
  result.suite = "vectors";
  for (int i = 0; i < 180; ++i) {
    result.cases.push_back(passed(fmt::format("case/{}", i), fmt::format("OPERATION_{}", i % 18)));
  }
  return result;
}

CertifyResult lacking_operations() {
  auto result = all_passed();
  for (const char* const operation : {"STAT", "PUBLISH"}) {
    auto one =
        of_verdict(Verdict::unsupported, fmt::format("{}/absent", operation), "is not there");
    one.operation = operation;
    result.cases.push_back(std::move(one));
  }
  result.missing_operations = {"STAT", "PUBLISH"};
  return result;
}

CertifyResult untested_rules() {
  auto result = all_passed();
  result.untested_rules = {
      {3, R"(2500/10 strict "ws global")", "rule",
       "it has one key, which real users share; --exclusive tests it"},
      {5, R"(900/10 strict "ws ua=*")", "limit", "a case makes at most 500 uses in a row"},
      {8, R"(3/2 leaky stats "ws ip=*" as "\1")", "rule",
       "line 7 takes the keys that were made for it; --key-pattern names others"}};
  return result;
}

CertifyResult many_failures(std::size_t failures) {
  auto result = all_passed();
  for (std::size_t i = 0; i < failures; ++i) {
    auto& one = result.cases[i];
    const auto id = one.id;
    const auto operation_name = one.operation;
    one = wrong_width();
    one.id = id;
    one.operation = operation_name;
    one.evidence[1].bytes.assign(400, static_cast<std::uint8_t>(i));
    one.evidence[1].expected = Bytes(600, 0xaa);
    one.reproduction.assign(20, "c1: 00 01 02");
  }
  return result;
}

CertifyResult unreachable() {
  CertifyResult result;
  result.header = header();
  result.suite = "vectors";
  result.run_error = "cannot connect to tcp://127.0.0.1:9000: Connection refused";
  return result;
}

IdentifyResult identified() {
  IdentifyResult result;
  result.header = header();
  result.header.readings.clear();
  result.header.answers.clear();
  result.header.notes.clear();
  result.header.options = {{"deadline", "2s"}};
  result.findings = {
      {"dialect",
       "throttr-7.1",
       {{"QUERY, whole in 2.0 and in 6.0 and later: 02 19 00", "00", "one status: 6.0 or later"},
        {"CONNECTIONS: 14", "01 01 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 … (260 bytes)",
         "a whole message of throttr-7.1, not of throttr-7.3"}}},
      {"width", "u16", {{"INSERT", "01 00 00 00 00 01 00", "one INSERT, its key as u16 reads it"}}},
      {"whoami", "id", {{"WHOAMI: 18", "01 5f", "of throttr-7.1 a whole message only so"}}}};
  return result;
}

IdentifyResult identified_between_profiles() {
  auto result = identified();
  result.header.profile.clear();
  result.header.readings = {"insert-existing=replaced"};
  result.findings.push_back({"ip-field", "", {{"", "", "no message that came shows it"}}});
  return result;
}

IdentifyResult stranger() {
  auto result = identified();
  result.header.dialect.clear();
  result.header.width.clear();
  result.header.profile.clear();
  result.findings.clear();
  result.stranger = "it answered a QUERY with 48 54 \"HTTP/1.1 \x1b[2J\", as HTTP servers do";
  return result;
}

IdentifyResult half_identified() {
  auto result = identified();
  result.header.dialect.clear();
  result.header.profile.clear();
  result.findings.front().answer.clear();
  return result;
}

LoadResult open_loop() {
  LoadResult result;
  result.header = header();
  result.header.options = {{"mix", "query=90,update=10"}, {"connections", "64"}};
  result.rate_asked = 50'000;
  result.rate_achieved = 49'998.75;
  result.operations = {operation("query", 450'000, 10'250), operation("update", 50'000, 11'000)};
  result.counts = {500'000, 500'000, 0, 0, 0};
  result.corrected = operation("", 500'000, 10'250).corrected;
  result.uncorrected = operation("", 500'000, 9'001).uncorrected;
  result.send_lag = operation("", 500'000, 1'250).uncorrected;
  result.bytes_out = std::uint64_t{1} << 60;
  result.bytes_in = 2'500'000;
  result.cpu_user_seconds = 3.25;
  result.cpu_system_seconds = 1.5;
  result.requests_per_write = 1.75;
  result.replies_per_read = 2;
  result.series = {{0, 50'000, 49'990, 0, 20'500, 92'250, 1'014'750},
                   {1, 50'000, 50'010, 0, 20'500, 92'250, 717'500}};
  return result;
}

/// A result with all that a run over TCP can tell of itself.
LoadResult explained() {
  auto result = open_loop();
  const Latency latency = operation("", 500'000, 9'001).uncorrected;
  result.series.front().histogram = latency.histogram;
  result.series.back().length_s = 0.25;
  result.slowest = {
      {.latency_ns = 1'014'750,
       .operation = "query",
       .key = "load:c0042",
       .index = 417,
       .connection = 33,
       .place_in_write = 2,
       .place_in_read = 1,
       .planned_ns = 8'340'000,
       .sent_ns = 8'341'250,
       .read_ns = 9'354'750,
       .kernel_sent_ns = 8'343'000,
       .kernel_received_ns = 9'350'000,
       .tcp = TcpFacts{45, 12, 10, 1, 3}},
      {.latency_ns = 900'000, .operation = "stats", .key = "", .sent_ns = 1, .read_ns = 900'000}};
  result.stages = {latency, latency, latency, latency, 7};
  result.connections = {70, 5, 1, 1, 2, 1'250'000'000, latency};
  result.fan_out = {20, 1'000, 20'000, 19'999, 3, latency};
  result.records = {48,
                    12'345,
                    1,
                    1,
                    1,
                    2'000,
                    1,
                    10'000,
                    1,
                    {{"load:c00000",
                      "no order of the requests explains their replies: INCREASE 1 → ok",
                      {"     c1     ├INCREASE 1 → ok┤", "     c2       ├QUERY → 8┤"},
                      {{1, 417, 8'341'250, 9'354'750, "03 00 01 01 00", "01"},
                       {2, 418, 8'341'300, {}, "02 0b", ""}}},
                     {"load:c00001", "the counter is 7; by what was added and taken away, 8"}}};
  result.client = {.threads = {{0.5, 0.01}, {0.25, 0.02}},
                   .stolen_share = 0.0125,
                   .throttled_s = 0.5,
                   .schedule = ScheduleCertificate{"poisson", 1'000'000, 0.0025,
                                                   ProcessTest{Met::yes, 100, 781, 0.75, 0.5}},
                   .sockets = SocketFacts{64, true, true, 3'939'840, 131'072},
                   .taints = {"the system throttled the client for 0.500 s"}};
  return result;
}

LoadResult closed_loop_with_errors() {
  auto result = open_loop();
  result.loop = LoopKind::closed;
  result.depth = 16;
  result.send_lag = {};
  result.rate_asked.reset();
  result.counts = {500'000, 499'988, 5, 3, 4};
  result.operations[1].counts = {50'000, 49'988, 5, 3, 4};
  result.operations.push_back({"purge", {}, {}, {}});
  result.errors = {{"timeout", 5, "query of \"k17\" had no reply after 2 s"},
                   {"unexpected reply", 4, "status \x1b[2J where 00 or 01 was due"}};
  result.interrupted = true;
  result.inconclusive = "the client used all of its CPU";
  return result;
}

LoadResult with_objectives() {
  auto result = open_loop();
  result.objectives = {{"p99<5ms", "p99", 92'250.0, "92.2 µs", Met::yes},
                       {"errors<0.01%", "errors", 0.004, "0.4 %", Met::no},
                       {"p99.99<2s", "p99.99", 1e9, ">= 1 s", Met::unknown, true}};
  return result;
}

LoadResult datagrams() {
  auto result = open_loop();
  result.header.dialect = "ratelimit-udp";
  result.header.width.clear();
  result.header.target = "udp://127.0.0.1:2000";
  result.operations = {operation("over_limit", 499'990, 10'250)};
  result.counts = {500'000, 499'990, 10, 0, 0};
  result.operations[0].counts = result.counts;
  for (Latency* latency :
       {&result.corrected, &result.uncorrected, &result.operations[0].corrected}) {
    auto& q = latency->quantiles;
    q.p9999 = q.max = {100'000'000, true};
    q.mean = {27'000, true};
    latency->censored = {10, 100'000'000,
                         "HISTFAAAAAx4nAMAAAAAAQ==", "10 of 500,000 requests have no reply"};
  }
  result.series[1].max = {100'000'000, true};
  result.series[1].censored = "HISTFAAAAAx4nAMAAAAAAQ==";
  result.series[1].drained = 3;
  result.series[1].reconnects = 2;
  DatagramLoad& load = result.datagram.emplace();
  load.counts = {500'000, 0, 0, 500'000, 499'990, 0, 3, 7, 499'996, 1, 1, 1};
  load.trouble = {0, 2, 1, 0, 5};
  load.receive_buffer = 8'388'608;
  load.limits = {.uses = 499'990,
                 .decided = 400'000,
                 .unlimited = 4,
                 .over_admissions = 1,
                 .under_admissions = 0,
                 .wrong_rates = 0,
                 .wrong_limits = 0,
                 .undecided = 2,
                 .findings = {{.kind = "over-admission",
                               .key = "ws ip=\x1b[2J1",
                               .from_ns = 1'000'000,
                               .to_ns = 1'250'000,
                               .admitted = 24,
                               .allowed = 23,
                               .reason = "the limit of 22 in 20 s allows no more",
                               .uses = {{1'200'000, 1'250'000, false, 23}}}}};
  load.server = {.keys = 2,
                 .unanswered = 1,
                 .disagreeing = 1,
                 .n_req = 9,
                 .at_least = 10,
                 .at_most = 11,
                 .example = "\"ws ip=1\": n_req 9; 10 answered, 11 sent"};
  return result;
}

LoadResult store() {
  auto result = open_loop();
  result.header.dialect = "ratelimit-state";
  result.header.width.clear();
  result.header.target = "redis://127.0.0.1:6379";
  result.operations = {operation("decide", 500'000, 10'250)};
  result.operations[0].counts = {500'000, 500'000, 0, 0, 0};
  result.bytes_out = result.bytes_in = 0;
  result.requests_per_write = result.replies_per_read = 0;
  StoreLoad& load = result.store.emplace();
  load.counts = {300'000, 200'000, 1'250, 1'250, 0};
  load.admissions = {.judged = 300'000,
                     .not_judged = 3,
                     .exceeded = 1,
                     .findings = {{.key = "hallmark:\x1b[2J7",
                                   .from_ns = 1'000'000,
                                   .to_ns = 1'250'000,
                                   .admitted = 11,
                                   .allowed = 10,
                                   .reason = "token-bucket: at most 10 at once, and 5 a second"}}};
  return result;
}

}  // namespace hallmark::reports::samples
