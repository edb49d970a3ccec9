#include "sys/worker_channel.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sys/file.hpp"

namespace flakestat::sys {
namespace {

constexpr std::size_t kPageSize = 4096;
constexpr std::size_t kLongestPacket = 256;
constexpr int kLooks = 100;

Error failed(const char* what) {
  const int number = errno;
  return Error{ErrorKind::io, std::string(what) + ": " + std::strerror(number), number};
}

Fd above_standard_streams(int fd) {
  if (fd > 2) return Fd(fd);
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  ::close(fd);
  return Fd(moved);
}

Result<SocketPair> make_pair(int type) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) return failed("socketpair");
  SocketPair pair{above_standard_streams(ends[0]), above_standard_streams(ends[1])};
  if (!pair.ours.valid() || !pair.theirs.valid()) return failed("socketpair");
  ::fcntl(pair.ours.get(), F_SETFL, O_NONBLOCK);
  return pair;
}

}  // namespace

Result<SocketPair> stream_pair() { return make_pair(SOCK_STREAM); }

Result<SocketPair> packet_pair() { return make_pair(SOCK_SEQPACKET); }

bool send_packet(int fd, std::string_view packet) {
  for (;;) {
    const auto sent = ::send(fd, packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return true;
    if (errno != EINTR) return false;
  }
}

std::vector<std::string> take_packets_back(int theirs) {
  std::vector<std::string> packets;
  std::array<char, kLongestPacket> buffer;
  for (;;) {
    const auto count = ::recv(theirs, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count > 0) packets.emplace_back(buffer.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR) return packets;
  }
}

Result<Fd> memory_file(const char* name, std::string_view content) {
  Fd fd = above_standard_streams(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid()) return failed("memfd_create");
  FLAKESTAT_TRY(write_all(fd.get(), content, name));
  ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW);
  if (::lseek(fd.get(), 0, SEEK_SET) != 0) return failed("lseek");
  return fd;
}

bool send_pending(int fd, std::string& pending) {
  std::size_t sent = 0;
  bool open = true;
  while (sent < pending.size()) {
    const auto count = ::send(fd, pending.data() + sent, pending.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      open = errno == EAGAIN;
      break;
    }
    sent += static_cast<std::size_t>(count);
  }
  pending.erase(0, sent);
  return open;
}

Result<WorkerPage> WorkerPage::create() {
  Fd fd = above_standard_streams(::memfd_create("flakestat-state", MFD_CLOEXEC));
  if (!fd.valid()) return failed("memfd_create");
  if (::ftruncate(fd.get(), kPageSize) != 0) return failed("ftruncate");
  void* memory = ::mmap(nullptr, kPageSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (memory == MAP_FAILED) return failed("mmap");
  const WorkerState idle;
  std::memcpy(memory, &idle, sizeof idle);
  return WorkerPage(std::move(fd), memory);
}

WorkerPage::WorkerPage(WorkerPage&& other) noexcept
    : fd_(std::move(other.fd_)), memory_(std::exchange(other.memory_, nullptr)) {}

WorkerPage::~WorkerPage() {
  if (memory_ != nullptr) ::munmap(memory_, kPageSize);
}

// Each load is an acquire, so that none is made before the one in front of it: the counter is the first and the last.
WorkerState WorkerPage::read() const {
  static_assert(sizeof(WorkerState) == 24, "the layout of the shared page");
  auto* const words = static_cast<std::uint64_t*>(memory_);
  const auto load = [&](std::size_t at) { return std::atomic_ref(words[at]).load(std::memory_order_acquire); };
  std::array<std::uint64_t, 3> parts{};
  for (int look = 0; look < kLooks; ++look) {
    const auto before = load(parts.size());
    for (std::size_t at = 0; at < parts.size(); ++at) parts[at] = load(at);
    if (load(parts.size()) == before && before % 2 == 0) break;
  }
  return std::bit_cast<WorkerState>(parts);
}

}  // namespace flakestat::sys
