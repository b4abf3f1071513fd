#include "captures/load.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "base/tests/temporary_directory.hpp"
#include "captures/tests/told.hpp"

namespace hallmark::captures {
namespace {

using testing::HasSubstr;

class Load : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  std::string file(const std::string& content) const {
    return directory_.write("file", content).string();
  }

  base::test::TemporaryDirectory directory_;
};

std::string error_of(const std::vector<std::string>& words,
                     std::optional<InputFormat> asked = std::nullopt) {
  return load(words, asked).error().message;
}

TEST_F(Load, WordsAreTheBytesThemselves) {
  const auto loaded = load({"02", "03", "616263"}, {});
  EXPECT_EQ(loaded->name, "command line");
  EXPECT_EQ(loaded->format, InputFormat::hex);
  EXPECT_EQ(loaded->bytes, hex("0203616263"));
  EXPECT_EQ(load({"AgNhYmM="}, {})->bytes, hex("0203616263"));
}

TEST_F(Load, WordsMayHaveDirections) {
  const auto loaded = load({"> 02", "< 00"}, {});
  ASSERT_EQ(loaded->dialogue.size(), 2U);
  EXPECT_EQ(loaded->dialogue[1].from, Side::server);
}

TEST_F(Load, FilesOfEveryFormat) {
  EXPECT_EQ(load({file("0203616263\n")}, {})->bytes, hex("0203616263"));
  EXPECT_EQ(load({file("AgNhYmM=\n")}, {})->format, InputFormat::base64);
  EXPECT_EQ(load({file("\x02\x03"
                       "abc")},
                 {})
                ->bytes,
            hex("0203616263"));
  EXPECT_EQ(load({file("\x02\x03"
                       "abc")},
                 {})
                ->format,
            InputFormat::binary);
  EXPECT_EQ(load({file("> 02\n< 00\n")}, {})->dialogue.size(), 2U);
  EXPECT_EQ(load({file("\x02\x03"
                       "abc")},
                 {})
                ->name,
            path("file"));
}

TEST_F(Load, TheFormatMayBeGiven) {
  EXPECT_EQ(load({file("0203")}, InputFormat::binary)->bytes, hex("30323033"));
  EXPECT_EQ(load({file("0203")}, InputFormat::base64)->bytes, hex("d36d37"));
  EXPECT_TRUE(load({file("0203")}, InputFormat::capture)->capture);
}

TEST_F(Load, ACaptureIsHandedOnFromItsFirstByte) {
  const std::string content = "\xd4\xc3\xb2\xa1" + std::string(100'000, 'x');
  auto loaded = load({file(content)}, {});
  EXPECT_EQ(loaded->format, InputFormat::capture);
  std::FILE* const stream = loaded->capture->release();
  std::string read(content.size() + 1, '\0');
  read.resize(std::fread(read.data(), 1, read.size(), stream));
  std::fclose(stream);
  EXPECT_EQ(read, content);
}

TEST_F(Load, APipeIsAFile) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path("pipe")) << "0203616263"; });
  EXPECT_EQ(load({path("pipe")}, {})->bytes, hex("0203616263"));
  writer.join();
}

TEST_F(Load, WhatIsNeitherFileNorBytesIsQuoted) {
  EXPECT_EQ(error_of({"session.pcpa"}),
            "'session.pcpa' is no file, and neither hex nor base64 (not hex: 's' is no hexadecimal "
            "digit in line 1); --format binary takes it as it is");
  EXPECT_THAT(error_of({"02", "0x"}), HasSubstr("in line 2"));
}

TEST_F(Load, EmptyInputIsRefused) {
  EXPECT_EQ(error_of({file("")}), path("file") + ": no bytes in it");
  EXPECT_EQ(error_of({file(" \n")}), path("file") + ": no bytes in it");
  EXPECT_EQ(error_of({file("# nothing\n")}), path("file") + ": no bytes in it");
  EXPECT_EQ(error_of({file("")}, InputFormat::binary), path("file") + ": no bytes in it");
}

TEST_F(Load, WrongFormatsAreRefused) {
  EXPECT_EQ(error_of({file("xyz")}, InputFormat::hex),
            path("file") + ": not hex: 'x' is no hexadecimal digit in line 1");
  EXPECT_EQ(error_of({file("!")}, InputFormat::base64),
            path("file") + ": not base64: '!' after 0 digits");
  EXPECT_EQ(error_of({"02"}, InputFormat::capture),
            "'02' is no file, and a capture has to be a file or standard input");
}

TEST_F(Load, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(error_of({directory_.path().string()}),
            "cannot read " + directory_.path().string() + ": Is a directory");
}

TEST_F(Load, TooMuchIsRefused) {
  const std::string name = file("");
  std::filesystem::resize_file(name, longest_input + 1);
  EXPECT_EQ(error_of({name}),
            name + " is too long; allowed: 67108864 bytes, more in a capture only");
}

TEST_F(Load, MessagesOfTextAreLines) {
  const auto text = [](const std::vector<std::string>& words) {
    return load(words, {}, Messages::text);
  };
  const auto loaded = text({file("> 17 ping\n< 17 pong\r\n\n")});
  EXPECT_EQ(loaded->format, InputFormat::text);
  ASSERT_EQ(loaded->lines.size(), 2U);
  EXPECT_EQ(loaded->lines[1].from, Side::server);
  EXPECT_EQ(loaded->lines[1].bytes, base::to_bytes("17 pong"));
  EXPECT_EQ(text({"17", "ping"})->lines.size(), 1U);
  EXPECT_EQ(text({"17 ping", "18 ping"})->lines.size(), 2U);
  EXPECT_EQ(text({"31", "37"})->bytes, hex("3137"));
  EXPECT_EQ(text({"> 31", "< 37"})->dialogue.size(), 2U);
  EXPECT_EQ(text({"ping"})->format, InputFormat::text) << "never base64";
}

}  // namespace
}  // namespace hallmark::captures
