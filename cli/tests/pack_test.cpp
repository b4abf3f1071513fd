#include "cli/vectors/pack.hpp"

#include <gmock/gmock.h>
#include <zlib.h>

#include "base/json.hpp"
#include "base/read_file.hpp"
#include "base/tests/temporary_directory.hpp"
#include "cmake/places/places.hpp"
#include "conformance/certificate/sha256.hpp"

namespace hallmark::cli {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  auto text = base::read_file(path, 64 * base::mebibyte, "a packed file");
  EXPECT_TRUE(text.has_value()) << text.error().message;
  return std::move(*text);
}

std::string uncompressed(const fs::path& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  EXPECT_NE(file, nullptr);
  std::string all;
  char part[4096];
  int read = 0;
  while ((read = gzread(file, part, sizeof part)) > 0)
    all.append(part, static_cast<std::size_t>(read));
  EXPECT_EQ(gzclose(file), Z_OK);
  return all;
}

/// The files of a tar archive by their path.
ArchiveFiles untarred(const std::string& tar) {
  ArchiveFiles files;
  constexpr std::size_t block = 512;
  for (std::size_t at = 0; at + block <= tar.size() && tar[at] != '\0';) {
    const std::string field = tar.substr(at, 100);
    const std::string path = field.substr(0, field.find('\0'));
    const std::size_t size = std::stoul(tar.substr(at + 124, 11), nullptr, 8);
    EXPECT_EQ(tar.substr(at + 257, 5), "ustar") << path;
    EXPECT_EQ(std::stoul(tar.substr(at + 136, 11), nullptr, 8), 0U) << path;
    files[path] = tar.substr(at + block, size);
    at += block + (size + block - 1) / block * block;
  }
  return files;
}

TEST(TarGz, RefusesAPathThatDoesNotFit) {
  const auto archive = tar_gz({{std::string(101, 'p'), ""}});
  ASSERT_TRUE(archive.has_error());
  EXPECT_THAT(archive.error().message, testing::HasSubstr("expected at most 100"));
}

TEST(PackVectors, WritesWhatTheManifestSays) {
  const base::test::TemporaryDirectory directory;
  const fs::path output = directory / "out";
  const auto packed = pack_vectors(places::source("vectors"), output, "1.2.3");
  ASSERT_TRUE(packed.has_value()) << packed.error().message;
  const fs::path archive = output / "hallmark-vectors-1.2.3.tar.gz";
  EXPECT_EQ(certificate::sha256_of(content_of(archive)), packed->sha256);

  auto files = untarred(uncompressed(archive));
  const auto manifest = base::parse_json(files["hallmark-vectors-1.2.3/manifest.json"]);
  ASSERT_TRUE(manifest.has_value());
  EXPECT_EQ((*manifest)["version"], base::Json("1.2.3"));
  EXPECT_EQ((*manifest)["files"].size() + 1, files.size());
  for (const base::Json& one : (*manifest)["files"].items()) {
    const std::string& path = one["path"].string();
    const std::string& content = files["hallmark-vectors-1.2.3/" + path];
    EXPECT_EQ(certificate::sha256_of(content), one["sha256"].string()) << path;
    EXPECT_EQ(content.size(), one["bytes"].natural()) << path;
    if (path != "npm/index.mjs") {
      EXPECT_EQ(content_of(output / "npm/vectors" / path), content) << path;
    }
  }
  EXPECT_TRUE(files.contains("hallmark-vectors-1.2.3/schema/layouts.schema.json"));
  EXPECT_FALSE(files.contains("hallmark-vectors-1.2.3/format/vector.hpp"));
}

}  // namespace
}  // namespace hallmark::cli
