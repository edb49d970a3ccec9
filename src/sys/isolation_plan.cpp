#include <poll.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sys/isolation.hpp"
#include "sys/keeper.hpp"
#include "sys/mount_table.hpp"
#include "sys/namespaces.hpp"
#include "sys/scratch.hpp"

namespace flakestat::sys {
namespace {

constexpr std::size_t kNewsLimit = std::size_t{64} << 10;
constexpr std::chrono::milliseconds kPatience{3000};
constexpr std::chrono::milliseconds kLook{250};  // for interrupts that wake nobody

std::string real_path(const std::string& path) {
  std::error_code unknown;
  const auto real = std::filesystem::canonical(path, unknown);
  return unknown ? std::string() : real.string();
}

// One way to get a tree of one's own.
struct Way {
  TreeCopy tree_copy = TreeCopy::overlay;
  std::string scratch;
};

// Narrows a plan down to what works, by trying.
class Planner {
 public:
  Planner(const IsolationRequest& request, InterruptSource* interrupts) : request_(request), interrupts_(interrupts) {}

  IsolationPlan make() {
    plan_.isolation = request_.wanted;
    plan_.tree = real_path(request_.tree);
    if (plan_.isolation.any()) choose_namespaces();
    if (plan_.isolation.fs) choose_folders();
    if (plan_.isolation.tmp) choose_temps();
    choose_ways();
    while (plan_.isolation.any() && !works()) {
    }
    if (plan_.isolation.any()) add_closing_notes();
    else plan_.user_namespace = false;
    if (!plan_.isolation.fs) plan_.also.clear();
    return std::move(plan_);
  }

 private:
  void note(std::string sentence) { plan_.notes.push_back(std::move(sentence)); }

  void drop(bool Isolation::*what, const std::string& sentence) {
    if (!(plan_.isolation.*what)) return;
    plan_.isolation.*what = false;
    note(sentence);
  }

  void choose_namespaces();
  [[nodiscard]] bool is_powerless_root() const;
  void choose_folders();
  void choose_temps();
  void choose_ways();
  void add_closing_notes();
  bool works();
  std::optional<SetupFailure> attempt();
  bool await_news(const Keeper& keeper, KeeperMailbox& mailbox);
  void give_way(const SetupFailure& failure);
  void next_way(const SetupFailure& failure);
  [[nodiscard]] std::string usable(const std::string& candidate) const;

  const IsolationRequest& request_;
  InterruptSource* interrupts_;
  IsolationPlan plan_;
  std::vector<Way> ways_;  ///< left to try; the plan has the first
  std::string overlay_problem_;
};

void Planner::choose_namespaces() {
  const auto possible = [&](NamespaceFlags flags) {
    return can_fork_into(flags | (plan_.user_namespace ? CLONE_NEWUSER : 0UL));
  };
  const NamespaceFlags least = plan_.isolation.has_mounts() ? CLONE_NEWNS : CLONE_NEWNET;
  plan_.user_namespace = !can_fork_into(least) && can_fork_into(least | CLONE_NEWUSER);
  if (plan_.user_namespace && is_powerless_root()) {
    plan_.isolation = {};
    return note("Nothing can be isolated: without the privilege to mount, copies of root could not write " +
                plan_.tree + ", which is another user's.");
  }
  if (plan_.isolation.has_mounts() && !possible(CLONE_NEWNS)) {
    drop(&Isolation::fs, "The working tree cannot be isolated: mount namespaces are not permitted here.");
    drop(&Isolation::tmp, "Temporary folders cannot be isolated: mount namespaces are not permitted here.");
    drop(&Isolation::pid, "Processes cannot be isolated: mount namespaces are not permitted here.");
  }
  if (plan_.isolation.pid && !possible(CLONE_NEWNS | CLONE_NEWPID)) {
    drop(&Isolation::pid, "Processes cannot be isolated: process namespaces are not permitted here.");
  }
  if (plan_.isolation.net && !possible(CLONE_NEWNET | CLONE_NEWIPC)) {
    drop(&Isolation::net, "The network cannot be isolated: network namespaces are not permitted here.");
  }
  if (plan_.isolation.tmp && !possible(CLONE_NEWNS | CLONE_NEWIPC)) {
    drop(&Isolation::tmp, "Temporary folders cannot be isolated: IPC namespaces are not permitted here.");
  }
}

// Root writes other users' files, but not from a user namespace: a test would fail there that passes outside.
bool Planner::is_powerless_root() const {
  struct stat info {};
  return ::geteuid() == 0 && ::stat(plan_.tree.c_str(), &info) == 0 && info.st_uid != 0;
}

void Planner::choose_folders() {
  if (plan_.tree.empty() || plan_.tree == "/") {
    return drop(&Isolation::fs, "The working tree cannot be isolated: " +
                                    (plan_.tree.empty() ? request_.tree + " is not there." : "it is the root folder."));
  }
  if (!request_.git_dir) return;
  const auto git = real_path(*request_.git_dir);
  if (!git.empty() && git != "/" && !is_within(git, plan_.tree)) plan_.also.push_back(git);
}

void Planner::choose_temps() {
  for (const auto& socket : request_.sockets) {
    if (auto real = real_path(socket); !real.empty()) plan_.sockets.push_back(std::move(real));
  }
  if (auto real = real_path("/tmp"); !real.empty()) plan_.temps.push_back(std::move(real));
  const char* given = std::getenv("TMPDIR");
  const auto named = request_.temp_folder.value_or(given == nullptr ? "" : given);
  const auto real = named.starts_with('/') ? real_path(named) : std::string();
  const char* home = std::getenv("HOME");
  const auto home_folder = home == nullptr ? std::string() : real_path(home);
  if (real.empty() || std::find(plan_.temps.begin(), plan_.temps.end(), real) != plan_.temps.end()) return;
  if (plan_.isolation.fs && is_within(real, plan_.tree)) return;  // the copy's own already
  if (real == "/" || real == plan_.tree || (!home_folder.empty() && is_within(home_folder, real))) {
    return note("The temporary folder " + real + " is shared by all copies: it holds more than temporary files.");
  }
  plan_.temps.push_back(real);
}

// A candidate in the tree would hold itself, and is not even made.
std::string Planner::usable(const std::string& candidate) const {
  std::error_code refused;
  const auto path = std::filesystem::weakly_canonical(candidate, refused).string();
  const auto inside = [&](const std::string& folder) { return !folder.empty() && is_within(path, folder); };
  if (refused || inside(plan_.tree) || std::any_of(plan_.also.begin(), plan_.also.end(), inside)) return "";
  std::filesystem::create_directories(path, refused);
  struct statvfs info {};
  const bool usable = ::statvfs(path.c_str(), &info) == 0 && (info.f_flag & (ST_RDONLY | ST_NOEXEC)) == 0;
  return usable ? real_path(path) : "";
}

void Planner::choose_ways() {
  std::vector<std::string> usable_ones;
  for (const auto& candidate : request_.scratch_candidates) {
    if (auto scratch = usable(candidate); !scratch.empty()) usable_ones.push_back(std::move(scratch));
  }
  for (const auto& scratch : usable_ones) ways_.push_back({TreeCopy::overlay, scratch});
  ways_.push_back({TreeCopy::overlay, ""});
  for (const auto& scratch : usable_ones) ways_.push_back({TreeCopy::copied, scratch});
  plan_.tree_copy = ways_.front().tree_copy;
  plan_.scratch = ways_.front().scratch;
}

bool Planner::works() {
  const auto failure = attempt();
  if (failure) give_way(*failure);
  return !failure;
}

// The whole isolation once, in a process that lives for as long as it takes.
std::optional<SetupFailure> Planner::attempt() {
  std::optional<Scratch> scratch;
  KeeperTask task;
  const SystemClock clock;
  task.plan = &plan_;
  task.clock = &clock;
  if (!plan_.scratch.empty()) {
    auto opened = Scratch::open(plan_.scratch);
    if (!opened) return SetupFailure{SetupStep::tree, 0, false, opened.error().message};
    scratch.emplace(std::move(*opened));
    task.folder = scratch->path();
  }
  auto keeper = start_keeper(task);
  if (!keeper) return SetupFailure{SetupStep::mounts, 0, false, keeper.error().message};
  KeeperMailbox mailbox(kNewsLimit);
  const bool heard = await_news(*keeper, mailbox);
  end_keeper(*keeper, kPatience);
  if (!heard) return SetupFailure{SetupStep::mounts, 0, false, "the probe was ended"};
  if (mailbox.news() == KeeperNews::isolated) return std::nullopt;
  return decode_setup_failure(mailbox.body());
}

// False when the keeper vanished without a word.
bool Planner::await_news(const Keeper& keeper, KeeperMailbox& mailbox) {
  bool told = false;
  for (;;) {
    const auto state = mailbox.receive(keeper.control.get());
    if (state != KeeperMailbox::State::waiting) return state == KeeperMailbox::State::complete;
    if (interrupts_ != nullptr) interrupts_->acknowledge();
    if (interrupts_ != nullptr && !told && interrupts_->level() != Interrupt::none) {
      told = ::kill(keeper.pid, SIGTERM) == 0;
    }
    std::array<pollfd, 2> polled{
        {{keeper.control.get(), POLLIN, 0}, {interrupts_ == nullptr ? -1 : interrupts_->wake_fd(), POLLIN, 0}}};
    ::poll(polled.data(), polled.size(), static_cast<int>(kLook.count()));
  }
}

// Each failure takes something away, so that this ends.
void Planner::give_way(const SetupFailure& failure) {
  const auto why = ": " + failure.problem + ".";
  if (failure.interrupted) {
    plan_.isolation = {};
    return note("Nothing is isolated: interrupted.");
  }
  switch (failure.step) {
    case SetupStep::tree:
    case SetupStep::rename: return next_way(failure);
    case SetupStep::also:
      if (failure.index >= plan_.also.size()) return next_way(failure);
      note("The git directory " + plan_.also[failure.index] + " is shared by all copies" + why);
      plan_.also.erase(plan_.also.begin() + failure.index);
      return;
    case SetupStep::tmp: return drop(&Isolation::tmp, "Temporary folders cannot be isolated" + why);
    case SetupStep::pid: return drop(&Isolation::pid, "Processes cannot be isolated" + why);
    case SetupStep::net: return drop(&Isolation::net, "The network cannot be isolated" + why);
    case SetupStep::ids:
    case SetupStep::mounts:
    case SetupStep::folder: break;
  }
  plan_.isolation = {};
  note("Nothing can be isolated" + why);
}

void Planner::next_way(const SetupFailure& failure) {
  if (plan_.tree_copy == TreeCopy::overlay && overlay_problem_.empty()) overlay_problem_ = failure.problem;
  if (failure.step == SetupStep::rename) overlay_problem_ = failure.problem;
  if (!ways_.empty()) ways_.erase(ways_.begin());
  // What an overlay refuses, it refuses wherever its upper folder is.
  if (failure.step == SetupStep::rename) {
    std::erase_if(ways_, [](const Way& way) { return way.tree_copy == TreeCopy::overlay; });
  }
  if (ways_.empty()) {
    drop(&Isolation::fs, "The working tree cannot be isolated: " + failure.problem + ".");
    plan_.scratch.clear();  // what else needs a folder, gets it in memory
    return;
  }
  plan_.tree_copy = ways_.front().tree_copy;
  plan_.scratch = ways_.front().scratch;
}

void Planner::add_closing_notes() {
  if (plan_.isolation.fs && plan_.tree_copy == TreeCopy::copied) {
    note("Each copy gets a real copy of the working tree: " + overlay_problem_ + ".");
  }
  if (plan_.isolation.fs && plan_.scratch.empty()) {
    note("What copies change is kept in memory" + (overlay_problem_.empty() ? "" : ": " + overlay_problem_) + ".");
  }
  for (std::size_t i = 0; plan_.isolation.fs && i <= plan_.also.size(); ++i) {
    const auto below = mounts_below(i == 0 ? plan_.tree : plan_.also[i - 1]);
    for (const auto& mount : below ? *below : std::vector<std::string>()) {
      note(mount + " is a file system of its own: shared by all copies.");
    }
  }
  if (plan_.user_namespace) {
    note(
        "Copies run in a user namespace: programs that change the user (sudo) fail there, and files of other users "
        "belong to nobody.");
  }
}

}  // namespace

IsolationPlan plan_isolation(const IsolationRequest& request, InterruptSource* interrupts) {
  return Planner(request, interrupts).make();
}

}  // namespace flakestat::sys
