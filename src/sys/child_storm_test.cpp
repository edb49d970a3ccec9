// What tries to get away: daemons, storms, endless chains, the deaf and the stopped. Nothing may be left of any of
// them, no process and no zombie. FLAKESTAT_SOAK=1 repeats each a hundred times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "sys/child.hpp"
#include "sys/child_tree.hpp"
#include "testing/jumping_clock.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto kEver = 1h;  // a limit that the test must not need: the run would outlast the test's time

struct Escape {
  const char* name;
  std::vector<std::string> argv;  ///< argv[0] is one of tests/programs
  std::size_t processes;          ///< that outlive the command, or are there when its time is over; 0: not known
  bool hears_sigterm;
};

void PrintTo(const Escape& escape, std::ostream* out) { *out << escape.name; }

std::string name_of(const ::testing::TestParamInfo<Escape>& info) { return info.param.name; }

int repetitions() { return std::getenv("FLAKESTAT_SOAK") != nullptr ? 100 : 1; }

// We are the subreaper of all that a command starts, so whatever survived would be below one of our children.
void expect_nothing_left() {
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

class EscapeTest : public ::testing::TestWithParam<Escape> {
 protected:
  // What hears SIGTERM must be gone by it, and what does not by SIGKILL: the other limits never come.
  static ChildSpec spec() {
    ChildSpec spec;
    spec.argv = GetParam().argv;
    spec.argv.front() = std::string(FLAKESTAT_PROGRAMS_DIR) + "/" + spec.argv.front();
    spec.limits = {std::nullopt, GetParam().hears_sigterm ? kEver : 50ms, 50ms, kEver};
    return spec;
  }

  static ChildResult run(const ChildSpec& spec, const Clock& clock = SystemClock()) {
    auto signals = Signals::install();
    EXPECT_TRUE(signals.ok());
    return Supervisor(clock, *signals).run(spec);
  }
};

class LeakTest : public EscapeTest {};

TEST_P(LeakTest, IsNamedAndEnded) {
  for (int i = 0; i < repetitions(); ++i) {
    const auto result = run(spec());
    EXPECT_EQ(result.end, ChildEnd::exited);
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.leaked, SizeIs(GetParam().processes));
    for (const auto& leaked : result.leaked) EXPECT_EQ(leaked.name, GetParam().argv.front());
    EXPECT_THAT(result.unended, IsEmpty());
    expect_nothing_left();
  }
}

const Escape kLeaks[] = {
    {"SetsidChild", {"child_storm", "1", "orphan setsid"}, 1, true},
    {"DoubleFork", {"child_daemon"}, 1, true},
    {"GrandchildThatHoldsThePipe", {"child_leak"}, 1, true},
    {"DeafChild", {"child_storm", "1", "orphan deaf"}, 1, false},
    {"DeafDaemon", {"child_daemon", "deaf"}, 1, false},
    {"StoppedChild", {"child_storm", "1", "orphan stopped"}, 1, true},
    {"StoppedAndDeafChildInItsOwnSession", {"child_storm", "1", "orphan setsid stopped deaf"}, 1, false},
    {"StormOf500", {"child_storm", "500", "orphan"}, 500, true},
    {"StormOf500Sessions", {"child_storm", "500", "orphan setsid"}, 500, true},
    {"StormOf500Deaf", {"child_storm", "500", "orphan deaf"}, 500, false},
    {"StormOf500DeafSessions", {"child_storm", "500", "orphan setsid deaf"}, 500, false},
};
INSTANTIATE_TEST_SUITE_P(Supervised, LeakTest, ::testing::ValuesIn(kLeaks), name_of);

class TimeOutTest : public EscapeTest {};

TEST_P(TimeOutTest, EndsTheWholeTree) {
  for (int i = 0; i < repetitions(); ++i) {
    const testing::TempDir folder;
    auto given = spec();
    given.environment = {{"READY", folder.file("ready")}};
    testing::JumpingClock clock;
    given.limits.timeout = kEver;
    given.tick = [&] {
      if (std::filesystem::exists(folder.file("ready"))) clock.jump_once(kEver);
    };
    const auto result = run(given, clock);
    EXPECT_EQ(result.end, ChildEnd::timed_out);
    EXPECT_THAT(result.unended, IsEmpty());
    expect_nothing_left();
  }
}

const Escape kTimeOuts[] = {
    {"SetsidChild", {"child_storm", "1", "setsid"}, 1, true},
    {"DeafChild", {"child_storm", "1", "deaf"}, 1, false},
    {"DeafChildInItsOwnSession", {"child_storm", "1", "setsid deaf"}, 1, false},
    {"StoppedChild", {"child_storm", "1", "stopped"}, 1, true},
    {"StormOf500", {"child_storm", "500"}, 500, true},
    {"StormOf500Sessions", {"child_storm", "500", "setsid"}, 500, true},
    {"StormOf500DeafSessions", {"child_storm", "500", "setsid deaf"}, 500, false},
};
INSTANTIATE_TEST_SUITE_P(Supervised, TimeOutTest, ::testing::ValuesIn(kTimeOuts), name_of);

class ChainTest : public EscapeTest {};

TEST_P(ChainTest, IsNamedAndEnded) {
  for (int i = 0; i < repetitions(); ++i) {
    auto given = spec();
    given.argv.emplace_back("x-" + std::to_string(::getpid()));
    given.limits.grace = 50ms;  // a generation that is just being born does not hear SIGTERM
    const auto result = run(given);
    EXPECT_EQ(result.end, ChildEnd::exited);
    ASSERT_FALSE(result.leaked.empty());
    EXPECT_EQ(result.leaked[0].name, given.argv.back());
    EXPECT_THAT(result.unended, IsEmpty());
    expect_nothing_left();
  }
}

const Escape kChains[] = {
    {"OfForks", {"child_chain", "plain"}, 0, true},
    {"OfSessions", {"child_chain", "setsid"}, 0, true},
    {"OfDeafForks", {"child_chain", "deaf"}, 0, false},
    {"OfDeafSessions", {"child_chain", "deaf-setsid"}, 0, false},
};
INSTANTIATE_TEST_SUITE_P(Endless, ChainTest, ::testing::ValuesIn(kChains), name_of);

}  // namespace
}  // namespace flakestat::sys
