#pragma once
#include <functional>
#include <optional>
#include <string>
#include "sys/child.hpp"
#include "sys/isolation.hpp"
namespace flakestat::sys {
class ConcurrentRunner {
 public:
  struct Ended {
    int id = 0;
    ChildResult result;
    std::string root;
  };
  virtual ~ConcurrentRunner() = default;
  [[nodiscard]] virtual Result<int> start(const ChildSpec& spec, const std::optional<IsolationPlan>& isolation) = 0;
  [[nodiscard]] virtual Ended next(const std::function<void()>& tick) = 0;
  virtual void release(int id) = 0;
};
}  // namespace flakestat::sys
