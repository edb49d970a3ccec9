#include "sys/child_result_codec.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace flakestat::sys {
namespace {

using namespace std::chrono_literals;

ChildResult some_result(const ChildSpec& spec) {
  ChildResult result;
  result.end = ChildEnd::timed_out;
  result.code = -7;
  result.start_problem = "a problem";
  result.output = OutputCapture(spec.head_limit, spec.tail_limit);
  result.output.append(std::string("a\0b\n", 4) + std::string(100, 'x') + "end\n");
  result.use = {12ms, 34ms, 56ms, 78};
  result.leaked = {{"name with ) and blank", 11}, {"", 12}};
  result.unended = {{"stuck", 13}};
  return result;
}

ChildSpec small_spec() {
  ChildSpec spec;
  spec.head_limit = 10;
  spec.tail_limit = 20;
  return spec;
}

TEST(ChildResultCodec, EverythingArrives) {
  const auto spec = small_spec();
  const auto sent = some_result(spec);
  const auto got = decode_result(encode_result(sent), spec);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->end, sent.end);
  EXPECT_EQ(got->code, sent.code);
  EXPECT_EQ(got->start_problem, sent.start_problem);
  EXPECT_EQ(got->output.text(), sent.output.text());
  EXPECT_EQ(got->output.total(), sent.output.total());
  EXPECT_EQ(got->output.dropped(), sent.output.dropped());
  EXPECT_EQ(got->use.wall, 12ms);
  EXPECT_EQ(got->use.user, 34ms);
  EXPECT_EQ(got->use.system, 56ms);
  EXPECT_EQ(got->use.max_rss_kib, 78U);
  ASSERT_EQ(got->leaked.size(), 2U);
  EXPECT_EQ(got->leaked[0].name, "name with ) and blank");
  EXPECT_EQ(got->leaked[1].pid, 12);
  ASSERT_EQ(got->unended.size(), 1U);
  EXPECT_EQ(got->unended[0].pid, 13);
}

TEST(ChildResultCodec, ACutOrLongerMessageIsNoResult) {
  const auto spec = small_spec();
  const auto whole = encode_result(some_result(spec));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(decode_result(std::string_view(whole).substr(0, size), spec)) << size;
  }
  EXPECT_FALSE(decode_result(whole + "x", spec));
}

TEST(ChildResultCodec, ADamagedByteNeverDoesHarm) {
  const auto spec = small_spec();
  const auto whole = encode_result(some_result(spec));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto damaged = whole;
    damaged[i] = '\xff';
    const auto got = decode_result(damaged, spec);
    EXPECT_TRUE(!got || got->output.text().size() <= 100) << i;
  }
}

TEST(ChildResultCodec, MoreOutputThanTheSpecKeepsIsRefused) {
  auto tight = small_spec();
  const auto whole = encode_result(some_result(tight));
  tight.head_limit = 9;
  EXPECT_FALSE(decode_result(whole, tight));
}

TEST(ChildResultCodec, WhatWasRestoredGoesOnLikeTheOriginal) {
  const auto spec = small_spec();
  auto sent = some_result(spec);
  auto got = decode_result(encode_result(sent), spec);
  ASSERT_TRUE(got);
  sent.output.append("and more\n");
  got->output.append("and more\n");
  EXPECT_EQ(got->output.text(), sent.output.text());
}

}  // namespace
}  // namespace flakestat::sys
