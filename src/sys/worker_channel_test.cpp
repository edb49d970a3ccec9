#include "sys/worker_channel.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace flakestat::sys {
namespace {

TEST(WorkerChannel, PacketsComeWholeAndCanBeTakenBackOnce) {
  auto pair = packet_pair();
  ASSERT_TRUE(pair);
  for (const char* packet : {"T 1 0", "T 2 0", "E"}) ASSERT_TRUE(send_packet(pair->ours.get(), packet));
  std::array<char, 32> taken{};
  ASSERT_EQ(::recv(pair->theirs.get(), taken.data(), taken.size(), 0), 5);
  EXPECT_STREQ(taken.data(), "T 1 0");
  EXPECT_EQ(take_packets_back(pair->theirs.get()), (std::vector<std::string>{"T 2 0", "E"}));
  EXPECT_TRUE(take_packets_back(pair->theirs.get()).empty());
}

TEST(WorkerChannel, AFullQueueRefusesAPacketAndLosesNone) {
  auto pair = packet_pair();
  ASSERT_TRUE(pair);
  std::size_t sent = 0;
  while (send_packet(pair->ours.get(), "T " + std::to_string(sent))) ++sent;
  EXPECT_GT(sent, 32U);
  EXPECT_EQ(take_packets_back(pair->theirs.get()).size(), sent);
}

TEST(WorkerChannel, NobodyAtTheOtherEndIsNoSignal) {
  auto packets = packet_pair();
  auto stream = stream_pair();
  ASSERT_TRUE(packets && stream);
  packets->theirs.reset();
  stream->theirs.reset();
  EXPECT_FALSE(send_packet(packets->ours.get(), "Q"));
  std::string pending = "line\n";
  EXPECT_FALSE(send_pending(stream->ours.get(), pending));
}

TEST(WorkerChannel, WhatDoesNotFitStaysPending) {
  auto pair = stream_pair();
  ASSERT_TRUE(pair);
  std::string pending(8 << 20, 'x');
  ASSERT_TRUE(send_pending(pair->ours.get(), pending));
  EXPECT_FALSE(pending.empty());
  EXPECT_LT(pending.size(), std::size_t{8} << 20);
}

TEST(WorkerChannel, AMemoryFileIsReadFromItsBeginningAndCannotBeChanged) {
  auto file = memory_file("test", "set-up\n");
  ASSERT_TRUE(file);
  std::array<char, 16> read{};
  EXPECT_EQ(::read(file->get(), read.data(), read.size()), 7);
  EXPECT_LT(::write(file->get(), "x", 1), 0);
}

TEST(WorkerPage, IsReadAsItWasWrittenThroughItsDescriptor) {
  auto page = WorkerPage::create();
  ASSERT_TRUE(page);
  EXPECT_EQ(page->read().test, -1);
  auto* memory = static_cast<unsigned char*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, page->fd(), 0));
  ASSERT_NE(memory, MAP_FAILED);
  const WorkerState state{7, 1, 3, 1785.5};
  std::memcpy(memory, &state, sizeof state);
  const auto read = page->read();
  EXPECT_EQ(read.test, 7);
  EXPECT_EQ(read.attempt, 1);
  EXPECT_EQ(read.phase, 3);
  EXPECT_DOUBLE_EQ(read.started, 1785.5);
  ::munmap(memory, 4096);
}

}  // namespace
}  // namespace flakestat::sys
