#include "sys/isolation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace flakestat::sys {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ParseIsolation, NamesInAnyOrderComeBackInOne) {
  const auto parsed = parse_isolation("net,fs,tmp");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*parsed, (Isolation{true, true, false, true}));
  EXPECT_EQ(to_string(*parsed), "fs,tmp,net");
}

TEST(ParseIsolation, NoneIsNothing) {
  const auto parsed = parse_isolation("none");
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(parsed->any());
  EXPECT_EQ(to_string(*parsed), "none");
}

TEST(ParseIsolation, EverySetIsReadAsItIsWritten) {
  for (unsigned bits = 0; bits < 16; ++bits) {
    const Isolation isolation{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    const auto parsed = parse_isolation(to_string(isolation));
    ASSERT_TRUE(parsed) << to_string(isolation);
    EXPECT_EQ(*parsed, isolation);
  }
}

TEST(ParseIsolation, WhatIsUnknownEmptyOrMixedWithNoneIsAUsageError) {
  for (const auto* text : {"", "fs,", ",", "FS", "fs tmp", "none,fs", "fs,none", "disk", "fs,tmp,pid,net,"}) {
    const auto parsed = parse_isolation(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().kind, ErrorKind::usage) << text;
  }
  EXPECT_THAT(parse_isolation("fs,disk\n").error().message, HasSubstr("\"disk\\x0a\""));
}

TEST(IsWithin, AFolderHoldsItselfAndWhatIsBelowItNotItsNamesakes) {
  EXPECT_TRUE(is_within("/a/b", "/a/b"));
  EXPECT_TRUE(is_within("/a/b/c", "/a/b"));
  EXPECT_FALSE(is_within("/a/bc", "/a/b"));
  EXPECT_FALSE(is_within("/a", "/a/b"));
  EXPECT_TRUE(is_within("/a", "/"));
}

TEST(SocketsOfEnvironment, AgentAndDockerAreThoseNamedAsUnixPaths) {
  ::setenv("SSH_AUTH_SOCK", "/tmp/agent", 1);
  ::setenv("DOCKER_HOST", "unix:///tmp/docker.sock", 1);
  const auto named = sockets_of_environment();
  ::setenv("SSH_AUTH_SOCK", "relative", 1);
  ::setenv("DOCKER_HOST", "tcp://localhost:2375", 1);
  const auto others = sockets_of_environment();
  ::unsetenv("SSH_AUTH_SOCK");
  ::unsetenv("DOCKER_HOST");
  EXPECT_THAT(named, Contains("/tmp/agent"));
  EXPECT_THAT(named, Contains("/tmp/docker.sock"));
  EXPECT_THAT(others, Not(Contains(HasSubstr("relative"))));
  EXPECT_EQ(others, sockets_of_environment());
}

}  // namespace
}  // namespace flakestat::sys
