#include "sys/signals.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

namespace flakestat::sys {
namespace {

bool readable(int fd) {
  pollfd polled{fd, POLLIN, 0};
  return ::poll(&polled, 1, 0) == 1;
}

TEST(AfterSignal, TheSecondCtrlCMeansNow) {
  const auto once = after_signal(Interrupt::none, SIGINT);
  EXPECT_EQ(once, Interrupt::finish);
  EXPECT_EQ(after_signal(once, SIGINT), Interrupt::now);
}

TEST(AfterSignal, SigtermIsAFirstCtrlCHoweverOftenItComes) {
  const auto once = after_signal(Interrupt::none, SIGTERM);
  EXPECT_EQ(once, Interrupt::finish);
  EXPECT_EQ(after_signal(once, SIGTERM), Interrupt::finish);
  EXPECT_EQ(after_signal(once, SIGINT), Interrupt::now);
}

TEST(AfterSignal, AClosedTerminalFinishesAndSigquitStops) {
  EXPECT_EQ(after_signal(Interrupt::none, SIGHUP), Interrupt::finish);
  EXPECT_EQ(after_signal(Interrupt::none, SIGQUIT), Interrupt::now);
}

TEST(AfterSignal, ChildrenAndLaterSignalsLowerNothing) {
  EXPECT_EQ(after_signal(Interrupt::none, SIGCHLD), Interrupt::none);
  EXPECT_EQ(after_signal(Interrupt::now, SIGTERM), Interrupt::now);
}

TEST(Signals, CtrlCRaisesTheLevelAndWakesThePoll) {
  auto signals = Signals::install();
  ASSERT_TRUE(signals.ok());
  EXPECT_EQ(signals->level(), Interrupt::none);
  EXPECT_FALSE(readable(signals->wake_fd()));
  ::raise(SIGINT);
  EXPECT_EQ(signals->level(), Interrupt::finish);
  EXPECT_TRUE(readable(signals->wake_fd()));
  signals->acknowledge();
  EXPECT_FALSE(readable(signals->wake_fd()));
  ::raise(SIGINT);
  EXPECT_EQ(signals->level(), Interrupt::now);
}

TEST(Signals, AnotherThreadMayTakeTheSignal) {
  auto signals = Signals::install();
  ASSERT_TRUE(signals.ok());
  std::thread([] { ::raise(SIGTERM); }).join();
  EXPECT_EQ(signals->level(), Interrupt::finish);
}

TEST(Signals, EarlierHandlersComeBackAndTheLevelStartsAnew) {
  struct sigaction before {};
  ::sigaction(SIGINT, nullptr, &before);
  {
    auto signals = Signals::install();
    ASSERT_TRUE(signals.ok());
    ::raise(SIGINT);
  }
  struct sigaction after {};
  ::sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
  auto again = Signals::install();
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->level(), Interrupt::none);
}

TEST(Signals, AnIgnoredHangupStaysIgnored) {
  auto* before = ::signal(SIGHUP, SIG_IGN);
  {
    auto signals = Signals::install();
    ASSERT_TRUE(signals.ok());
    ::raise(SIGHUP);
    EXPECT_EQ(signals->level(), Interrupt::none);
  }
  ::signal(SIGHUP, before);
}

TEST(Signals, AnInterruptIsHeardInTheBackgroundOfAScript) {
  auto* before = ::signal(SIGINT, SIG_IGN);
  {
    auto signals = Signals::install();
    ASSERT_TRUE(signals.ok());
    ::raise(SIGINT);
    EXPECT_EQ(signals->level(), Interrupt::finish);
  }
  EXPECT_EQ(::signal(SIGINT, before), SIG_IGN);
}

TEST(Signals, AForkedProcessStartsWithALevelAndAPipeOfItsOwn) {
  auto signals = Signals::install();
  ASSERT_TRUE(signals.ok());
  sigset_t all;
  sigset_t earlier;
  sigfillset(&all);
  ::raise(SIGTERM);
  signals->acknowledge();
  ::pthread_sigmask(SIG_SETMASK, &all, &earlier);
  const pid_t child = ::fork();
  if (child == 0) {
    auto own = Signals::renew_after_fork();
    ::pthread_sigmask(SIG_SETMASK, &earlier, nullptr);
    const bool fresh = own.ok() && own->level() == Interrupt::none;
    ::raise(SIGQUIT);
    ::_exit(fresh && own->level() == Interrupt::now && readable(own->wake_fd()) ? 0 : 1);
  }
  ::pthread_sigmask(SIG_SETMASK, &earlier, nullptr);
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  EXPECT_EQ(status, 0);
  EXPECT_EQ(signals->level(), Interrupt::finish) << "the child's signals are its own";
}

TEST(Signals, OnlyOneObjectMayLive) {
  auto first = Signals::install();
  ASSERT_TRUE(first.ok());
  const auto second = Signals::install();
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().kind, ErrorKind::internal);
}

TEST(Signals, TheFirstSignalThatAskedUsToEndIsRemembered) {
  auto signals = Signals::install();
  ASSERT_TRUE(signals.ok());
  ::raise(SIGCHLD);
  EXPECT_EQ(signals->first_signal(), 0);
  ::raise(SIGTERM);
  ::raise(SIGINT);
  EXPECT_EQ(signals->first_signal(), SIGTERM);
}

}  // namespace
}  // namespace flakestat::sys
