// The scorer's choice among equal executions, as compaction asks for it.
#pragma once

#include <cstdint>
#include <vector>

#include "stats/duplicates.hpp"
#include "stats/observation_store.hpp"
#include "store/compaction_plan.hpp"

namespace flakestat::app {

/// What stats::find_duplicates leaves out, so that a report takes the same lines before and after compaction. Memory:
/// 24 bytes a record, beside the tables of names.
class ScorersRule final : public store::ExecutionRule {
 public:
  void add(const ObservationView& record) override { records_.add(record); }
  [[nodiscard]] std::vector<std::uint32_t> duplicates() override { return stats::find_duplicates(records_); }

 private:
  stats::ObservationStore records_;
};

}  // namespace flakestat::app
