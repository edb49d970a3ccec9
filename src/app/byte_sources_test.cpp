#include "app/byte_sources.hpp"

#include <gtest/gtest.h>

#include <string>

#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

// Gives its bytes in pieces of odd sizes, then ends or fails.
class Pieces final : public formats::ByteSource {
 public:
  Pieces(std::string bytes, bool fails) : bytes_(std::move(bytes)), fails_(fails) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (used_ == bytes_.size() && fails_) return Error{ErrorKind::io, "read pieces: broken"};
    const auto count = std::min({size, bytes_.size() - used_, std::size_t{70'001}});
    bytes_.copy(buffer, count, used_);
    used_ += count;
    return count;
  }

 private:
  std::string bytes_;
  bool fails_;
  std::size_t used_ = 0;
};

std::string some_bytes(std::size_t size) {
  std::string bytes(size, 'x');
  for (std::size_t i = 0; i < size; i += 97) bytes[i] = static_cast<char>('a' + i % 26);
  return bytes;
}

std::string read_all(formats::ByteSource& source, std::size_t at_most) {
  std::string out;
  std::string buffer(8191, '\0');
  while (out.size() < at_most) {
    const auto count = source.read(buffer.data(), buffer.size());
    if (!count || *count == 0) break;
    out.append(buffer, 0, *count);
  }
  return out;
}

TEST(DigestingSource, BothKindsGiveTheBytesAndTheirDigest) {
  const auto bytes = some_bytes(9'000'001);
  for (auto* make : {digest_here, digest_ahead}) {
    Pieces inner(bytes, false);
    const auto source = make(inner);
    EXPECT_TRUE(read_all(*source, SIZE_MAX) == bytes);
    EXPECT_TRUE(source->drain());
    EXPECT_EQ(source->digest(), sha256(bytes));
  }
}

TEST(DigestingSource, DrainCoversWhatTheConsumerLeft) {
  const auto bytes = some_bytes(5'000'000);
  for (auto* make : {digest_here, digest_ahead}) {
    Pieces inner(bytes, false);
    const auto source = make(inner);
    EXPECT_EQ(read_all(*source, 100).size(), 8191U);
    ASSERT_TRUE(source->drain());
    EXPECT_EQ(source->digest(), sha256(bytes));
  }
}

TEST(DigestingSource, ErrorComesAfterTheBytesBeforeIt) {
  for (auto* make : {digest_here, digest_ahead}) {
    Pieces inner(some_bytes(3'000'000), true);
    const auto source = make(inner);
    EXPECT_EQ(read_all(*source, SIZE_MAX).size(), 3'000'000U);
    const auto drained = source->drain();
    ASSERT_FALSE(drained);
    EXPECT_EQ(drained.error().message, "read pieces: broken");
  }
}

TEST(DigestingSource, GoesAwayInTheMiddleOfALongInput) {
  Pieces inner(some_bytes(20'000'000), false);
  const auto source = digest_ahead(inner);
  EXPECT_EQ(read_all(*source, 1).size(), 8191U);
}

TEST(FileSource, FolderIsAUsageErrorThatNamesThePattern) {
  const testing::TempDir temp;
  const auto source = FileSource::open(temp.path().string());
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().kind, ErrorKind::usage);
  EXPECT_NE(source.error().message.find("/**/*.xml"), std::string::npos);
}

}  // namespace
}  // namespace flakestat::app
