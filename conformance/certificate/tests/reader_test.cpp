#include "conformance/certificate/reader.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <random>

#include "base/tests/temporary_directory.hpp"
#include "conformance/certificate/lines.hpp"
#include "conformance/certificate/writer.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::certificate {
namespace {

using ::testing::HasSubstr;

class Reader : public ::testing::Test {
 protected:
  std::string path() const { return directory_ / "certificate"; }

  /// A certificate of one part and one case.
  static Certificate sample() {
    Certificate made;
    made.tool = "0.1.0";
    made.commission.asked.dialect = &protocol::throttr_7_1;
    made.commission.asked.width = protocol::Width::u16;
    made.commission.asked.pins = {{"ip-field", "text"}};
    made.commission.filter.ids = {"*/query/*"};
    made.suite = {{{"throttr-7.1/u16/query.json", sha256_of("{}")}}, {"a", "b"}};
    conformance::Crossing open;
    open.kind = conformance::Crossing::Kind::open;
    open.link = 1;
    open.took = 12;
    made.parts = {{"basis", 0, 12, {open}}};
    made.result.header.dialect = "throttr-7.1";
    made.result.header.width = "u16";
    made.result.header.profile = "auto";
    made.result.header.target = "tcp://127.0.0.1:9000";
    made.result.suite = "vectors+behaviour";
    reports::CaseResult one;
    one.id = "a";
    one.title = "A case";
    one.operation = "QUERY";
    one.clauses = {"query.found"};
    one.verdict = reports::Verdict::pass;
    one.duration = std::chrono::nanoseconds(12);
    made.result.cases = {one};
    return made;
  }

  std::string written(const Certificate& certificate) const {
    auto writer = Writer::create(path(), certificate.tool);
    EXPECT_TRUE(writer);
    for (const conformance::Part& part : certificate.parts) (*writer)->take(part);
    EXPECT_TRUE((*writer)->finish(certificate.commission, certificate.suite, certificate.result));
    return directory_.read("certificate");
  }

  static std::string frame_of(std::string_view text) {
    Compressor compressor;
    std::string frame = compressor.add(text);
    return frame + compressor.finish();
  }

  static std::string text_of(std::string_view frame) {
    Decompressor decompressor;
    std::string text;
    while (!decompressor.ended()) text += decompressor.next(frame).value();
    return text;
  }

  static std::string complaint(std::string_view file) {
    const auto certificate = read(file, "FILE");
    return certificate ? "none" : certificate.error().message;
  }

  base::test::TemporaryDirectory directory_;
};

TEST_F(Reader, ReadsWhatWasWritten) {
  const Certificate original = sample();
  const auto back = read(written(original), "FILE");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->tool, original.tool);
  EXPECT_EQ(back->commission.asked.dialect, original.commission.asked.dialect);
  EXPECT_EQ(back->commission.asked.width, original.commission.asked.width);
  EXPECT_EQ(back->commission.asked.pins, original.commission.asked.pins);
  EXPECT_EQ(back->commission.filter.ids, original.commission.filter.ids);
  EXPECT_EQ(back->suite, original.suite);
  EXPECT_EQ(back->parts, original.parts);
  EXPECT_EQ(back->result, original.result);
}

TEST_F(Reader, RefusesEveryBeginningOfACertificate) {
  const std::string file = written(sample());
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_THAT(complaint(std::string_view(file).substr(0, size)), HasSubstr("FILE: "));
}

TEST_F(Reader, RefusesWhatFollowsACertificate) {
  EXPECT_THAT(complaint(written(sample()) + "x"), HasSubstr("bytes too many"));
}

TEST_F(Reader, RefusesWhatIsNoCertificate) {
  EXPECT_THAT(complaint("\x7f"
                        "ELF"),
              HasSubstr("is no certificate"));
  EXPECT_THAT(complaint(frame_of("hello\n")), HasSubstr("line 1 is not the beginning"));
  EXPECT_THAT(complaint(frame_of("")), HasSubstr("without its last line"));
}

TEST_F(Reader, SaysThatAFormatIsNewer) {
  EXPECT_THAT(complaint(frame_of("{\"hallmark_certificate\":2,\"tool\":\"9\"}\n")),
              HasSubstr("has format 2, and this program reads 1"));
}

TEST_F(Reader, RefusesALineWithoutItsHash) {
  std::string text = text_of(written(sample()));
  const auto at = text.find("\"ns\":12");
  ASSERT_NE(at, std::string::npos);
  text[at + 6] = '3';
  EXPECT_THAT(complaint(frame_of(text)), HasSubstr("the certificate was changed"));
}

TEST_F(Reader, HoldsAgainstABomb) {
  Compressor compressor;
  std::string bomb = compressor.add("{\"hallmark_certificate\":1,\"tool\":\"1\"}\n");
  const std::string zeros(std::size_t{1} << 20, '0');
  for (int i = 0; i < 20; ++i) bomb += compressor.add(zeros);
  bomb += compressor.finish();
  ASSERT_LT(bomb.size(), std::size_t{10} << 10);
  const auto read_back = read(bomb, "FILE", {std::size_t{16} << 20, std::size_t{2} << 20});
  ASSERT_FALSE(read_back);
  EXPECT_THAT(read_back.error().message, HasSubstr("line 1 is longer than 2 MiB"));
}

TEST_F(Reader, HoldsAgainstLinesWithoutEnd) {
  Compressor compressor;
  std::string bomb = compressor.add(
      "{\"hallmark_certificate\":1,\"tool\":\"1\"}\n{\"part\":\"basis\",\"began_ns\":0}\n{"
      "\"judged\":"
      "\"x\",\"text\":\"");
  const std::string text(std::size_t{1} << 10, 'a');
  const std::string line = "\"}\n{\"judged\":\"x\",\"text\":\"";
  for (int i = 0; i < 2000; ++i) bomb += compressor.add(text + line);
  bomb += compressor.finish();
  const auto read_back = read(bomb, "FILE", {std::size_t{1} << 20, std::size_t{1} << 16});
  ASSERT_FALSE(read_back);
  EXPECT_THAT(read_back.error().message, HasSubstr("goes beyond 1 MiB"));
}

TEST_F(Reader, HoldsAgainstNestingWithoutEnd) {
  const std::string deep(100'000, '[');
  EXPECT_THAT(complaint(frame_of(
                  "{\"hallmark_certificate\":1,\"tool\":\"1\"}\n{\"commission\":" + deep + "\n")),
              HasSubstr("line 2 column 26: nests deeper than 12 levels"));
}

/// Damaged text under a frame that is in order, with hashes that are.
TEST_F(Reader, NeverFailsOtherwiseThanWithOneLine) {
  const std::string text = text_of(written(sample()));
  std::mt19937 random(7);
  for (int i = 0; i < 600; ++i) {
    std::string damaged = text;
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0: damaged[at] = static_cast<char>(random() % 256); break;
        case 1: damaged.erase(at, 1 + random() % 20); break;
        default: damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 40));
      }
    }
    const auto last = damaged.rfind("{\"end\"");
    if (last != std::string::npos)
      damaged = damaged.substr(0, last) + "{\"end\":{\"sha256\":\"" +
                sha256_of(damaged.substr(0, last)) + "\"}}\n";
    const std::string said = complaint(frame_of(damaged));
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace hallmark::certificate
