// Appends on disks that are full or read-only, in a mount namespace of its own. Prints `failed: ...` lines and returns
// 1, or `skipped: ...` and 77 where no such disk can be made.
//   log_disk full|readonly|compact DIR
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "app/execution_rule.hpp"
#include "model/identity.hpp"
#include "store/append_log.hpp"
#include "store/compaction.hpp"
#include "store/log_reader.hpp"
#include "store/observation_codec.hpp"
#include "sys/file.hpp"

namespace {

namespace store = flakestat::store;

int failures = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::printf("failed: %s\n", what.c_str());
  ++failures;
}

std::vector<flakestat::Observation> batch(const std::string& prefix, int count, std::size_t padding) {
  std::vector<flakestat::Observation> made;
  for (int i = 0; i < count; ++i) {
    flakestat::Observation o;
    o.name = prefix + std::to_string(i);
    o.test_id = flakestat::test_id("", "", o.name);
    o.message = std::string(padding, 'm');
    made.push_back(o);
  }
  return made;
}

std::string content(const std::string& dir) {
  auto text = flakestat::sys::read_file(store::log_path(dir));
  return text ? *text : "unreadable";
}

bool write_id_map(const char* path, unsigned inner, unsigned outer) {
  const auto text = std::to_string(inner) + " " + std::to_string(outer) + " 1";
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  const bool written = fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (fd >= 0) ::close(fd);
  return written;
}

// Root's own namespace, else a user namespace in which we are root.
bool enter_namespace() {
  if (::unshare(CLONE_NEWNS) != 0) {
    const auto user = ::getuid();
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !write_id_map("/proc/self/uid_map", 0, user)) return false;
  }
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

void fill_disk(const std::string& dir) {
  const auto good = batch("good", 100, 100);
  expect(store::append(dir, good).ok(), "the first batch fits");
  const auto before = content(dir);
  const auto large = store::append(dir, batch("large", 4000, 1000));
  expect(!large.ok(), "4 MB do not fit on 1 MB");
  if (!large.ok()) {
    expect(large.error().kind == flakestat::ErrorKind::io, "a full disk is an io error");
    expect(large.error().message.find("No space left") != std::string::npos, "it says so: " + large.error().message);
  }
  expect(content(dir) == before, "the failed append is cut back");
  expect(store::append(dir, batch("small", 10, 100)).ok(), "a batch that fits is stored afterwards");
  auto stats = store::read_log(dir, [](const flakestat::ObservationView&) {});
  expect(stats && stats->lines == 110 && stats->skipped_count == 0 && !stats->torn_tail,
         "110 records, nothing damaged");
}

void read_only(const std::string& dir) {
  expect(store::append(dir, batch("good", 3, 0)).ok(), "the first batch is stored");
  const auto before = content(dir);
  if (::mount(nullptr, dir.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0) {
    std::printf("skipped: cannot remount read-only: %s\n", std::strerror(errno));
    std::exit(77);
  }
  const auto refused = store::append(dir, batch("more", 3, 0));
  expect(!refused.ok(), "a read-only disk takes nothing");
  if (!refused.ok()) {
    const auto& message = refused.error().message;
    expect(refused.error().kind == flakestat::ErrorKind::io, "a read-only disk is an io error");
    expect(message.find(dir) != std::string::npos && message.find("--dir") != std::string::npos,
           "path and mend: " + message);
  }
  const auto fresh = store::append(dir + "/new", batch("more", 3, 0));
  expect(!fresh.ok() && fresh.error().kind == flakestat::ErrorKind::io, "nor can a state folder be made there");
  auto stats = store::read_log(dir, [](const flakestat::ObservationView&) {});
  expect(stats && stats->lines == 3, "it is still read");
  expect(content(dir) == before, "and is what it was");
}

// The log takes more than half of the disk: its second copy does not fit.
void compact(const std::string& dir) {
  auto lines = batch("good", 600, 1000);
  for (auto& line : lines) line.exec_key = flakestat::to_hex(line.test_id);
  expect(store::append(dir, lines).ok(), "the batch fits");
  const auto twice = content(dir).substr(0, 2000) + content(dir);
  const int fd = ::open(store::log_path(dir).c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  expect(::write(fd, twice.data(), twice.size()) == static_cast<ssize_t>(twice.size()), "so does a merged log");
  ::close(fd);
  store::CompactOptions options;
  options.salvage = true;
  flakestat::app::ScorersRule rule;
  const auto refused = store::compact(dir, rule, options);
  expect(!refused.ok(), "two copies do not fit on 1 MB");
  if (!refused.ok()) {
    const auto& message = refused.error().message;
    expect(message.find("No space left") != std::string::npos && message.find("make room") != std::string::npos,
           "it says so: " + message);
  }
  expect(content(dir) == twice, "the log is as it was");
  expect(::access((store::log_path(dir) + ".new").c_str(), F_OK) != 0, "nothing is left of the new one");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  const std::string dir = argv[2];
  if (!enter_namespace() || ::mount("tmpfs", dir.c_str(), "tmpfs", 0, "size=1m") != 0) {
    std::printf("skipped: cannot mount a tmpfs here: %s\n", std::strerror(errno));
    return 77;
  }
  const std::string_view mode = argv[1];
  if (mode == "full") fill_disk(dir);
  else if (mode == "compact") compact(dir);
  else read_only(dir);
  return failures == 0 ? 0 : 1;
}
