#include "sys/child_start.hpp"
#include "sys/pidfd.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>

extern char** environ;

namespace flakestat::sys {
namespace {

constexpr const char* kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

enum class Step : int { session, input, output, inherit, directory, exec, ready };

// What the new process tells us before it becomes the command (ready), and when it cannot.
struct Report {
  Step step = Step::exec;
  int error_number = 0;
  long peak_kib = 0;
};

// Everything that the new process needs, laid out before the fork: after it nothing may allocate.
struct Layout {
  std::vector<std::string> candidates;
  std::vector<std::string> environment;
  std::vector<char*> argv;
  std::vector<char*> envp;
  const char* directory = nullptr;
  const std::vector<int>* inherited = nullptr;
  bool shares_terminal = false;
  pid_t parent = 0;
  int output = -1;
  int report = -1;
  sigset_t mask{};
};

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const auto& each : strings) out.push_back(const_cast<char*>(each.c_str()));
  out.push_back(nullptr);
  return out;
}

[[noreturn]] void fail(const Layout& layout, Step step, int error_number) {
  const Report report{step, error_number, 0};
  // Short enough to be atomic; when even this fails the parent sees exit code 127.
  if (::write(layout.report, &report, sizeof report) < 0) ::_exit(127);
  ::_exit(127);
}

// The kernel counts what we had at the fork as the new process's, and goes on counting it after the exec.
void tell_peak(const Layout& layout) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const Report report{Step::ready, 0, usage.ru_maxrss};
  // When it cannot be told, nothing is known of the peak: as good as no report.
  if (::write(layout.report, &report, sizeof report) < 0) return;
}

void to_default(int signal) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
}

void reset_signals(const Layout& layout) {
  for (const int signal : Signals::kHandled) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN || signal == SIGCHLD) to_default(signal);
  }
  to_default(SIGPIPE);  // flakestat itself ignores it; a pipeline in the command must end when its reader does
  ::sigprocmask(SIG_SETMASK, &layout.mask, nullptr);
}

// execve's own choice among errors, as execvp makes it: a file that may not be run outweighs one that is not there.
int exec_candidates(const Layout& layout) {
  int remembered = ENOENT;
  for (const auto& candidate : layout.candidates) {
    ::execve(candidate.c_str(), layout.argv.data(), layout.envp.data());
    if (errno == EACCES) remembered = EACCES;
    else if (errno != ENOENT && errno != ENOTDIR) return errno;
  }
  return remembered;
}

void connect_streams(const Layout& layout) {
  const int null = ::open("/dev/null", O_RDONLY);
  if (null < 0 || ::dup2(null, 0) < 0) fail(layout, Step::input, errno);
  if (null > 2) ::close(null);
  if (::dup2(layout.output, 1) < 0 || ::dup2(layout.output, 2) < 0) fail(layout, Step::output, errno);
}

// Runs in the new process: system calls only.
[[noreturn]] void become_command(const Layout& layout) {
  if (!layout.shares_terminal && ::setsid() < 0) fail(layout, Step::session, errno);
  // Should we be killed outright, the command is told to end; without us nobody would wait for it.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != layout.parent) ::_exit(127);
  if (!layout.shares_terminal) connect_streams(layout);
  for (const int fd : *layout.inherited) {
    if (::fcntl(fd, F_SETFD, 0) != 0) fail(layout, Step::inherit, errno);
  }
  if (layout.directory != nullptr && ::chdir(layout.directory) != 0) fail(layout, Step::directory, errno);
  reset_signals(layout);
  tell_peak(layout);
  fail(layout, Step::exec, exec_candidates(layout));
}

// A pipe whose ends are above 2, so that dup2 onto stdout never closes one of them.
std::optional<StartFailure> make_pipe(Fd& read, Fd& write) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return StartFailure{errno, std::string("pipe: ") + std::strerror(errno)};
  for (int& end : ends) {
    if (end > 2) continue;
    const int moved = ::fcntl(end, F_DUPFD_CLOEXEC, 3);
    ::close(end);
    end = moved;
  }
  read = Fd(ends[0]);
  write = Fd(ends[1]);
  return std::nullopt;
}

std::string step_text(Step step, const ChildSpec& spec) {
  switch (step) {
    case Step::session: return "start a session";
    case Step::input: return "open /dev/null";
    case Step::output: return "connect the output";
    case Step::inherit: return "hand over a descriptor";
    case Step::directory: return "enter " + spec.directory;
    case Step::exec: return "run " + spec.argv.front();
    case Step::ready: break;
  }
  return "start";
}

std::string mend(Step step, int error_number, const std::string& program) {
  if (step != Step::exec) return "";
  const bool path = program.find('/') != std::string::npos;
  if (error_number == ENOENT && !path) return " in PATH";
  if (error_number == ENOENT) return " (the file, or the interpreter that its first line names)";
  if (error_number == ENOEXEC) return ": it is no program and has no #! line";
  if (error_number == E2BIG) return ": the arguments and the environment are too long";
  return "";
}

StartFailure describe(const Report& report, const ChildSpec& spec) {
  return {report.error_number, step_text(report.step, spec) + ": " +
                                   std::generic_category().message(report.error_number) +
                                   mend(report.step, report.error_number, spec.argv.front())};
}

Layout lay_out(const ChildSpec& spec) {
  const char* path = std::getenv("PATH");
  Layout layout;
  layout.candidates = program_candidates(spec.argv.front(), path == nullptr ? kDefaultPath : path);
  layout.environment = merged_environment(environ, spec.environment, spec.unset);
  layout.argv = pointers(spec.argv);
  layout.envp = pointers(layout.environment);
  layout.directory = spec.directory.empty() ? nullptr : spec.directory.c_str();
  layout.inherited = &spec.inherited;
  layout.shares_terminal = spec.shares_terminal;
  layout.parent = ::getpid();
  return layout;
}

// Signals stay blocked from before the fork until the new process has dropped our handlers.
pid_t fork_command(Layout& layout) {
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &layout.mask);
  const pid_t pid = ::fork();
  if (pid == 0) become_command(layout);
  const int error_number = errno;
  ::pthread_sigmask(SIG_SETMASK, &layout.mask, nullptr);
  errno = error_number;
  return pid;
}

// Ends when exec succeeded (the descriptor closes) or the new process has said why not.
std::optional<Report> await_exec(const Fd& read, std::optional<std::uint64_t>& peak_kib) {
  Report report;
  for (;;) {
    const auto count = ::read(read.get(), &report, sizeof report);
    if (count == sizeof report && report.step != Step::ready) return report;
    if (count == sizeof report) peak_kib = static_cast<std::uint64_t>(report.peak_kib);
    else if (count >= 0 || errno != EINTR) return std::nullopt;
  }
}

bool same_name(std::string_view line, const std::string& name) {
  return line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=';
}

}  // namespace

std::vector<std::string> program_candidates(const std::string& program, const std::string& path) {
  if (program.find('/') != std::string::npos) return {program};
  std::vector<std::string> found;
  for (std::size_t start = 0; start <= path.size();) {
    const auto end = std::min(path.find(':', start), path.size());
    const auto entry = path.substr(start, end - start);
    found.push_back((entry.empty() ? "." : entry) + "/" + program);
    start = end + 1;
  }
  return found;
}

std::vector<std::string> merged_environment(const char* const* ours,
                                            const std::vector<std::pair<std::string, std::string>>& added,
                                            const std::vector<std::string>& unset) {
  std::vector<std::string> lines;
  for (; ours != nullptr && *ours != nullptr; ++ours) {
    const std::string_view line = *ours;
    const bool replaced =
        std::any_of(added.begin(), added.end(), [&](const auto& each) { return same_name(line, each.first); });
    const bool dropped =
        std::any_of(unset.begin(), unset.end(), [&](const auto& name) { return same_name(line, name); });
    if (!replaced && !dropped) lines.emplace_back(line);
  }
  for (const auto& [name, value] : added) lines.push_back(name + "=" + value);
  return lines;
}

std::optional<StartFailure> start_child(const ChildSpec& spec, StartedChild& child) {
  if (spec.argv.empty() || spec.argv.front().empty()) return StartFailure{EINVAL, "run: the command is empty"};
  Fd output, report_read, report_write;
  if (auto failure = make_pipe(child.output, output)) return failure;
  if (auto failure = make_pipe(report_read, report_write)) return failure;
  ::fcntl(child.output.get(), F_SETFL, O_NONBLOCK);

  Layout layout = lay_out(spec);
  layout.output = output.get();
  layout.report = report_write.get();
  child.pid = fork_command(layout);
  if (child.pid < 0) return StartFailure{errno, std::string("fork: ") + std::strerror(errno)};
  report_write.reset();
  output.reset();
  const auto report = await_exec(report_read, child.inherited_peak_kib);
  if (!report) {
    child.pidfd = open_pidfd(child.pid);
    return std::nullopt;
  }
  while (::waitpid(child.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return describe(*report, spec);
}

}  // namespace flakestat::sys
