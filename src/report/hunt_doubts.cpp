#include "report/hunt_doubts.hpp"

#include "model/identity.hpp"
#include "report/words.hpp"
#include "stats/detectability.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

constexpr std::size_t kMostDoubts = 20;

std::string failed_in(const PassFail& tally, const std::string& where) {
  return std::to_string(tally.fails) + " of " + counted(tally.passes + tally.fails, "run") + " " + where;
}

// How many runs alone can be expected to show what the copies showed, when these were too few for it.
std::string advice(const HuntDoubt& doubt) {
  const auto alone = doubt.alone.passes + doubt.alone.fails;
  if (alone == 0) return "; it never ran alone";
  if (doubt.alone.fails > 0 || doubt.beside.fails == 0) return "";
  const auto rate =
      static_cast<double>(doubt.beside.fails) / static_cast<double>(doubt.beside.fails + doubt.beside.passes);
  const auto needed = stats::runs_to_rule_out(rate);
  if (alone >= needed) return "";
  const auto runs = std::to_string(needed);
  return "; " + runs + " runs alone show such a rate with 95 % (--verify " + runs + ")";
}

std::string describe(const HuntDoubt& doubt) {
  const auto name = text::escape_terminal(display_name(doubt.suite, doubt.class_name, doubt.name));
  const auto counts = name + " failed in " + failed_in(doubt.beside, "beside other copies") + " and in " +
                      failed_in(doubt.alone, "alone");
  if (doubt.isolation_sensitive) return "isolation-sensitive: " + counts + ": isolation, or company, decides";
  return "contended: " + counts + ": no proof of a flake, the copies may have disturbed each other" + advice(doubt);
}

}  // namespace

std::vector<std::string> describe_doubts(const HuntSummary& hunt) {
  std::vector<std::string> lines;
  if (hunt.verifying > 0) {
    lines.push_back(counted(static_cast<std::uint64_t>(hunt.verifying), "run") +
                    " more, alone, to see whether what happened beside other copies happens again");
  }
  for (const auto& doubt : hunt.contended) {
    if (lines.size() > kMostDoubts) break;
    lines.push_back(describe(doubt));
  }
  const auto shown = lines.size() - (hunt.verifying > 0 ? 1 : 0);
  if (shown < hunt.contended.size()) {
    lines.push_back("and " + counted(hunt.contended.size() - shown, "test") + " more like that");
  }
  return lines;
}

}  // namespace flakestat::report
