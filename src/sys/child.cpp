#include "sys/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <unordered_set>
#include <utility>

#include "sys/child_start.hpp"
#include "sys/child_sweep.hpp"
#include "sys/child_tree.hpp"

namespace flakestat::sys {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{250};        // for spec.tick
constexpr milliseconds kIdle{1000};       // a look around even when nothing happened
constexpr milliseconds kIdleNoPidfd{20};  // without a pidfd and without SIGCHLD news, the end is found by looking
constexpr milliseconds kEnding{10};       // between looks at what is being ended
constexpr std::uint64_t kForkSlackKib = 256;
constexpr std::size_t kDrainAtOnce = std::size_t{4} << 20;  // then deadlines are looked at again

milliseconds to_milliseconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::duration_cast<milliseconds>(std::chrono::microseconds(time.tv_usec));
}

// One command from its start to the end of everything that came from it. The only place that waits for processes.
class Watch {
 public:
  Watch(const ChildSpec& spec, const Clock& clock, InterruptSource& interrupts, const std::vector<pid_t>& strangers)
      : spec_(spec),
        clock_(clock),
        interrupts_(interrupts),
        strangers_(strangers),
        ending_(spec.limits, clock.monotonic()) {
    result_.output = OutputCapture(spec.head_limit, spec.tail_limit);
  }

  ChildResult run() {
    if (auto failure = start_child(spec_, child_)) {
      result_.end = ChildEnd::failed_to_start;
      result_.code = failure->error_number;
      result_.start_problem = std::move(failure->problem);
      return std::move(result_);
    }
    while (step()) {
    }
    drain();
    conclude();
    return std::move(result_);
  }

 private:
  bool step();
  void look_around();
  void reap_command();
  void reap_orphans();
  void reap_orphans_from_list();
  bool reap_if_ended(const ProcessInfo& process);
  void list_tree();
  void add_brief_children();
  void act(EndingAction action);
  void sweep(int signal);
  void signal_tree(int signal);
  void wait(const EndingStep& step);
  void drain();
  void conclude();
  void tick();
  void name_living(std::vector<LeakedProcess>& names) const;
  [[nodiscard]] bool others_left() const;
  [[nodiscard]] bool is_foreign(pid_t pid, pid_t session) const;

  const ChildSpec& spec_;
  const Clock& clock_;
  InterruptSource& interrupts_;
  const std::vector<pid_t>& strangers_;
  Ending ending_;
  const milliseconds start_ = clock_.monotonic();
  milliseconds last_tick_ = start_;
  const pid_t self_ = ::getpid();
  const pid_t session_ = ::getsid(0);
  StartedChild child_;
  ChildResult result_;
  std::vector<ProcessInfo> tree_;  ///< as of the last look, the dead that their parent has not reaped included
  int status_ = 0;
  bool command_ended_ = false;
  bool killing_ = false;
};

bool Watch::step() {
  look_around();
  const bool was_leaked = ending_.leaked();
  const auto next = ending_.step({clock_.monotonic(), command_ended_, others_left(), interrupts_.level()});
  if (ending_.leaked() && !was_leaked) {
    name_living(result_.leaked);
  }
  if (next.action == EndingAction::finish) return false;
  act(next.action);
  const bool due = next.action == EndingAction::wait && next.until && *next.until <= clock_.monotonic();
  if (!due) wait(next);  // the step behind a deadline never is the same one again
  return true;
}

void Watch::look_around() {
  interrupts_.acknowledge();
  if (!command_ended_) reap_command();
  reap_orphans();
  if (ending_.watches_others()) list_tree();
}

void Watch::reap_command() {
  rusage usage{};
  const pid_t waited = ::wait4(child_.pid, &status_, WNOHANG, &usage);
  if (waited == 0 || (waited < 0 && errno == EINTR)) return;
  command_ended_ = true;
  child_.pidfd.reset();
  result_.use.wall = clock_.monotonic() - start_;
  result_.use.user = to_milliseconds(usage.ru_utime);
  result_.use.system = to_milliseconds(usage.ru_stime);
  const auto peak = static_cast<std::uint64_t>(usage.ru_maxrss);
  // What the fork itself touches comes on top of what was told.
  if (child_.inherited_peak_kib && peak > *child_.inherited_peak_kib + kForkSlackKib) result_.use.max_rss_kib = peak;
}

// Orphans are reaped while the command runs, as init would: a test may wait until the pid of its daemon is gone.
void Watch::reap_orphans() {
  for (;;) {
    siginfo_t news{};
    if (::waitid(P_ALL, 0, &news, WEXITED | WNOHANG | WNOWAIT) != 0 || news.si_pid == 0) return;
    if (news.si_pid == child_.pid) {
      if (command_ended_) return;
      reap_command();
      if (!command_ended_) return;
      continue;
    }
    if (is_foreign(news.si_pid, ::getsid(news.si_pid)))
      return reap_orphans_from_list();         // another's child hides those behind it
    if (killing_) kill_group_of(news.si_pid);  // while its zombie holds the group's number
    ::waitid(P_PID, static_cast<id_t>(news.si_pid), &news, WEXITED | WNOHANG);
  }
}

void Watch::reap_orphans_from_list() {
  for (const auto& process : list_processes()) {
    if (process.parent == self_ && process.pid != child_.pid && !is_foreign(process.pid, process.session)) {
      reap_if_ended(process);
    }
  }
}

bool Watch::reap_if_ended(const ProcessInfo& process) {
  siginfo_t news{};
  return !process.alive() && process.parent == self_ && process.pid != child_.pid &&
         ::waitid(P_PID, static_cast<id_t>(process.pid), &news, WEXITED | WNOHANG) == 0 && news.si_pid != 0;
}

void Watch::list_tree() {
  tree_.clear();
  siginfo_t news{};
  // No child at all: every orphan would be ours, so nothing can be left. Saves reading /proc in the usual case.
  if (::waitid(P_ALL, 0, &news, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD) return;
  // A listing is no snapshot: only a second empty one says that nothing slipped through the first.
  for (int look = 0; look < 2 && tree_.empty(); ++look) {
    tree_ = supervised_descendants(list_processes(), self_, session_, strangers_, command_ended_ ? 0 : child_.pid);
    std::erase_if(tree_, [&](const ProcessInfo& process) { return reap_if_ended(process); });
  }
  if (tree_.empty()) add_brief_children();
}

// Processes that fork and exit at once are gone before a listing comes to them, but some child of ours is always there.
void Watch::add_brief_children() {
  for (const pid_t pid : list_children()) {
    if (is_foreign(pid, ::getsid(pid))) continue;
    if (auto process = read_process(pid)) tree_.push_back(std::move(*process));
  }
}

bool Watch::is_foreign(pid_t pid, pid_t session) const {
  return session == session_ || std::find(strangers_.begin(), strangers_.end(), pid) != strangers_.end();
}

bool Watch::others_left() const {
  return std::any_of(tree_.begin(), tree_.end(), [&](const ProcessInfo& process) { return process.pid != child_.pid; });
}

void Watch::name_living(std::vector<LeakedProcess>& names) const {
  for (const auto& process : tree_) {
    if (process.alive()) names.push_back({process.name, process.pid});
  }
  // Only the dead were to be seen of something that goes on: one of them stands for it.
  if (names.empty() && others_left()) names.push_back({tree_.back().name, tree_.back().pid});
}

void Watch::act(EndingAction action) {
  if (action == EndingAction::wait) return;
  killing_ = action == EndingAction::kill;
  list_tree();
  const int signal = killing_ ? SIGKILL : SIGTERM;
  signal_tree(signal);
  sweep(signal);
}

void Watch::sweep(int signal) {
  std::unordered_set<pid_t> told;
  for (const auto& process : tree_) told.insert(process.pid);
  sweep_children(signal, strangers_, std::move(told), [this] {
    if (!command_ended_) reap_command();
    reap_orphans();
  });
}

void Watch::signal_tree(int signal) {
  if (!command_ended_) {
    ::kill(-child_.pid, signal);  // the group at once, so that a shell and its child go together
    ::kill(child_.pid, signal);   // it may have moved to another group
  }
  for (const auto& process : tree_) {
    const bool told = !command_ended_ && (process.group == child_.pid || process.pid == child_.pid);
    if (!told || signal == SIGKILL) signal_process(process, signal);
    if (signal == SIGTERM) signal_process(process, SIGCONT);  // a stopped process would not hear it
  }
}

void Watch::wait(const EndingStep& step) {
  const bool ending = ending_.watches_others();
  auto pause = ending ? kEnding : child_.pidfd.valid() ? kIdle : kIdleNoPidfd;
  if (spec_.tick) pause = std::min(pause, kTick);
  if (step.until) pause = std::min(pause, std::max(*step.until - clock_.monotonic(), milliseconds(0)));
  std::array<pollfd, 3> polled{
      {{child_.output.get(), POLLIN, 0}, {child_.pidfd.get(), POLLIN, 0}, {interrupts_.wake_fd(), POLLIN, 0}}};
  // A deadline reached within this millisecond must not spin.
  const int timeout = static_cast<int>(std::max<milliseconds::rep>(pause.count(), ending ? 1 : 0));
  if (::poll(polled.data(), polled.size(), timeout) < 0) return;
  if (polled[0].revents != 0) drain();
  tick();
}

void Watch::tick() {
  if (!spec_.tick || command_ended_ || clock_.monotonic() - last_tick_ < kTick) return;
  last_tick_ = clock_.monotonic();
  spec_.tick();
}

void Watch::drain() {
  std::array<char, 65536> buffer;
  for (std::size_t taken = 0; child_.output.valid() && taken < kDrainAtOnce;) {
    const auto count = ::read(child_.output.get(), buffer.data(), buffer.size());
    if (count > 0) {
      const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
      result_.output.append(bytes);
      if (spec_.sink) spec_.sink(bytes);
      taken += static_cast<std::size_t>(count);
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      child_.output.reset();
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

void Watch::conclude() {
  if (!command_ended_) result_.use.wall = clock_.monotonic() - start_;
  name_living(result_.unended);
  if (!command_ended_ && tree_.empty()) result_.unended.push_back({spec_.argv.front(), child_.pid});
  if (ending_.cause() == EndingCause::timed_out) {
    result_.end = ChildEnd::timed_out;
  } else if (ending_.cause() == EndingCause::interrupted) {
    result_.end = ChildEnd::interrupted;
  } else if (WIFSIGNALED(status_)) {
    result_.end = ChildEnd::signalled;
    result_.code = WTERMSIG(status_);
  } else {
    result_.end = ChildEnd::exited;
    result_.code = WEXITSTATUS(status_);
  }
}

}  // namespace

Supervisor::Supervisor(const Clock& clock, InterruptSource& interrupts)
    : clock_(clock), interrupts_(interrupts), strangers_(list_children()) {
  ::prctl(PR_GET_CHILD_SUBREAPER, &earlier_subreaper_);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Supervisor::~Supervisor() { ::prctl(PR_SET_CHILD_SUBREAPER, earlier_subreaper_); }

ChildResult Supervisor::run(const ChildSpec& spec) { return Watch(spec, clock_, interrupts_, strangers_).run(); }

}  // namespace flakestat::sys
