#include "pcapng/writer.hpp"

#include <gmock/gmock.h>

#include "base/tests/temporary_directory.hpp"
#include "pcapng/frames.hpp"
#include "pcapng/tests/captured.hpp"

namespace hallmark::pcapng {
namespace {

using base::Bytes;
using testing::HasSubstr;
using testing::SizeIs;

const Bytes frame = udp_frame(loopback(1), loopback(2), Bytes(3));

TEST(Writer, TimesAreExactToTheNanosecond) {
  base::test::TemporaryDirectory directory;
  const std::string path = directory.path() / "a.pcapng";
  auto writer = Writer::create(path, "test");
  ASSERT_TRUE(writer);
  const Time at{1'700'000'000'123'456'789};
  writer->add(at, frame, "a comment");
  ASSERT_TRUE(writer->commit());
  const auto packets = test::packets_in(path);
  ASSERT_THAT(packets, SizeIs(1));
  EXPECT_EQ(packets.front().at, at);
  EXPECT_EQ(packets.front().frame, frame);
}

TEST(Writer, WithoutACommitThereIsNoFile) {
  base::test::TemporaryDirectory directory;
  {
    auto writer = Writer::create(directory.path() / "a.pcapng", "test");
    ASSERT_TRUE(writer);
    for (int i = 0; i < 3000; ++i) writer->add(Time(i), frame);
  }
  EXPECT_EQ(directory.entries(), 0U);
}

TEST(Writer, ADirectoryIsRefusedInOneLine) {
  base::test::TemporaryDirectory directory;
  const auto writer = Writer::create(directory.path(), "test");
  ASSERT_FALSE(writer);
  EXPECT_THAT(writer.error().message, HasSubstr(directory.path().string()));
}

TEST(Blocks, ALongCommentIsCutBetweenCharacters) {
  std::string comment;
  while (comment.size() <= longest_comment) comment += "ä";
  std::string file;
  append_packet(file, Time(0), frame, comment);
  EXPECT_EQ(file.find("\xc3\0", 0, 2), std::string::npos);
  EXPECT_LT(file.size(), longest_comment + 200);
  EXPECT_EQ(file.size() % 4, 0U);
}

}  // namespace
}  // namespace hallmark::pcapng
