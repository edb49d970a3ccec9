// Independent pieces of work over the machine's cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace flakestat {

/// Calls `work(i)` for every i below `count`, each once, on up to `threads` threads (the calling one included). `work`
/// must not throw. `work` may run on several threads at once, for different i.
template <class Work>
void for_each_index(std::size_t count, std::size_t threads, Work work) {
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (;;) {
      const auto index = next.fetch_add(1);
      if (index >= count) return;
      work(index);
    }
  };
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < std::min(threads, count); ++i) helpers.emplace_back(take);
  take();
}

/// Cores that we may use; at least 1.
[[nodiscard]] inline std::size_t core_count() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace flakestat
