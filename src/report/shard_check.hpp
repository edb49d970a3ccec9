// What `shard-verify` says.
#pragma once

#include <string>
#include <vector>

#include "rules/shard_check.hpp"
#include "text/json_writer.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// docs/schema/shard-verify.schema.json.
[[nodiscard]] std::string shard_check_json(const rules::ShardCheck& check,
                                           text::JsonStyle style = text::JsonStyle::pretty);

/// A row a shard, what is missing, doubled or contradictory, and a last line with the decision. Of long lists the
/// beginning, unless `all`.
[[nodiscard]] std::string shard_check_table(const rules::ShardCheck& check, bool all, const text::Look& look);

}  // namespace flakestat::report
