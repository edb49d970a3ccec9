#include "sys/copy_setup.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/strings.hpp"
#include "sys/copy_probe.hpp"
#include "sys/fd.hpp"
#include "sys/file.hpp"
#include "sys/mount_table.hpp"

namespace flakestat::sys {
namespace {

constexpr const char* kSharedMemory = "/dev/shm";
constexpr mode_t kPermissions = 07777;
constexpr unsigned long kBindOne = MS_BIND;
constexpr unsigned long kBindAll = kBindOne | MS_REC;

// A file or folder that was opened before something was mounted over it; bind mounts and overlays name it by this path.
std::string path_of(const Fd& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

Fd open_place(const std::string& path) { return Fd(::open(path.c_str(), O_PATH | O_CLOEXEC)); }

Result<void> mount_on(const std::string& source, const std::string& target, const char* type, unsigned long flags,
                      const char* options) {
  if (::mount(source.c_str(), target.c_str(), type, flags, options) == 0) return {};
  return errno_error("mount " + target, errno);
}

Result<void> bind_mount(const Fd& source, const std::string& target, bool with_mounts_below) {
  return mount_on(path_of(source), target, nullptr, with_mounts_below ? kBindAll : kBindOne, nullptr);
}

// Mode and owner as in the original: an upper folder gives its own to the overlay's root.
void take_after(const std::string& path, const struct stat& original) {
  // The owner first, since chown drops set-user-id bits. Without privileges it is ours already, or cannot be helped.
  [[maybe_unused]] const int refused = ::chown(path.c_str(), original.st_uid, original.st_gid);
  ::chmod(path.c_str(), original.st_mode & kPermissions);
}

void take_times_after(const std::string& path, const struct stat& original) {
  const std::array<timespec, 2> times{original.st_atim, original.st_mtim};
  ::utimensat(AT_FDCWD, path.c_str(), times.data(), 0);
}

// A place that must be visible again where a private folder hides it: its descriptor, and what its parents looked like.
struct Hidden {
  std::string path;
  Fd place;
  struct stat info {};
  std::vector<std::pair<std::string, struct stat>> parents;  ///< below the private folder, outermost first
  bool shown = true;                                         ///< else only a folder of that name is wanted

  [[nodiscard]] bool is_folder() const { return S_ISDIR(info.st_mode); }
};

std::optional<Hidden> remember(const std::string& path, const std::string& above) {
  Hidden hidden;
  hidden.path = path;
  hidden.place = open_place(path);
  if (!hidden.place.valid() || ::fstat(hidden.place.get(), &hidden.info) != 0) return std::nullopt;
  for (auto end = path.find('/', above.size() + 1); end != std::string::npos; end = path.find('/', end + 1)) {
    struct stat info {};
    if (::stat(path.substr(0, end).c_str(), &info) != 0) return std::nullopt;
    hidden.parents.emplace_back(path.substr(0, end), info);
  }
  return hidden;
}

Result<void> make_mount_point(const Hidden& hidden) {
  for (const auto& [parent, info] : hidden.parents) {
    if (::mkdir(parent.c_str(), S_IRWXU) == 0) take_after(parent, info);
    else if (errno != EEXIST) return errno_error("create " + parent, errno);
  }
  if (hidden.is_folder()) {
    if (::mkdir(hidden.path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
      return errno_error("create " + hidden.path, errno);
    }
    take_after(hidden.path, hidden.info);
    return {};
  }
  const Fd file(::open(hidden.path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!file.valid()) return errno_error("create " + hidden.path, errno);
  return {};
}

// A folder that the copy gets of its own: the tree, or another one.
struct OwnFolder {
  SetupStep step = SetupStep::tree;
  std::size_t index = 0;  ///< of a further folder
  std::string path;
  Fd place;  ///< the original
  struct stat info {};
  std::vector<std::pair<std::string, Fd>> mounts_below;  ///< stay shared
  std::string storage;                                   ///< name of its folder in the scratch
};

// One setup from its first system call to its last.
class Setup {
 public:
  Setup(const IsolationPlan& plan, const SetupContext& context) : plan_(plan), context_(context) {}

  std::optional<SetupFailure> run() {
    if (plan_.user_namespace) attempt(SetupStep::ids, map_own_ids(context_.user, context_.group));
    if (plan_.isolation.has_mounts()) set_up_mounts();
    if (plan_.isolation.net) attempt(SetupStep::net, raise_loopback());
    if (!failure_) attempt(SetupStep::folder, enter_working_directory());
    return std::move(failure_);
  }

 private:
  void attempt(SetupStep step, const Result<void>& result, std::size_t index = 0) {
    if (failure_ || result) return;
    failure_ = SetupFailure{step, static_cast<std::uint32_t>(index), interrupted_, result.error().message};
  }

  void set_up_mounts() {
    // What we mount stays here, and what others mount from now on stays there.
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      attempt(SetupStep::mounts, errno_error("detach mounts", errno));
    }
    attempt(SetupStep::mounts, open_scratch());
    if (plan_.isolation.fs) open_own_folders();
    if (plan_.isolation.tmp) attempt(SetupStep::tmp, make_temps_private());
    if (plan_.isolation.fs) mount_own_folders();
    if (plan_.isolation.pid) attempt(SetupStep::pid, mount_proc());
  }

  Result<void> open_scratch() {
    if (context_.folder.empty()) return {};
    scratch_ = open_place(context_.folder);
    if (!scratch_.valid()) return errno_error("open " + context_.folder, errno);
    return {};
  }

  void open_own_folders() {
    open_own_folder(SetupStep::tree, 0, plan_.tree);
    for (std::size_t i = 0; i < plan_.also.size(); ++i) open_own_folder(SetupStep::also, i, plan_.also[i]);
    // Outer ones are mounted first: they would hide those in them.
    std::stable_sort(own_.begin(), own_.end(),
                     [](const auto& a, const auto& b) { return a.path.size() < b.path.size(); });
  }

  void open_own_folder(SetupStep step, std::size_t index, const std::string& path) {
    if (failure_) return;
    OwnFolder folder;
    folder.step = step;
    folder.index = index;
    folder.path = path;
    folder.storage = std::to_string(own_.size());
    attempt(step, open(folder), index);
    own_.push_back(std::move(folder));
  }

  Result<void> open(OwnFolder& folder) {
    folder.place = open_place(folder.path);
    if (!folder.place.valid() || ::fstat(folder.place.get(), &folder.info) != 0) {
      return errno_error("open " + folder.path, errno);
    }
    auto below = mounts_below(folder.path);
    if (!below) return below.error();
    for (auto& path : *below) {
      Fd place = open_place(path);
      if (!place.valid()) return errno_error("open " + path, errno);
      folder.mounts_below.emplace_back(std::move(path), std::move(place));
    }
    if (plan_.tree_copy == TreeCopy::copied) return copy(folder);
    return {};
  }

  // Before anything is mounted, so that both ends have their names.
  Result<void> copy(const OwnFolder& folder) {
    ChildSpec spec;
    const auto target = context_.folder + "/" + folder.storage;
    spec.argv = {"cp", "-a", "--one-file-system", "--reflink=auto", "--no-target-directory"};
    // To cp, root can give files to everybody: what it cannot give makes it fail.
    if (::geteuid() == 0 && !can_give_files_away()) spec.argv.emplace_back("--no-preserve=ownership");
    spec.argv.insert(spec.argv.end(), {"--", folder.path, target});
    const auto result = context_.run_helper(spec);
    interrupted_ = result.end == ChildEnd::interrupted;
    if (result.end == ChildEnd::exited && result.code == 0) return {};
    const auto said = result.output.last_lines(1);
    const std::string why(trim(result.end == ChildEnd::failed_to_start ? result.start_problem : said));
    return Error{ErrorKind::io, "copy " + folder.path + " to " + target + ": " + (why.empty() ? "cp was ended" : why)};
  }

  Result<void> make_temps_private() {
    for (std::size_t i = 0; i < plan_.temps.size(); ++i) {
      if (!in_another_temp(i)) FLAKESTAT_TRY(make_private(plan_.temps[i], "tmp" + std::to_string(i)));
    }
    if (::access(kSharedMemory, F_OK) != 0) return {};
    return mount_on("tmpfs", kSharedMemory, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
  }

  [[nodiscard]] bool in_another_temp(std::size_t index) const {
    const auto& path = plan_.temps[index];
    return std::any_of(plan_.temps.begin(), plan_.temps.end(),
                       [&](const auto& other) { return other != path && is_within(path, other); });
  }

  Result<void> make_private(const std::string& path, const std::string& storage) {
    struct stat original {};
    if (::stat(path.c_str(), &original) != 0) return errno_error("look at " + path, errno);
    const auto hidden = hidden_by(path);
    FLAKESTAT_TRY(mount_private(path, storage, original));
    for (const auto& each : hidden) {
      FLAKESTAT_TRY(make_mount_point(each));
      if (each.shown) FLAKESTAT_TRY(bind_mount(each.place, each.path, true));
    }
    return {};
  }

  Result<void> mount_private(const std::string& path, const std::string& storage, const struct stat& original) {
    if (!scratch_.valid()) {
      FLAKESTAT_TRY(mount_on("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"));
      take_after(path, original);
      return {};
    }
    const auto folder = path_of(scratch_) + "/" + storage;
    if (::mkdir(folder.c_str(), S_IRWXU) != 0) return errno_error("create a private " + path, errno);
    take_after(folder, original);
    return bind_mount(open_place(folder), path, false);
  }

  [[nodiscard]] std::vector<Hidden> hidden_by(const std::string& folder) const {
    std::vector<Hidden> hidden;
    const auto add = [&](const std::string& path, bool shown) {
      if (path == folder || !is_within(path, folder)) return;
      auto place = remember(path, folder);
      if (!place) return;
      place->shown = shown;
      hidden.push_back(std::move(*place));
    };
    for (const auto& path : plan_.temps) add(path, false);
    for (const auto& path : plan_.sockets) add(path, true);
    add(context_.working_directory, true);
    for (const auto& path : plan_.also) add(path, true);
    add(plan_.tree, true);
    return hidden;
  }

  void mount_own_folders() {
    std::string memory;
    if (!failure_ && !scratch_.valid()) attempt(SetupStep::tree, mount_memory(memory));
    for (const auto& folder : own_) {
      if (failure_) break;
      attempt(folder.step, mount_own(folder), folder.index);
      if (context_.probe && !failure_) attempt(folder.step, try_changes(folder.path), folder.index);
      if (context_.probe && !failure_) attempt(SetupStep::rename, try_folder_rename(folder.path), folder.index);
    }
    // The overlays hold on to what they use; the place itself is to look as before.
    if (!memory.empty()) ::umount2(memory.c_str(), MNT_DETACH);
  }

  // A file system in memory needs a place to be mounted on until the overlays are.
  Result<void> mount_memory(std::string& mounted_on) {
    for (const char* place : {"/mnt", kSharedMemory, "/media", "/tmp"}) {
      const bool hides =
          std::any_of(own_.begin(), own_.end(), [&](const auto& own) { return is_within(own.path, place); });
      if (hides || ::mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0700") != 0) continue;
      mounted_on = place;
      scratch_ = open_place(place);
      if (!scratch_.valid()) return errno_error(std::string("open ") + place, errno);
      return {};
    }
    return errno_error("mount a file system in memory", errno);
  }

  Result<void> mount_own(const OwnFolder& folder) {
    if (plan_.tree_copy == TreeCopy::copied) {
      const Fd copy = open_place(path_of(scratch_) + "/" + folder.storage);
      FLAKESTAT_TRY(bind_mount(copy, folder.path, false));
    } else {
      FLAKESTAT_TRY(mount_overlay(folder));
    }
    for (const auto& [path, place] : folder.mounts_below) FLAKESTAT_TRY(bind_mount(place, path, true));
    return {};
  }

  Result<void> mount_overlay(const OwnFolder& folder) {
    const auto upper = "upper" + folder.storage;
    const auto work = "work" + folder.storage;
    if (::fchdir(scratch_.get()) != 0) return errno_error("enter the scratch folder", errno);
    for (const auto& name : {upper, work}) {
      if (::mkdir(name.c_str(), S_IRWXU) != 0) return errno_error("create " + name, errno);
    }
    take_after(upper, folder.info);
    take_times_after(upper, folder.info);
    // Names without commas or colons, whatever the tree is called. `volatile`: what is thrown away need not be synced.
    const auto folders = "lowerdir=" + path_of(folder.place) + ",upperdir=" + upper + ",workdir=" + work;
    const std::string attributes = plan_.user_namespace ? ",userxattr" : ",redirect_dir=on";
    int refused = 0;
    for (const char* more : {",volatile,xino=auto", ",volatile", ""}) {
      if (::mount("overlay", folder.path.c_str(), "overlay", 0, (folders + attributes + more).c_str()) == 0) return {};
      refused = errno;
      if (refused != EINVAL) break;  // not an option that an older kernel does not know
    }
    return errno_error("mount an overlay on " + folder.path, refused);
  }

  static Result<void> mount_proc() {
    return mount_on("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
  }

  // By its name: the folder that we still are in may be hidden below what was mounted.
  [[nodiscard]] Result<void> enter_working_directory() const {
    if (context_.working_directory.empty() || ::chdir(context_.working_directory.c_str()) == 0) return {};
    return errno_error("enter " + context_.working_directory, errno);
  }

  const IsolationPlan& plan_;
  const SetupContext& context_;
  std::optional<SetupFailure> failure_;
  bool interrupted_ = false;
  Fd scratch_;
  std::vector<OwnFolder> own_;  ///< the tree first
};

}  // namespace

NamespaceFlags namespaces_for(const IsolationPlan& plan) {
  const auto& wanted = plan.isolation;
  NamespaceFlags flags = 0;
  if (plan.user_namespace && wanted.any()) flags |= CLONE_NEWUSER;
  if (wanted.has_mounts()) flags |= CLONE_NEWNS;
  if (wanted.pid) flags |= CLONE_NEWPID;
  if (wanted.net) flags |= CLONE_NEWNET;
  if (wanted.tmp || wanted.net) flags |= CLONE_NEWIPC;
  return flags;
}

std::optional<SetupFailure> set_up_copy(const IsolationPlan& plan, const SetupContext& context) {
  return Setup(plan, context).run();
}

}  // namespace flakestat::sys
