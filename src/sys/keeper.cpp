#include "sys/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "sys/child_result_codec.hpp"
#include "sys/child_sweep.hpp"
#include "sys/file.hpp"
#include "sys/pidfd.hpp"

namespace flakestat::sys {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kHeader = 1 + sizeof(std::uint64_t);  // kind, then length

// What the fork must not lose: taken before it, since a new user namespace changes the answers.
struct Inherited {
  uid_t user = ::geteuid();
  gid_t group = ::getegid();
  std::string directory;
  sigset_t mask{};
};

std::string working_directory() {
  std::array<char, 4096> buffer;
  return ::getcwd(buffer.data(), buffer.size()) == nullptr ? "" : buffer.data();
}

// Runs in the keeper, from the fork to its end.
class KeeperProcess {
 public:
  KeeperProcess(const KeeperTask& task, const Inherited& inherited, int control)
      : task_(task), inherited_(inherited), control_(control) {}

  [[noreturn]] void run() {
    detach();
    auto signals = Signals::renew_after_fork();
    ::pthread_sigmask(SIG_SETMASK, &inherited_.mask, nullptr);
    if (!signals) leave_with({SetupStep::mounts, 0, false, signals.error().message});
    if (task_.plan != nullptr) set_up(*signals);
    if (task_.spec == nullptr) send(KeeperNews::isolated, "");
    else send(KeeperNews::result, encode_result(supervise(*task_.spec, *signals)));
    stay();
  }

 private:
  void detach() const {
    // Our end takes a process namespace along; without one, what the command started must be ended by us first.
    ::prctl(PR_SET_PDEATHSIG, has_own_processes() ? SIGKILL : SIGQUIT);
    ::setsid();
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int standard = 0; null >= 0 && standard <= 2; ++standard) ::dup2(null, standard);
    // Descriptors of the parent, the other keepers' control among them: each must be the parent's alone to close.
    close_private_descriptors_but(control_);
    pollfd polled{control_, POLLIN, 0};
    if (::poll(&polled, 1, 0) == 1) ::_exit(0);  // the parent died before the prctl
  }

  void set_up(InterruptSource& signals) {
    SetupContext context;
    context.folder = task_.folder;
    context.working_directory = inherited_.directory;
    context.user = inherited_.user;
    context.group = inherited_.group;
    context.probe = task_.spec == nullptr;
    context.run_helper = [&](const ChildSpec& spec) { return supervise(spec, signals); };
    if (auto failure = set_up_copy(*task_.plan, context)) leave_with(*failure);
  }

  [[nodiscard]] ChildResult supervise(const ChildSpec& given, InterruptSource& signals) const {
    ChildSpec spec = given;
    spec.tick = nullptr;  // both belong to the parent
    spec.sink = nullptr;
    return Supervisor(*task_.clock, signals).run(spec);
  }

  [[noreturn]] void leave_with(const SetupFailure& failure) const {
    std::string body(1, static_cast<char>(failure.step));
    body += static_cast<char>(failure.interrupted);
    const auto index = failure.index;
    body.append(reinterpret_cast<const char*>(&index), sizeof index);
    send(KeeperNews::setup_failed, body + failure.problem);
    stay();
  }

  void send(KeeperNews news, const std::string& body) const {
    std::string message(1, static_cast<char>(news));
    const std::uint64_t size = body.size();
    message.append(reinterpret_cast<const char*>(&size), sizeof size);
    message += body;
    for (std::size_t sent = 0; sent < message.size();) {
      const auto count = ::send(control_, message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
      if (count < 0 && errno != EINTR) ::_exit(1);  // the parent closed its end: nobody wants to know
      if (count > 0) sent += static_cast<std::size_t>(count);
    }
  }

  // Until the parent closes its end. What is still there then, was unwilling to end before.
  [[noreturn]] void stay() const {
    char byte = 0;
    for (;;) {
      const auto count = ::read(control_, &byte, 1);
      if (count == 0 || (count < 0 && errno != EINTR)) break;
    }
    if (!has_own_processes()) kill_descendants({});
    ::_exit(0);
  }

  [[nodiscard]] bool has_own_processes() const { return task_.plan != nullptr && task_.plan->isolation.pid; }

  const KeeperTask& task_;
  const Inherited& inherited_;
  int control_;
};

// True when it has ended within the time.
bool wait_for(const Keeper& keeper, milliseconds patience, int& status) {
  constexpr milliseconds kLook{5};
  auto left = patience;
  for (;;) {
    const pid_t waited = ::waitpid(keeper.pid, &status, WNOHANG);
    if (waited == keeper.pid || (waited < 0 && errno == ECHILD)) return true;
    if (left <= milliseconds(0)) return false;
    pollfd polled{keeper.pidfd.get(), POLLIN, 0};
    const auto pause = keeper.pidfd.valid() ? left : std::min(kLook, left);
    // A poll that a signal cut short has not waited: the time left is then too much, never too little.
    if (::poll(&polled, 1, static_cast<int>(pause.count())) == 0) left -= pause;
  }
}

}  // namespace

Result<Keeper> start_keeper(const KeeperTask& task) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return errno_error("socketpair", errno);
  Fd ours(ends[0]);
  Fd given(ends[1]);
  const Fd theirs(::fcntl(given.get(), F_DUPFD_CLOEXEC, 3));  // above what becomes /dev/null
  if (!theirs.valid()) return errno_error("duplicate a descriptor", errno);
  given.reset();
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);

  Inherited inherited;
  inherited.directory = working_directory();
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &inherited.mask);
  const pid_t pid = fork_into(task.plan == nullptr ? 0 : namespaces_for(*task.plan));
  if (pid == 0) KeeperProcess(task, inherited, theirs.get()).run();
  const int refused = errno;
  ::pthread_sigmask(SIG_SETMASK, &inherited.mask, nullptr);
  if (pid < 0) return errno_error("start a process with the wanted namespaces", refused);
  return Keeper{pid, open_pidfd(pid), std::move(ours)};
}

KeeperMailbox::State KeeperMailbox::receive(int control) {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto count = ::read(control, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return state();
    if (count <= 0) return state() == State::complete ? State::complete : State::broken;
    buffer_.append(buffer.data(), static_cast<std::size_t>(count));
    if (state() != State::waiting) return state();
  }
}

KeeperMailbox::State KeeperMailbox::state() const {
  if (buffer_.size() < kHeader) return State::waiting;
  std::uint64_t size = 0;
  std::memcpy(&size, buffer_.data() + 1, sizeof size);
  if (size > limit_ || buffer_.size() > kHeader + size) return State::broken;
  if (static_cast<unsigned char>(buffer_.front()) > static_cast<unsigned char>(KeeperNews::isolated))
    return State::broken;
  return buffer_.size() == kHeader + size ? State::complete : State::waiting;
}

std::string_view KeeperMailbox::body() const { return std::string_view(buffer_).substr(kHeader); }

SetupFailure decode_setup_failure(std::string_view body) {
  SetupFailure failure;
  if (body.size() < 2 + sizeof failure.index) return failure;
  failure.step = static_cast<SetupStep>(body[0]);
  failure.interrupted = body[1] != 0;
  std::memcpy(&failure.index, body.data() + 2, sizeof failure.index);
  failure.problem = body.substr(2 + sizeof failure.index);
  return failure;
}

std::optional<int> end_keeper(Keeper& keeper, milliseconds patience) {
  int status = 0;
  keeper.control.reset();
  if (wait_for(keeper, patience, status)) return status;
  ::kill(keeper.pid, SIGKILL);
  if (wait_for(keeper, patience, status)) return status;
  return std::nullopt;
}

}  // namespace flakestat::sys
