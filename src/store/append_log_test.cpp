#include "store/append_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/log_fixture.hpp"

namespace flakestat::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AppendLogTest : public LogTest {};

TEST_F(AppendLogTest, AppendedObservationsAreReadInOrder) {
  const auto result = append({observation("a"), observation("b")});
  EXPECT_EQ(result.stored, 2u);
  EXPECT_THAT(result.notes, IsEmpty());
  append({observation("c")});
  EXPECT_THAT(names(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(stats_.skipped_count, 0u);
}

TEST_F(AppendLogTest, TheLineHasTheDesignsKeysInTheDesignsOrder) {
  auto o = observation("test_login[oauth]");
  o.code = "abc123+5f1e0c3a";
  o.attempt = 1;
  o.status = Status::fail;
  o.file = "tests/test_auth.py";
  o.message = "timeout after 5s";
  o.known_flaky = true;
  append({o});
  EXPECT_EQ(log(),
            R"({"ts":"2026-08-17T10:00:00.123Z","run_id":"20260817T100000-9f2ac1","commit":"abc123",)"
            R"("code":"abc123+5f1e0c3a","branch":"main","source":"ci","attempt":1,"test_id":")" +
                to_hex(o.test_id) +
                R"(","suite":"tests.api","class":"TestAuth","name":"test_login[oauth]","status":"fail",)"
                R"("file":"tests/test_auth.py","duration_ms":412,"message":"timeout after 5s","known_flaky":true,)"
                R"("dimensions":{"arch":"amd64","os":"linux"},"artifact":"00112233445566778899aabbccddeeff","exec_key":")" +
                o.exec_key + "\"}\n");
}

TEST_F(AppendLogTest, AnExecKeyInTheLogIsDroppedAndCounted) {
  append({observation("a"), observation("b")});
  const auto again = append({observation("b"), observation("c")});
  EXPECT_EQ(again.stored, 1u);
  EXPECT_EQ(again.duplicates, 1u);
  EXPECT_THAT(names(), ElementsAre("a", "b", "c"));
}

TEST_F(AppendLogTest, TornTailIsHealedBeforeTheNextAppend) {
  append({observation("a"), observation("b")});
  const auto whole = log();
  write_log(whole.substr(0, whole.size() - 10));
  const auto result = append({observation("c")});
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_THAT(result.notes[0], HasSubstr("cut off"));
  EXPECT_THAT(names(), ElementsAre("a", "c"));
  ASSERT_EQ(stats_.skipped_count, 1u);
  EXPECT_EQ(stats_.skipped[0].offset, whole.size() / 2);
}

}  // namespace
}  // namespace flakestat::store
