#include "app/ledger_age.hpp"

#include <cstdint>
#include <string>

#include "base/strings.hpp"

namespace flakestat::app {
namespace {

constexpr std::int64_t kMillis = 1000;
constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kMostDays = 36'500;

}  // namespace

Result<store::LedgerAge> ledger_age(const World& world) {
  store::LedgerAge age;
  age.now = world.now() / kMillis;
  for (const std::string name : {"FLAKESTAT_FLAKE_RETENTION_DAYS", "RSTEST_FLAKE_RETENTION_DAYS"}) {
    const auto value = world.env(name);
    if (!value || trim(*value).empty()) continue;
    const auto days = number_in<std::int64_t>(trim(*value));
    if (!days || *days < 0 || *days > kMostDays)
      return Error{ErrorKind::config,
                   "variable " + name + ": expected a whole number of days (0: for ever), found " + in_quotes(*value)};
    age.retention = *days * kDay;
    break;
  }
  return age;
}

}  // namespace flakestat::app
