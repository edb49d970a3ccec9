// What the filter remembers of one test (docs/scoring.md, section 4). Values only; bayes_filter.hpp moves them.
#pragma once

#include <cstdint>
#include <limits>
#include <memory_resource>
#include <new>
#include <type_traits>

#include "model/timestamp.hpp"
#include "stats/levels.hpp"

namespace flakestat::stats {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// A branch in an environment: how likely it is that the code is broken now.
struct Lane {
  Levels broken{};               ///< P(broken | level)
  std::uint32_t branch = kNone;  ///< kNone: the slot is free
  std::uint32_t environment = 0;
  std::uint32_t code = 0;        ///< newest code that ran here
  std::uint32_t generation = 0;  ///< how often the same-code window reopened that code
  std::uint32_t streak = 0;      ///< codes in a row that failed
  UnixMillis cell_start = 0;     ///< start of the cell's first job; 0: unknown
  bool default_branch = false;
  bool last_failed = false;
  bool cell_passed = false;  ///< by an execution that can be half of a proof
  bool cell_failed = false;
};

/// What the newest code of a branch has already shown in other environments: did it break, did it repair.
struct BranchEvidence {
  Levels entered{};
  Levels repaired{};
  std::uint32_t branch = kNone;
  std::uint32_t code = 0;
  std::uint32_t generation = 0;
  BranchEvidence* next = nullptr;
};

/// The cell in which a test last disagreed with itself.
struct ProofCell {
  std::uint32_t code = kNone;
  std::uint32_t environment = kNone;
  UnixMillis start = 0;
};

struct TestState {
  Levels weight{};                     ///< P(level)
  BranchEvidence* evidence = nullptr;  ///< of branches that ran the newest code; used-up entries are taken again
  std::uint32_t code = kNone;          ///< newest code; kNone: no execution yet
  std::uint32_t generation = 0;
  std::uint32_t clean = 0;        ///< passes while P(flaky) < 0.5
  std::uint32_t failing_run = 0;  ///< failing executions since the last pass
  std::uint32_t transitions = 0;
  std::uint32_t same_code_flips = 0;
  std::uint32_t cross_code_flips = 0;
  std::uint32_t proofs = 0;
  ProofCell proof;
  bool flagged = false;
};

/// Owns the evidence of many tests. What is made together lies together: the fold meets tests in the same order job
/// after job, so memory is read forwards. Not thread-safe.
class EvidenceArena {
 public:
  [[nodiscard]] BranchEvidence& make() {
    static_assert(std::is_trivially_destructible_v<BranchEvidence>);
    return *new (memory_.allocate(sizeof(BranchEvidence), alignof(BranchEvidence))) BranchEvidence;
  }

 private:
  std::pmr::monotonic_buffer_resource memory_{1 << 14};
};

}  // namespace flakestat::stats
