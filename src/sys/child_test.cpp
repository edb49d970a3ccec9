#include "sys/child.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "sys/child_start.hpp"
#include "testing/fake_interrupts.hpp"
#include "testing/jumping_clock.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string program(const std::string& name) { return std::string(FLAKESTAT_PROGRAMS_DIR) + "/" + name; }

bool gone(pid_t pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; }

class ChildTest : public ::testing::Test {
 protected:
  ChildSpec spec(std::vector<std::string> argv) {
    ChildSpec spec;
    spec.argv = std::move(argv);
    spec.limits = {std::nullopt, 50ms, 100ms, 3000ms};
    return spec;
  }
  ChildResult run(const ChildSpec& spec) { return Supervisor(clock_, interrupts_).run(spec); }
  ChildResult run(std::vector<std::string> argv) { return run(spec(std::move(argv))); }
  // Runs a shell line under a timeout that is over as soon as the line has made the file $READY.
  ChildResult run_until_ready(const std::string& line) {
    const testing::TempDir folder;
    auto limited = spec({"/bin/sh", "-c", line});
    limited.environment = {{"READY", folder.file("ready")}};
    limited.limits.timeout = 1h;
    limited.tick = [&] {
      if (std::filesystem::exists(folder.file("ready"))) clock_.jump_once(1h);
    };
    return run(limited);
  }

  testing::JumpingClock clock_;
  testing::FakeInterrupts interrupts_;
};

TEST_F(ChildTest, ExitCodeAndBothStreamsComeBack) {
  const auto result = run({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(result.end, ChildEnd::exited);
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.output.text(), "out\nerr\n");
  EXPECT_THAT(result.leaked, SizeIs(0));
  EXPECT_THAT(result.unended, SizeIs(0));
}

TEST_F(ChildTest, AProgramWithoutASlashIsFoundInPath) { EXPECT_EQ(run({"true"}).end, ChildEnd::exited); }

TEST_F(ChildTest, ArgumentsEnvironmentAndFolderArriveUntouched) {
  const testing::TempDir folder;
  auto given = spec({program("child_facts"), "0", "a b", "$HOME", "*", ""});
  given.environment = {{"FLAKESTAT_RUN", "7"}};
  given.directory = folder.path();
  const auto text = run(given).output.text();
  EXPECT_THAT(text, HasSubstr("arg=0\narg=a b\narg=$HOME\narg=*\narg=\nrun=7\n"));
  EXPECT_THAT(text, HasSubstr("cwd=" + std::filesystem::canonical(folder.path()).string() + "\n"));
}

TEST_F(ChildTest, TheSinkSeesTheOutputThatIsKept) {
  std::string seen;
  auto given = spec({program("child_facts"), "a b"});
  given.sink = [&](std::string_view bytes) { seen += bytes; };
  EXPECT_EQ(run(given).output.text(), seen);
  EXPECT_THAT(seen, HasSubstr("arg=a b\n"));
}

TEST_F(ChildTest, ItHasItsOwnSessionNoTerminalNoInputAndNoDescriptorsOfOurs) {
  const auto text = run({program("child_facts")}).output.text();
  EXPECT_THAT(text, HasSubstr("leader=1\n"));
  EXPECT_THAT(text, HasSubstr("tty=0\n"));
  EXPECT_THAT(text, HasSubstr("stdin=0\n"));
  EXPECT_THAT(text, HasSubstr("and this went to stderr\n"));
}

TEST_F(ChildTest, OurSignalHandlersDoNotReachIt) {
  auto signals = Signals::install();
  ASSERT_TRUE(signals.ok());
  auto* before = ::signal(SIGPIPE, SIG_IGN);  // as flakestat does
  const auto text = Supervisor(clock_, *signals).run(spec({program("child_facts")})).output.text();
  ::signal(SIGPIPE, before);
  EXPECT_THAT(text, HasSubstr("blocked=0\ndefault=1\n"));
}

TEST_F(ChildTest, ItsDescriptorsAreThoseOfAChildStartedWithoutUs) {
  const auto ours = run({program("child_facts")}).output.text();
  const Fd extra(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const auto with_one_of_ours = run({program("child_facts")}).output.text();
  EXPECT_EQ(ours, with_one_of_ours);
}

TEST_F(ChildTest, ASignalIsNotAnExitCode) {
  const auto result = run({program("child_crash"), "11"});
  EXPECT_EQ(result.end, ChildEnd::signalled);
  EXPECT_EQ(result.code, SIGSEGV);
}

TEST_F(ChildTest, TimeAndPeakMemoryOfTheCommandAndWhatItWaitedForAreKnown) {
  const auto use = run({program("child_use"), "200", "100"}).use;
  EXPECT_GE(use.max_rss_kib, 200U << 10);
  EXPECT_GE(use.user + use.system, 100ms);
  EXPECT_GE(use.wall, 90ms);
}

TEST_F(ChildTest, MemoryOfOursIsNotTakenForTheCommands) {
  const std::string ours(std::size_t{100} << 20, 'x');
  EXPECT_EQ(run({"true"}).use.max_rss_kib, 0U) << ours.size();
  EXPECT_EQ(run({program("child_use"), "30", "0"}).use.max_rss_kib, 0U);
  EXPECT_GE(run({program("child_use"), "200", "0"}).use.max_rss_kib, 200U << 10);
}

TEST_F(ChildTest, AMissingProgramFailedToStartWithItsErrno) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/usr/bin:/bin", 1);  // a folder that we may not search would give another errno
  const auto result = run({"no-such-program-anywhere"});
  EXPECT_EQ(result.end, ChildEnd::failed_to_start);
  EXPECT_EQ(result.code, ENOENT);
  EXPECT_EQ(result.start_problem, "run no-such-program-anywhere: No such file or directory in PATH");
  ::setenv("PATH", path.c_str(), 1);
}

TEST_F(ChildTest, AMissingInterpreterIsNamedAsAPossibility) {
  const testing::TempDir folder;
  const auto script = folder.write("script", "#!/no/such/interpreter\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_THAT(run({script}).start_problem, EndsWith("(the file, or the interpreter that its first line names)"));
}

TEST_F(ChildTest, AFileThatIsNoProgramIsNotHandedToAShell) {
  const testing::TempDir folder;
  const auto script = folder.write("script", "echo a shell ran this\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto result = run({script});
  EXPECT_EQ(result.end, ChildEnd::failed_to_start);
  EXPECT_EQ(result.code, ENOEXEC);
  EXPECT_EQ(result.output.text(), "");
}

TEST_F(ChildTest, AFileThatMayNotBeRunIsRefused) {
  const testing::TempDir folder;
  const auto result = run({folder.write("data", "x")});
  EXPECT_EQ(result.end, ChildEnd::failed_to_start);
  EXPECT_EQ(result.code, EACCES);
}

TEST_F(ChildTest, AMissingWorkingFolderIsNamed) {
  auto given = spec({"true"});
  given.directory = "/no/such/folder";
  EXPECT_EQ(run(given).start_problem, "enter /no/such/folder: No such file or directory");
}

TEST_F(ChildTest, AnEmptyCommandFailsToStart) {
  EXPECT_EQ(run(std::vector<std::string>{}).end, ChildEnd::failed_to_start);
}

TEST_F(ChildTest, TimeoutEndsTheShellAndWhatItStarted) {
  const auto result = run_until_ready("sleep 300 & echo $!; touch $READY; sleep 300; true");
  EXPECT_EQ(result.end, ChildEnd::timed_out);
  EXPECT_TRUE(gone(std::stoi(result.output.text())));
  EXPECT_THAT(result.unended, SizeIs(0));
}

TEST_F(ChildTest, TimeoutKillsWhatIgnoresSigterm) {
  const auto result = run_until_ready("trap '' TERM; sleep 300 & echo $!; touch $READY; sleep 300");
  EXPECT_EQ(result.end, ChildEnd::timed_out);
  EXPECT_TRUE(gone(std::stoi(result.output.text())));
  EXPECT_GE(result.use.wall, 1h + 50ms);  // timeout and grace; no upper bound: the machine may be busy
}

TEST_F(ChildTest, TimeoutReachesADaemonThatLeftTheSession) {
  const auto result = run_until_ready(program("child_daemon") + " deaf; touch $READY; sleep 300");
  EXPECT_EQ(result.end, ChildEnd::timed_out);
  EXPECT_TRUE(gone(std::stoi(result.output.text())));
}

TEST_F(ChildTest, ADaemonThatOutlivesTheCommandIsNamedAndEnded) {
  const auto result = run({program("child_daemon"), "quiet"});
  EXPECT_EQ(result.end, ChildEnd::exited);
  EXPECT_EQ(result.code, 0);
  ASSERT_THAT(result.leaked, SizeIs(1));
  EXPECT_EQ(result.leaked[0].name, "child_daemon");
  EXPECT_EQ(result.leaked[0].pid, std::stoi(result.output.text()));
  EXPECT_TRUE(gone(result.leaked[0].pid));
}

TEST_F(ChildTest, AStoppedDaemonHearsSigterm) {
  auto given = spec({program("child_daemon"), "stopped"});
  given.limits.grace = 60'000ms;  // only SIGCONT lets this test end
  const auto result = run(given);
  ASSERT_THAT(result.leaked, SizeIs(1));
  EXPECT_TRUE(gone(result.leaked[0].pid));
}

TEST_F(ChildTest, AChildThatHoldsThePipeHoldsNobodyUp) {
  const auto result = run({program("child_leak")});
  EXPECT_EQ(result.end, ChildEnd::exited);
  ASSERT_THAT(result.leaked, SizeIs(1));
  EXPECT_TRUE(gone(result.leaked[0].pid));
}

TEST_F(ChildTest, AHelperThatEndsSoonAfterTheCommandIsNoLeak) {
  auto given = spec({program("child_leak"), "30"});
  given.limits.leak_wait = 60'000ms;
  EXPECT_THAT(run(given).leaked, SizeIs(0));
}

TEST_F(ChildTest, OrphansAreReapedWhileTheCommandRuns) {
  auto signals = Signals::install();
  ASSERT_TRUE(signals.ok());
  const auto result = Supervisor(clock_, *signals).run(spec({program("child_waits_for_orphan")}));
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.leaked, SizeIs(0));
}

TEST_F(ChildTest, MuchOutputIsKeptInLittleMemory) {
  auto given = spec({program("child_flood"), "100"});
  given.head_limit = 4096;
  given.tail_limit = 4096;
  const auto result = run(given);
  EXPECT_EQ(result.end, ChildEnd::exited);
  EXPECT_EQ(result.output.total(), 100U * 1024 * 1024 + 10);
  EXPECT_THAT(result.output.text(), StartsWith("begin\n"));
  EXPECT_THAT(result.output.text(), EndsWith("\nend\n"));
  EXPECT_LE(result.output.text().size(), 9000U);
}

TEST_F(ChildTest, AnInterruptEndsTheCommandThatWasRunning) {
  auto given = spec({program("child_ignore_term")});
  given.tick = [&] { interrupts_.set(Interrupt::finish); };
  const auto result = run(given);
  EXPECT_EQ(result.end, ChildEnd::interrupted);
}

TEST_F(ChildTest, TheSecondInterruptDoesNotWaitForTheGrace) {
  auto given = spec({program("child_ignore_term")});
  given.limits.grace = 60'000ms;
  given.tick = [&] { interrupts_.set(Interrupt::now); };
  EXPECT_EQ(run(given).end, ChildEnd::interrupted);
}

TEST_F(ChildTest, ChildrenOfOtherThreadsAreLeftAlone) {
  const pid_t other = ::fork();
  if (other == 0) {
    for (;;) ::pause();
  }
  std::atomic<pid_t> later{0};
  auto given = spec({program("child_leak")});
  given.tick = [&] {};
  std::thread starter([&] {
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(9);  // ends at once: its zombie is not ours to reap either
    later = pid;
  });
  starter.join();
  const auto result = run(given);
  EXPECT_THAT(result.leaked, SizeIs(1));
  EXPECT_EQ(::kill(other, 0), 0);
  int status = 0;
  EXPECT_EQ(::waitpid(later, &status, 0), later);
  EXPECT_EQ(WEXITSTATUS(status), 9);
  ::kill(other, SIGKILL);
  EXPECT_EQ(::waitpid(other, &status, 0), other);
}

TEST_F(ChildTest, AServerThatWasOurChildBeforeIsLeftAlone) {
  const pid_t server = ::fork();
  if (server == 0) {
    ::setsid();
    for (;;) ::pause();
  }
  const auto result = run({program("child_leak")});
  EXPECT_THAT(result.leaked, SizeIs(1));
  EXPECT_EQ(::kill(server, 0), 0);
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);
}

TEST_F(ChildTest, TheSubreaperMarkIsGivenBack) {
  const auto mark = [] {
    int value = -1;
    ::prctl(PR_GET_CHILD_SUBREAPER, &value);
    return value;
  };
  EXPECT_EQ(mark(), 0);
  {
    const Supervisor supervisor(clock_, interrupts_);
    EXPECT_EQ(mark(), 1);
  }
  EXPECT_EQ(mark(), 0);
}

TEST_F(ChildTest, ManyCommandsInARowLeaveNothingBehind) {
  Supervisor supervisor(clock_, interrupts_);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(supervisor.run(spec({"true"})).end, ChildEnd::exited);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(ProgramCandidates, FollowPathAndItsEmptyEntries) {
  EXPECT_THAT(program_candidates("p", "/a:/b"), ElementsAre("/a/p", "/b/p"));
  EXPECT_THAT(program_candidates("p", "/a:"), ElementsAre("/a/p", "./p"));
  EXPECT_THAT(program_candidates("./p", "/a:/b"), ElementsAre("./p"));
}

TEST(MergedEnvironment, AddedNamesReplaceAndOthersStay) {
  const char* const ours[] = {"A=1", "AB=2", "C=3", nullptr};
  EXPECT_THAT(merged_environment(ours, {{"A", "x"}, {"D", ""}}), ElementsAre("AB=2", "C=3", "A=x", "D="));
}

TEST(MergedEnvironment, UnsetNamesAreLeftOut) {
  const char* const ours[] = {"A=1", "AB=2", "C=3", nullptr};
  EXPECT_THAT(merged_environment(ours, {{"D", "4"}}, {"A", "NONE"}), ElementsAre("AB=2", "C=3", "D=4"));
}

}  // namespace
}  // namespace flakestat::sys
