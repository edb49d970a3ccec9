// The kernel calls of a durable write, as values: a test replaces one to act out a refusal, a short write, a full
// disk.
#pragma once

#include <sys/file.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <functional>

namespace flakestat::sys {

/// Each behaves like the call it is named after: -1 and errno on failure.
struct FileCalls {
  std::function<int(int fd, int operation)> flock = ::flock;
  std::function<ssize_t(int fd, const void* bytes, std::size_t size)> write = ::write;
  std::function<int(int fd)> sync = ::fdatasync;
  std::function<int(int fd, off_t size)> truncate = ::ftruncate;
  std::function<int(const char* from, const char* to)> rename = ::rename;
};

}  // namespace flakestat::sys
