// Runs no process: the test says what each copy does, and in which order copies end.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sys/concurrent.hpp"

namespace flakestat::testing {

/// Copies end in the order of their start, or as `end_last_started_first` says. The behaviour is asked when a copy
/// ends, so that it may write the report that the copy would have written.
class FakeConcurrentRunner final : public sys::ConcurrentRunner {
 public:
  struct Started {
    int id = 0;
    sys::ChildSpec spec;
    std::optional<sys::IsolationPlan> plan;
  };
  using Behaviour = std::function<sys::ChildResult(const Started&)>;
  /// Of the copies that run (never none), the index of the one that ends next.
  using Order = std::function<std::size_t(const std::vector<Started>&)>;

  explicit FakeConcurrentRunner(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}

  void end_in_order(Order order) { order_ = std::move(order); }
  void end_last_started_first() {
    order_ = [](const std::vector<Started>& running) { return running.size() - 1; };
  }
  /// What each start answers from now on; unset: copies start.
  void refuse_to_start(std::optional<Error> error) { refusal_ = std::move(error); }
  /// More copies at a time are refused.
  void set_room(std::optional<std::size_t> copies) { room_ = copies; }
  void set_root(std::string root) { root_ = std::move(root); }

  [[nodiscard]] Result<int> start(const sys::ChildSpec& spec, const std::optional<sys::IsolationPlan>& plan) override {
    if (refusal_) return *refusal_;
    if (room_ && running_.size() >= *room_) return Error{ErrorKind::io, "no processes"};
    all_.push_back({static_cast<int>(all_.size()) + 1, spec, plan});
    running_.push_back(all_.back());
    most_at_once_ = std::max(most_at_once_, running_.size());
    return all_.back().id;
  }

  [[nodiscard]] Ended next(const std::function<void()>& tick) override {
    if (tick) tick();
    if (running_.empty()) {
      sys::ChildResult none;
      none.end = sys::ChildEnd::lost;
      none.start_problem = "no copy runs";
      return {0, none, ""};
    }
    const auto which = running_.begin() + static_cast<std::ptrdiff_t>(order_(running_));
    const auto copy = *which;
    running_.erase(which);
    unreleased_.push_back(copy.id);
    return {copy.id, behaviour_(copy), root_};
  }

  [[nodiscard]] Result<void> keep(int id, const std::string& path) override {
    kept_.emplace_back(id, path);
    return {};
  }

  void release(int id) override { std::erase(unreleased_, id); }

  /// Every copy that was started, in order.
  [[nodiscard]] const std::vector<Started>& started() const { return all_; }
  /// Ended and not released.
  [[nodiscard]] const std::vector<int>& unreleased() const { return unreleased_; }
  [[nodiscard]] const std::vector<std::pair<int, std::string>>& kept() const { return kept_; }
  [[nodiscard]] std::size_t running() const { return running_.size(); }
  /// The most copies that ran at the same time.
  [[nodiscard]] std::size_t most_at_once() const { return most_at_once_; }

 private:
  Behaviour behaviour_;
  Order order_ = [](const std::vector<Started>&) { return std::size_t{0}; };
  std::optional<Error> refusal_;
  std::optional<std::size_t> room_;
  std::string root_;
  std::vector<Started> all_;
  std::vector<Started> running_;
  std::vector<int> unreleased_;
  std::vector<std::pair<int, std::string>> kept_;
  std::size_t most_at_once_ = 0;
};

}  // namespace flakestat::testing
