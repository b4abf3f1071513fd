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
    std::vector<std::string_view> parts{"captured", "schema", "layouts", "invalid"};
    for (const auto* dialect : protocol::all_dialects) parts.push_back(dialect->name);
    for (const std::string_view part : parts) {
      fs::copy(fs::path(places::source("vectors")) / part, directory_ / "copy" / part,
               fs::copy_options::recursive);
    }
  }
};

const char* const insert = "copy/throttr-7.1/insert.json";

TEST_F(Vectors, CommittedOnesAreAsGenerated) {
  const auto outcome = hallmark({"vectors", "check"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

TEST_F(Vectors, DriftIsFound) {
  copy_vectors();
  auto text = read(insert);
  const auto at = text.find("/insert/typical");
  ASSERT_NE(at, std::string::npos);
  write(insert, text.replace(at + 8, 7, "changed"));
  fs::remove(directory_ / "copy/throttr-7.1/list.json");
  fs::remove(directory_ / "copy/ratelimit-state/gcra.json");
  fs::remove(directory_ / "copy/throttr-2.0/literal/insert.json");
  fs::remove(directory_ / "copy/layouts/throttr-6.0.json");
  fs::remove(directory_ / "copy/invalid/ratelimit-udp.json");
  write("copy/throttr-7.1/extra.json", "{}");
  const auto outcome = hallmark({"vectors", "check", "--dir", "copy"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("missing    throttr-2.0/literal/insert.json\n"));
  EXPECT_THAT(outcome.out, HasSubstr("missing    layouts/throttr-6.0.json\n"));
  EXPECT_THAT(outcome.out, HasSubstr("missing    invalid/ratelimit-udp.json\n"));
  EXPECT_THAT(outcome.out, HasSubstr("missing    throttr-7.1/list.json\n"));
  EXPECT_THAT(outcome.out, HasSubstr("missing    ratelimit-state/gcra.json\n"));
  EXPECT_THAT(outcome.out, HasSubstr("extra      throttr-7.1/extra.json\n"));
  EXPECT_THAT(outcome.out, HasSubstr("differs    throttr-7.1/insert.json:"));
  EXPECT_THAT(outcome.out, HasSubstr("first vector throttr-7.1/u8/insert/typical\n"));
  EXPECT_THAT(outcome.out, HasSubstr("DRIFT  5 missing, 1 extra, 1 different"));
}

TEST_F(Vectors, GenerateMendsDriftAndLeavesCapturesAlone) {
  copy_vectors();
  write(insert, "{}");
  write("copy/throttr-7.1/extra.json", "{}");
  write("copy/captured/throttr-5.0.3-u16.jsonl", "kept");
  EXPECT_EQ(hallmark({"vectors", "generate", "--out", "copy"}).exit_code, 0);
  EXPECT_EQ(hallmark({"vectors", "check", "--dir", "copy"}).exit_code, 0);
  EXPECT_FALSE(exists("copy/throttr-7.1/extra.json"));
  EXPECT_EQ(read("copy/captured/throttr-5.0.3-u16.jsonl"), "kept");
}

TEST_F(Vectors, GeneratedIntoAnEmptyDirectoryAreTheCommittedOnes) {
  EXPECT_EQ(hallmark({"vectors", "generate", "--out", "new"}).exit_code, 0);
  const auto committed = fs::path(places::source("vectors/throttr-7.1/update.json"));
  EXPECT_EQ(read("new/throttr-7.1/update.json"), read(committed.string()));
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

/// A file of format 2 with one vector, as Hallmark 0.1.0 wrote them.
std::string file_of_format_2(const std::string& width, const std::string& reply) {
  return R"({"format": 2, "dialect": "throttr-7.1", "profile": "deployed", "width": ")" + width +
         R"(", "operation": "PURGE", "flags": {}, "vectors": [{
  "id": "throttr-7.1/)" +
         width + R"(/purge/one", "title": "t", "level": "MUST", "clauses": ["purge.code"],
  "flags": [], "readings": {}, "preconditions": [], "keys": [], "steps": [
   {"connection": "a", "send": {"message": "PURGE", "hex": "040161",
    "fields": {"key": {"hex": "61"}}}},
   {"connection": "a", "expect": [{"message": "PURGE", "hex": ")" +
         reply + R"(", "fields": [
    {"field": "status", "offset": 0, "length": 1, "match": "equals", "value": "0"}]}]}]}]})";
}

TEST_F(Vectors, OfFormat2AreConverted) {
  write("old/throttr-7.1/u8/purge.json", file_of_format_2("u8", "00"));
  write("old/throttr-7.1/u16/purge.json", file_of_format_2("u16", "00"));
  const auto outcome = hallmark({"vectors", "convert", "old", "new"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "2 files of format 2 with 2 vectors in old became 1 file of format 3 in new\n");
  EXPECT_THAT(read("new/throttr-7.1/purge.json"), HasSubstr("\"widths\": [\"u8\", \"u16\"]"));
  const auto list =
      hallmark({"vectors", "list", "--dir", "new", "--dialect", "throttr-7.1", "--width", "u16"});
  EXPECT_THAT(list.out, HasSubstr("throttr-7.1/u16/purge/one"));
  const auto again = hallmark({"vectors", "convert", "new", "newer"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, one_line_with({"new: has no vectors of format 2"}));
}

TEST_F(Vectors, OfFormat2AreConvertedOneByOne) {
  write("old.json", file_of_format_2("u8", "00"));
  EXPECT_EQ(hallmark({"vectors", "convert", "old.json", "new.json"}).exit_code, 0);
  EXPECT_THAT(read("new.json"), HasSubstr("throttr-7.1/{width}/purge/one"));
  write("broken.json", file_of_format_2("u8", "0g"));
  const auto broken = hallmark({"vectors", "convert", "broken.json", "newer.json"});
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_THAT(broken.err, one_line_with({"broken.json: line 6", "pairs of lower-case"}));
}

TEST_F(Vectors, PackIsReproducible) {
  for (const std::string output : {"one", "two"}) {
    const auto outcome = hallmark({"vectors", "pack", "--output", output});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("sha256  "));
  }
  const std::string archive = "/hallmark-vectors-" HALLMARK_VERSION ".tar.gz";
  EXPECT_EQ(read("one" + archive), read("two" + archive));
  EXPECT_EQ(read("one/npm/manifest.json"), read("two/npm/manifest.json"));
  const auto again = hallmark({"vectors", "pack", "--output", "one"});
  EXPECT_EQ(again.exit_code, 3);
  EXPECT_THAT(again.err, one_line_with({"one", "not empty, expected a new directory"}));
}

TEST_F(Vectors, PackRefusesWhatIsNotVectors) {
  write("empty/a.json", "{}");
  const auto outcome = hallmark({"vectors", "pack", "--vectors", "empty", "--output", "out"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, one_line_with({"empty", "expected the vectors of Hallmark"}));
  EXPECT_FALSE(exists("out"));
}

}  // namespace
}  // namespace hallmark::e2e
