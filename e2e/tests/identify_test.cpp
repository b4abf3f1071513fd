#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <map>
#include <thread>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

/// `hallmark identify` against servers of every dialect, and against what is none.
namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

/// The format that a server is started with.
struct ServerFormat {
  std::string dialect;
  std::string width;
  std::string profile;
};

std::vector<ServerFormat> server_formats() {
  std::vector<ServerFormat> all;
  for (const char* const profile : {"deployed", "literal"}) {
    all.push_back({"throttr-2.0", "u64", profile});
    all.push_back({"throttr-6.0", "u8", profile});
    all.push_back({"throttr-6.0", "u32", profile});
    all.push_back({"throttr-7.1", "u16", profile});
    all.push_back({"throttr-7.1", "u64", profile});
    all.push_back({"throttr-7.3", "u8", profile});
    all.push_back({"throttr-7.3", "u16", profile});
  }
  return all;
}

std::string name_of(const ServerFormat& one) {
  std::string name = one.dialect + "_" + one.width + "_" + one.profile;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

std::map<std::string, std::string> answers_in(const Json& result) {
  std::map<std::string, std::string> answers;
  for (const auto& finding : result["findings"].items())
    answers[finding["subject"].string()] = finding["answer"].string();
  return answers;
}

class Identify : public EndToEnd {
 protected:
  Json identified(const std::string& target) {
    const auto outcome = hallmark({"identify", target, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    write("identified.json", outcome.out);
    EXPECT_EQ(violations("identify.schema.json", "identified.json"), "");
    return parsed(outcome.out);
  }
};

class IdentifySpoken : public Identify, public testing::WithParamInterface<ServerFormat> {};

/// The version that INFO names is that of another dialect.
TEST_P(IdentifySpoken, IsNamedAndNothingIsLeftBehind) {
  const auto& [dialect, width, profile] = GetParam();
  Server server(width, directory_.string(), {"tcp://127.0.0.1:0"},
                {"--dialect", dialect, "--profile", profile, "--info-version",
                 dialect == "throttr-7.3" ? "7.1.1" : "7.3.2"});
  const auto result = identified(server.target());
  EXPECT_EQ(result["header"]["dialect"], dialect);
  EXPECT_EQ(result["header"]["width"], width);
  EXPECT_THAT(result["header"]["profile"].string(), HasSubstr(profile));
  for (const auto& finding : result["findings"].items()) EXPECT_FALSE(finding["clues"].empty());
  if (dialect == "throttr-2.0") return;
  // The cases that need an empty server are skipped where it holds anything.
  const auto outcome = hallmark({"certify", server.target(), "--dialect", dialect, "--width", width,
                                 "--filter", "*/list/*", "--exclusive", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ(read("run.json").find("needs an empty target"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Spoken, IdentifySpoken, testing::ValuesIn(server_formats()),
                         [](const auto& row) { return name_of(row.param); });

TEST_F(Identify, TellsAnswersOfNoProfileWithTheirEvidence) {
  Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"},
                {"--reading", "ip-field=raw", "--reading", "set-value-size=one-byte", "--reading",
                 "connection-id=index", "--reading", "connection-index=from-1", "--reading",
                 "publish-self=yes"});
  const auto answers = answers_in(identified(server.target()));
  EXPECT_EQ(answers.at("ip-field"), "raw");
  EXPECT_EQ(answers.at("set-value-size"), "one-byte");
  EXPECT_EQ(answers.at("connection-id"), "index");
  EXPECT_EQ(answers.at("connection-index"), "from-1");
  EXPECT_EQ(answers.at("publish-self"), "yes");
  EXPECT_EQ(answers.at("whoami"), "id");
  EXPECT_EQ(answers.at("opcode-unknown"), "");
  const auto text = hallmark({"identify", server.target()}).out;
  EXPECT_THAT(text, AllOf(HasSubstr("    sent   CONNECTIONS: 14\n"),
                          HasSubstr("not as deployed: set-value-size=one-byte connection-id=index "
                                    "connection-index=from-1 ip-field=raw publish-self=yes (in ")));
}

TEST_F(Identify, UnixSocket) {
  Server server("u32", directory_.string(), {"unix://" + path("s")});
  const auto outcome = hallmark({"identify", server.target()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("throttr-7.1 at u32, profile deployed"));
}

TEST_F(Identify, ExecTargetIsStartedOnceAndStopped) {
  write("serve.sh", fmt::format("echo started >> starts\nexec '{}' serve --dialect throttr-6.0 "
                                "--width u8 --listen tcp://127.0.0.1:$1\n",
                                places::program()));
  const auto outcome = hallmark({"identify", "exec:sh serve.sh {port}"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("throttr-6.0 at u8"));
  EXPECT_EQ(read("starts"), "started\n");
}

TEST_F(Identify, NobodyThereIsUnreachable) {
  const Nobody nobody;
  const auto outcome = hallmark({"identify", nobody.target()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, one_line_with({"hallmark identify: ", "refused"}));
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Identify, RefusesWhatIsNoTargetAndNoDeadline) {
  EXPECT_EQ(hallmark({"identify", "http://localhost"}).exit_code, 2);
  const auto outcome = hallmark({"identify", "tcp://127.0.0.1:1", "--deadline", "0s"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"--deadline 0s; allowed: more than 0, at most 1m"}));
}

/// A server on a port of this process that is no Throttr: what it says first, and to each segment.
class Impostor : public Port {
 public:
  using Answer = std::function<std::string(const std::string& segment)>;

  Impostor(std::string greeting, Answer answer)
      : greeting_(std::move(greeting)), answer_(std::move(answer)) {
    if (::listen(socket_, 64) != 0) throw std::runtime_error("cannot listen");
    thread_ = std::thread([this] { serve(); });
  }
  ~Impostor() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
  }

 private:
  void serve() const {
    for (;;) {
      const int client = ::accept(socket_, nullptr, nullptr);
      if (client < 0) return;
      talk(client);
      ::close(client);
    }
  }

  void talk(int client) const {
    if (!say(client, greeting_)) return;
    char buffer[4096];
    for (;;) {
      const auto got = ::recv(client, buffer, sizeof buffer, 0);
      if (got <= 0) return;
      if (!say(client, answer_({buffer, static_cast<std::size_t>(got)}))) return;
    }
  }

  /// An empty answer ends the connection, unless it is a greeting.
  bool say(int client, const std::string& text) const {
    if (text.empty()) return &text == &greeting_;
    return ::send(client, text.data(), text.size(), MSG_NOSIGNAL) > 0;
  }

  std::string greeting_;
  Answer answer_;
  std::thread thread_;
};

struct Known {
  std::string name;
  std::string greeting;
  Impostor::Answer answer;
  std::string says;
};

Impostor::Answer always(const std::string& text) {
  return [text](const std::string&) { return text; };
}

/// A mebibyte, made when it is sent: every test that is started would copy it otherwise.
std::string much(const std::string&) { return std::string(1 << 20, 'x'); }

std::vector<Known> impostors() {
  return {{"http", "", always("HTTP/1.1 400 Bad Request\r\n\r\n"), "as HTTP servers do"},
          {"echo", "", [](const std::string& segment) { return segment; }, "as echo servers do"},
          {"one", "", always("\x01"), "with 01"},
          {"zero", "", always(std::string(1, '\0')), "with 00"},
          {"closing", "", always(""), "it closed the connection without a byte"},
          {"endless", std::string(1 << 10, 'x'), much, "with 78 78"},
          {"tls", "", always("\x15\x03\x03\x02\x02\x46"), "as TLS servers do"},
          {"redis", "", always("-ERR unknown command\r\n"), "as Redis and mail servers do"},
          {"smtp", "220 mail.example ESMTP\r\n", always("500 what\r\n"), "220 mail.example"}};
}

class IdentifyImpostor : public Identify, public testing::WithParamInterface<Known> {};

TEST_P(IdentifyImpostor, IsNoThrottr) {
  const Impostor impostor(GetParam().greeting, GetParam().answer);
  const auto outcome = hallmark({"identify", impostor.target()});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("no Throttr: "), HasSubstr(GetParam().says)));
}

INSTANTIATE_TEST_SUITE_P(Impostors, IdentifyImpostor, testing::ValuesIn(impostors()),
                         [](const auto& row) { return row.param.name; });

TEST_F(Identify, ASilentPortIsToldWithinTheDeadline) {
  const Silence silence;
  const auto outcome = hallmark({"identify", silence.target(), "--deadline", "200ms", "--json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  write("identified.json", outcome.out);
  EXPECT_EQ(violations("identify.schema.json", "identified.json"), "");
  const auto result = parsed(outcome.out);
  EXPECT_THAT(result["stranger"].string(), HasSubstr("it said nothing"));
  EXPECT_EQ(result["header"]["dialect"], "");
}

}  // namespace
}  // namespace hallmark::e2e
