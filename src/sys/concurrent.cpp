#include "sys/concurrent.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <utility>

#include "sys/child_result_codec.hpp"
#include "sys/child_sweep.hpp"
#include "sys/child_tree.hpp"
#include "sys/copy_back.hpp"
#include "sys/file.hpp"
#include "sys/keeper.hpp"

namespace flakestat::sys {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds kTick{250};
constexpr milliseconds kPatience{3000};       // for a keeper that was let go
constexpr milliseconds kInterrupted{15'000};  // for a keeper to end all that it watches, told that it is urgent

ChildResult lost(std::string problem) {
  ChildResult result;
  result.end = ChildEnd::lost;
  result.start_problem = std::move(problem);
  return result;
}

std::string how_it_ended(std::optional<int> status) {
  if (!status) return "does not answer";
  if (WIFSIGNALED(*status)) return "was killed by signal " + std::to_string(WTERMSIG(*status));
  return "ended with exit code " + std::to_string(WEXITSTATUS(*status));
}

}  // namespace

struct KeeperPool::Copy {
  Copy(ChildSpec its_spec, std::optional<IsolationPlan> its_plan)
      : spec(std::move(its_spec)), plan(std::move(its_plan)), mailbox(encoded_result_limit(spec)) {}

  [[nodiscard]] std::string root() const {
    return plan && plan->isolation.has_mounts() ? "/proc/" + std::to_string(keeper.pid) + "/root" : "";
  }
  [[nodiscard]] bool has_own_processes() const { return plan && plan->isolation.pid; }

  ChildSpec spec;
  std::optional<IsolationPlan> plan;
  std::string folder;
  Keeper keeper;
  KeeperMailbox mailbox;
  Interrupt told = Interrupt::none;
  std::optional<milliseconds> give_up;  ///< when to kill a keeper that was told to be quick
  bool ended = false;
  bool gone = false;  ///< the keeper was reaped
};

KeeperPool::KeeperPool(const Clock& clock, InterruptSource& interrupts)
    : clock_(clock), interrupts_(interrupts), strangers_(list_children()) {
  // What a killed keeper leaves behind becomes ours to end.
  ::prctl(PR_GET_CHILD_SUBREAPER, &earlier_subreaper_);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

KeeperPool::~KeeperPool() {
  for (const auto& [id, copy] : copies_) {
    if (copy->ended) continue;
    // Quickly and for good; a keeper that has no processes of its own ends them first.
    ::kill(copy->keeper.pid, copy->has_own_processes() ? SIGKILL : SIGQUIT);
  }
  while (!copies_.empty()) release(copies_.begin()->first);
  end_orphans();
  ::prctl(PR_SET_CHILD_SUBREAPER, earlier_subreaper_);
}

Result<std::string> KeeperPool::scratch_folder(const IsolationPlan& plan, int id) {
  const auto& isolation = plan.isolation;
  if (plan.scratch.empty() || (!isolation.fs && !isolation.tmp)) return std::string();
  auto known = scratches_.find(plan.scratch);
  if (known == scratches_.end()) {
    auto opened = Scratch::open(plan.scratch);
    if (!opened) return opened.error();
    known = scratches_.emplace(plan.scratch, std::move(*opened)).first;
  }
  auto folder = known->second.path() + "/" + std::to_string(id);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0) return errno_error("create " + folder, errno);
  return folder;
}

Result<int> KeeperPool::start(const ChildSpec& spec, const std::optional<IsolationPlan>& plan) {
  const int id = ++last_id_;
  auto copy = std::make_unique<Copy>(spec, plan);
  KeeperTask task;
  task.spec = &copy->spec;
  task.clock = &clock_;
  if (copy->plan && copy->plan->isolation.any()) {
    auto folder = scratch_folder(*copy->plan, id);
    if (!folder) return folder.error();
    copy->folder = *folder;
    task.plan = &*copy->plan;
    task.folder = *folder;
  }
  auto keeper = start_keeper(task);
  if (!keeper) {
    if (!copy->folder.empty()) (void)remove_tree(copy->folder);
    return keeper.error();
  }
  copy->keeper = std::move(*keeper);
  copies_.emplace(id, std::move(copy));
  return id;
}

ConcurrentRunner::Ended KeeperPool::next(const std::function<void()>& tick) {
  const auto runs = [](const auto& entry) { return !entry.second->ended; };
  if (std::none_of(copies_.begin(), copies_.end(), runs)) return {0, lost("no copy runs"), ""};
  auto next_tick = clock_.monotonic() + kTick;
  for (;;) {
    interrupts_.acknowledge();
    forward_interrupt();
    if (auto ended = first_ended()) return std::move(*ended);
    wait_for_news(next_tick);
    if (clock_.monotonic() < next_tick) continue;
    next_tick = clock_.monotonic() + kTick;
    if (tick) tick();
  }
}

void KeeperPool::forward_interrupt() {
  const auto level = interrupts_.level();
  for (const auto& [id, copy] : copies_) {
    if (copy->ended || level == Interrupt::none) continue;
    if (copy->told != level) {
      ::kill(copy->keeper.pid, level == Interrupt::now ? SIGQUIT : SIGTERM);
      copy->told = level;
      if (level == Interrupt::now) copy->give_up = clock_.monotonic() + kInterrupted;
    } else if (copy->give_up && clock_.monotonic() > *copy->give_up) {
      ::kill(copy->keeper.pid, SIGKILL);
    }
  }
}

std::unique_ptr<ConcurrentRunner::Ended> KeeperPool::first_ended() {
  for (const auto& [id, copy] : copies_) {
    if (copy->ended) continue;
    const auto state = copy->mailbox.receive(copy->keeper.control.get());
    if (state == KeeperMailbox::State::waiting) continue;
    copy->ended = true;
    if (state == KeeperMailbox::State::broken) return std::make_unique<Ended>(Ended{id, lose(*copy), ""});
    if (copy->mailbox.news() == KeeperNews::setup_failed) {
      const auto failure = decode_setup_failure(copy->mailbox.body());
      auto result = lost("isolate the copy: " + failure.problem);
      if (failure.interrupted) result.end = ChildEnd::interrupted;
      return std::make_unique<Ended>(Ended{id, std::move(result), ""});
    }
    auto result = decode_result(copy->mailbox.body(), copy->spec);
    if (!result) result = lost("what the copy's keeper sent cannot be read");
    return std::make_unique<Ended>(Ended{id, std::move(*result), copy->root()});
  }
  return nullptr;
}

// The keeper is gone, or makes no sense: neither it nor anything of its copy may stay.
ChildResult KeeperPool::lose(Copy& copy) {
  const auto status = end_keeper(copy.keeper, kPatience);
  copy.gone = true;
  if (!copy.has_own_processes()) end_orphans();
  auto result = lost("the process that watched the copy " + how_it_ended(status) + ": nothing is known of this run");
  if (copy.told != Interrupt::none) result.end = ChildEnd::interrupted;
  return result;
}

void KeeperPool::wait_for_news(milliseconds until) {
  std::vector<pollfd> polled{{interrupts_.wake_fd(), POLLIN, 0}};
  for (const auto& [id, copy] : copies_) {
    if (!copy->ended) polled.push_back({copy->keeper.control.get(), POLLIN, 0});
  }
  const auto left = std::clamp(until - clock_.monotonic(), milliseconds(1), kTick);
  ::poll(polled.data(), polled.size(), static_cast<int>(left.count()));
}

// Processes of a copy whose keeper was killed are our children now. Live keepers are not among them, and take in what
// comes from their own copies.
void KeeperPool::end_orphans() {
  auto not_ours = strangers_;
  for (const auto& [id, copy] : copies_) {
    if (!copy->gone) not_ours.push_back(copy->keeper.pid);
  }
  kill_descendants(not_ours);
}

Result<void> KeeperPool::keep(int id, const std::string& path) {
  const auto found = copies_.find(id);
  if (found == copies_.end() || !found->second->ended) {
    return Error{ErrorKind::internal, "keep " + path + ": no copy of that number has ended"};
  }
  const auto& copy = *found->second;
  if (!copy.plan || !copy.plan->isolation.fs) return {};
  if (copy.gone) return Error{ErrorKind::missing, "keep " + path + ": the copy is gone"};
  const auto& tree = copy.plan->tree;
  const auto wanted = (std::filesystem::path(tree) / path).lexically_normal();
  const auto name = wanted.filename().string();
  // Links in the folders above are followed on both sides, and must lead to the same place: in the tree.
  const auto inside = real_path_in(copy.root(), wanted.parent_path());
  if (!inside) return inside.error();
  const auto outside = real_path_in("", wanted.parent_path());
  if (!outside) return outside.error();
  if (name.empty() || *inside != *outside || !is_within(*inside, tree)) {
    return Error{ErrorKind::usage, "keep " + path + ": it is not below " + tree};
  }
  const auto source = copy.root() + *inside + "/" + name;
  struct stat info {};
  if (::lstat(source.c_str(), &info) != 0) return errno_error("keep " + path, errno);
  FLAKESTAT_TRY(make_directories(*outside));
  return copy_entry(source, *outside + "/" + name);
}

void KeeperPool::release(int id) {
  const auto found = copies_.find(id);
  if (found == copies_.end()) return;
  auto& copy = *found->second;
  if (!copy.gone) end_keeper(copy.keeper, kPatience);
  if (!copy.folder.empty()) (void)remove_tree(copy.folder);  // what stays is tried again when the pool goes
  copies_.erase(found);
}

}  // namespace flakestat::sys
