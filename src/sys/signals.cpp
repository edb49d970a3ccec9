#include "sys/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

#include "sys/file.hpp"

namespace flakestat::sys {
namespace {

// A handler gets no argument of ours: this is the one place where it looks. Guarded by g_owned.
std::atomic<bool> g_owned{false};
std::atomic<int> g_wake{-1};
std::atomic<unsigned char> g_level{0};
std::atomic<int> g_first{0};
std::atomic<bool> g_sent{false};  // the first one, by a process
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<unsigned char>::is_always_lock_free);

void handle(int signal, siginfo_t* info, void*) {
  const int saved = errno;
  auto level = g_level.load();
  while (!g_level.compare_exchange_weak(level, static_cast<unsigned char>(after_signal(Interrupt{level}, signal)))) {
  }
  int none = 0;
  if (signal != SIGCHLD && g_first.compare_exchange_strong(none, signal)) g_sent = info->si_code <= 0;
  const char byte = 0;
  // A full pipe is as good as a written one: it is readable.
  if (const int fd = g_wake.load(); fd >= 0 && ::write(fd, &byte, 1) < 0) errno = saved;
  errno = saved;
}

}  // namespace

Result<Signals> Signals::install() {
  if (g_owned.exchange(true)) return Error{ErrorKind::internal, "signals are already handled elsewhere"};
  return take_over();
}

Result<Signals> Signals::renew_after_fork() {
  g_owned = true;
  g_wake = -1;
  return take_over();
}

Result<Signals> Signals::take_over() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    const auto error = errno_error("pipe for signals", errno);
    g_owned = false;
    return error;
  }
  Signals signals{Fd(ends[0]), Fd(ends[1])};
  signals.install_handlers();
  return signals;
}

void Signals::install_handlers() {
  g_level = 0;
  g_first = 0;
  g_sent = false;
  g_wake = write_.get();
  active_ = true;
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_RESTART | SA_NOCLDSTOP | SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kHandled.size(); ++i) {
    ::sigaction(kHandled[i], nullptr, &earlier_[i]);
    const bool ignored = (earlier_[i].sa_flags & SA_SIGINFO) == 0 && earlier_[i].sa_handler == SIG_IGN;
    if (!ignored || kHandled[i] != SIGHUP) ::sigaction(kHandled[i], &action, nullptr);
  }
}

Signals::Signals(Signals&& other) noexcept
    : read_(std::move(other.read_)),
      write_(std::move(other.write_)),
      earlier_(other.earlier_),
      active_(std::exchange(other.active_, false)) {}

Signals::~Signals() {
  if (!active_) return;
  for (std::size_t i = 0; i < kHandled.size(); ++i) ::sigaction(kHandled[i], &earlier_[i], nullptr);
  g_wake = -1;
  g_owned = false;
}

Interrupt Signals::level() const { return Interrupt{g_level.load()}; }

int Signals::first_signal() const { return g_first.load(); }

bool Signals::sent_by_process() const { return g_sent.load(); }

void Signals::acknowledge() {
  std::array<char, 256> buffer;
  while (::read(read_.get(), buffer.data(), buffer.size()) > 0) {
  }
}

}  // namespace flakestat::sys
