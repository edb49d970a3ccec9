// The use cases of this version, one file each. They write the document to `world.out` and speak through `world.note`.
#pragma once

#include "app/requests.hpp"
#include "app/world.hpp"
#include "base/result.hpp"

namespace flakestat::app {

/// Prints what the reader sees in each report, without storing it.
[[nodiscard]] Result<Ending> inspect(const World& world, const InspectRequest& request);

/// Reads reports into the log.
[[nodiscard]] Result<Ending> ingest(const World& world, const IngestRequest& request);

/// Scores the recorded history.
[[nodiscard]] Result<Ending> report(const World& world, const ReportRequest& request);

/// Shows the evidence for one test.
[[nodiscard]] Result<Ending> explain(const World& world, const ExplainRequest& request);

/// Gates on what is new or worse than the baseline, or writes the baseline.
[[nodiscard]] Result<Ending> check(const World& world, const CheckRequest& request);

/// The gate's decision as a job summary, a comment, annotations. Decides nothing itself.
[[nodiscard]] Result<Ending> ci_report(const World& world, const CiReportRequest& request);
/// Runs the command N times, records every execution, reports disagreement.
[[nodiscard]] Result<Ending> hunt(const World& world, const HuntRequest& request);

/// Runs a suite once: reruns what fails, remembers what flaked, excuses what is quarantined, records every attempt.
[[nodiscard]] Result<Ending> run(const World& world, const RunRequest& request);

/// What run's --output takes.
[[nodiscard]] std::vector<std::string> run_outputs();

/// Shows every setting in force and who said it.
[[nodiscard]] Result<Ending> config(const World& world, const ConfigRequest& request);

/// Prints a script by which a shell completes the command line.
[[nodiscard]] Result<Ending> completions(const World& world, const CompletionsRequest& request);

/// Prints a man page, or writes all of them.
[[nodiscard]] Result<Ending> man(const World& world, const ManRequest& request);

/// Whether the shards of a run together ran every test, each once.
[[nodiscard]] Result<Ending> shard_verify(const World& world, const ShardVerifyRequest& request);

/// Shrinks the log without changing a verdict.
[[nodiscard]] Result<Ending> compact(const World& world, const CompactRequest& request);

/// Shows the ledger of flakes, or unites it with others, the log, another runner's.
[[nodiscard]] Result<Ending> ledger(const World& world, const LedgerRequest& request);

/// Finds the project's test frameworks and writes .flakestat.json.
[[nodiscard]] Result<Ending> init(const World& world, const InitRequest& request);

/// What init's --framework takes, in the order in which one is chosen.
[[nodiscard]] std::vector<std::string> init_frameworks();

/// Emits, updates or checks a list of tests to be skipped or excused.
[[nodiscard]] Result<Ending> quarantine(const World& world, const QuarantineRequest& request);

/// What its --format takes: flakestat's own list first, then the runners' forms.
[[nodiscard]] std::vector<std::string> quarantine_formats();

}  // namespace flakestat::app
