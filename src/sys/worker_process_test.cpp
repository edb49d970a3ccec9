#include "sys/worker_process.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "sys/worker_channel.hpp"

namespace flakestat::sys {
namespace {

ChildSpec shell(const std::string& script) {
  ChildSpec spec;
  spec.argv = {"/bin/sh", "-c", script};
  return spec;
}

WorkerEnd await(WorkerProcess& worker) {
  pollfd polled{worker.pidfd(), POLLIN, 0};
  for (;;) {
    ::poll(&polled, 1, 100);
    if (const auto end = worker.reap()) return *end;
  }
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> buffer;
  pollfd polled{fd, POLLIN, 0};
  while (::poll(&polled, 1, 5000) > 0) {
    const auto count = ::read(fd, buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

TEST(WorkerProcess, TellsItsEndAndItsOutput) {
  const WorkerNursery nursery;
  auto worker = WorkerProcess::start(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(worker);
  EXPECT_EQ(read_all(worker->output()), "out\nerr\n");
  const auto end = await(*worker);
  EXPECT_FALSE(end.signalled);
  EXPECT_EQ(end.code, 3);
}

TEST(WorkerProcess, TellsTheSignalThatEndedIt) {
  const WorkerNursery nursery;
  auto worker = WorkerProcess::start(shell("kill -SEGV $$"));
  ASSERT_TRUE(worker);
  const auto end = await(*worker);
  EXPECT_TRUE(end.signalled);
  EXPECT_EQ(end.code, SIGSEGV);
}

TEST(WorkerProcess, GetsTheDescriptorsThatAreHandedOver) {
  const WorkerNursery nursery;
  auto pair = stream_pair();
  ASSERT_TRUE(pair);
  const auto number = std::to_string(pair->theirs.get());
  auto spec = shell("echo hello >&" + number);
  spec.inherited = {pair->theirs.get()};
  auto worker = WorkerProcess::start(spec);
  ASSERT_TRUE(worker);
  pair->theirs.reset();
  EXPECT_EQ(read_all(pair->ours.get()), "hello\n");
}

TEST(WorkerProcess, IsKilledWithItsGroupAndItsOrphans) {
  auto pair = stream_pair();
  ASSERT_TRUE(pair);
  {
    const WorkerNursery nursery;
    auto spec = shell("sleep 1000 & setsid sleep 1000 & wait");
    spec.inherited = {pair->theirs.get()};
    auto worker = WorkerProcess::start(spec);
    ASSERT_TRUE(worker);
    pair->theirs.reset();
    worker->kill();
  }
  // The descriptor is open in all of them: the end of the stream means that none is left.
  EXPECT_EQ(read_all(pair->ours.get()), "");
}

TEST(WorkerProcess, AProgramThatIsNotThereIsMissing) {
  ChildSpec spec;
  spec.argv = {"/nowhere/python"};
  const auto worker = WorkerProcess::start(spec);
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.error().kind, ErrorKind::missing);
}

}  // namespace
}  // namespace flakestat::sys
