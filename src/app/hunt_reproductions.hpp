// Which runs of a hunt show its disagreements again, and in which run a test failed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/identity.hpp"
#include "run/hunt.hpp"

namespace flakestat::app {

/// A run in which a test failed that passed in others.
struct Reproduction {
  int run = 1;
  std::string test;  ///< display name
};

/// Remembers each test's last failure over the evidence that is given out. Not thread-safe.
class Reproductions {
 public:
  /// To be called with everything that HuntEvents::store gets.
  void add(const run::RunEvidence& evidence);

  /// For up to `most` runs, the last ones in which a test failed that passed in another; a test that flaked by the
  /// doing of copies beside it (`contended`) last. A run stands for all its tests; of these the first by name is given.
  [[nodiscard]] std::vector<Reproduction> choose(const std::vector<run::Doubt>& contended, std::size_t most) const;

 private:
  struct Seen {
    std::string test;
    bool passed = false;
    int failed_in = 0;  ///< the last run; 0: none
  };
  std::map<TestId, Seen> tests_;
};

}  // namespace flakestat::app
