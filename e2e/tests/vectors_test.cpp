#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Vectors : public EndToEnd {
 protected:
  /// A copy of the committed vectors under `copy`.
  void copy_vectors() {
    fs::create_directories(directory_ / "copy");
    std::vector<std::string_view> parts{"captured", "schema"};
    for (const auto* dialect : protocol::all_dialects) parts.push_back(dialect->name);
    for (const std::string_view part : parts) {
      fs::copy(fs::path(places::source("vectors")) / part, directory_ / "copy" / part,
               fs::copy_options::recursive);
    }
  }
};

const char* const insert_u16 = "copy/throttr-7.1/u16/insert.json";

TEST_F(Vectors, CommittedOnesAreAsGenerated) {
  const auto outcome = hallmark({"vectors", "check"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

TEST_F(Vectors, DriftIsFound) {
  copy_vectors();
  auto text = read(insert_u16);
  const auto at = text.find("/insert/typical");
  ASSERT_NE(at, std::string::npos);
  write(insert_u16, text.replace(at + 8, 7, "changed"));
  fs::remove(directory_ / "copy/throttr-7.1/u8/list.json");
  fs::remove(directory_ / "copy/ratelimit-state/gcra.json");
  fs::remove(directory_ / "copy/throttr-2.0/literal/u64/insert.json");
  write("copy/throttr-7.1/u8/extra.json", "{}");
  const auto outcome = hallmark({"vectors", "check", "--dir", "copy"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("missing    throttr-2.0/literal/u64/insert.json\n"));
  EXPECT_THAT(outcome.out, HasSubstr("missing    throttr-7.1/u8/list.json\n"));
  EXPECT_THAT(outcome.out, HasSubstr("missing    ratelimit-state/gcra.json\n"));
  EXPECT_THAT(outcome.out, HasSubstr("extra      throttr-7.1/u8/extra.json\n"));
  EXPECT_THAT(outcome.out, HasSubstr("differs    throttr-7.1/u16/insert.json:"));
  EXPECT_THAT(outcome.out, HasSubstr("first vector throttr-7.1/u16/insert/typical\n"));
  EXPECT_THAT(outcome.out, HasSubstr("DRIFT  3 missing, 1 extra, 1 different"));
}

TEST_F(Vectors, GenerateMendsDriftAndLeavesCapturesAlone) {
  copy_vectors();
  write(insert_u16, "{}");
  write("copy/throttr-7.1/u8/extra.json", "{}");
  write("copy/captured/throttr-5.0.3-u16.jsonl", "kept");
  EXPECT_EQ(hallmark({"vectors", "generate", "--out", "copy"}).exit_code, 0);
  EXPECT_EQ(hallmark({"vectors", "check", "--dir", "copy"}).exit_code, 0);
  EXPECT_FALSE(exists("copy/throttr-7.1/u8/extra.json"));
  EXPECT_EQ(read("copy/captured/throttr-5.0.3-u16.jsonl"), "kept");
}

TEST_F(Vectors, GeneratedIntoAnEmptyDirectoryAreTheCommittedOnes) {
  EXPECT_EQ(hallmark({"vectors", "generate", "--out", "new"}).exit_code, 0);
  const auto committed = fs::path(places::source("vectors/throttr-7.1/u64/update.json"));
  EXPECT_EQ(read("new/throttr-7.1/u64/update.json"), read(committed.string()));
}

TEST_F(Vectors, UnwritablePlaceIsAnError) {
  write("file", "");
  const auto outcome = hallmark({"vectors", "generate", "--out", "file/below"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, one_line_with({"file/below"}));
}

TEST_F(Vectors, ListIsFiltered) {
  const auto outcome = hallmark(
      {"vectors", "list", "--width", "u16", "--operation", "insert", "--filter", "*/quota-*"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("throttr-6.0/u16/insert/quota-"));
  EXPECT_THAT(outcome.out, HasSubstr("throttr-7.1/u16/insert/quota-"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("/query/")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("/u8/")));
}

TEST_F(Vectors, ListIsOfADialectAndAProfile) {
  const auto all = hallmark({"vectors", "list", "--dialect", "throttr-2.0"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_THAT(all.out, HasSubstr("throttr-2.0/u64/insert/existing"));
  EXPECT_THAT(all.out, HasSubstr("throttr-2.0/literal/u64/insert/existing"));
  EXPECT_THAT(all.out, Not(HasSubstr("throttr-7.1")));
  const auto literal =
      hallmark({"vectors", "list", "--dialect", "throttr-2.0", "--profile", "literal"});
  EXPECT_EQ(literal.exit_code, 0);
  EXPECT_THAT(literal.out, HasSubstr("throttr-2.0/literal/u64/insert/existing"));
  EXPECT_THAT(literal.out, Not(HasSubstr("throttr-2.0/u64/")));
}

TEST_F(Vectors, ListRefusesWhatNobodyHas) {
  const auto profile = hallmark({"vectors", "list", "--profile", "odd"});
  EXPECT_EQ(profile.exit_code, 2);
  EXPECT_THAT(profile.err, one_line_with({"odd", "deployed, literal"}));
  const auto width = hallmark({"vectors", "list", "--dialect", "throttr-2.0", "--width", "u8"});
  EXPECT_EQ(width.exit_code, 2);
  EXPECT_THAT(width.err, one_line_with({"unknown width 'u8'", "u64"}));
  const auto nothing =
      hallmark({"vectors", "list", "--dialect", "throttr-7.3", "--profile", "literal"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, one_line_with({"no vector matches"}));
}

TEST_F(Vectors, ShowIsReadable) {
  const auto outcome = hallmark({"vectors", "show", "throttr-7.1/u16/insert/typical"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* part : {"sends INSERT", "opcode", "key_size", "receives", "status", "success",
                           "right for every server that gives ttl-left=left-rounded-down\n"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
}

TEST_F(Vectors, ShowReadsLayoutsByTheVectorsAnswers) {
  const auto outcome = hallmark({"vectors", "show", "throttr-7.1/literal/u16/publish/typical"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("publish-reply=status"));
  EXPECT_THAT(outcome.out, HasSubstr("PUBLISH reply"));
  const auto pair = hallmark({"vectors", "show", "throttr-2.0/u64/query/found"});
  EXPECT_EQ(pair.exit_code, 0);
  EXPECT_THAT(pair.out, HasSubstr("request_id"));
  EXPECT_THAT(pair.out, HasSubstr("consumer_id"));
}

}  // namespace
}  // namespace hallmark::e2e
