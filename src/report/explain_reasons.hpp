// Why a test has its verdict, in sentences made of the evidence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/explain.hpp"
#include "report/phrase.hpp"

namespace flakestat::report {

/// The reason of the verdict first, then what was discounted. Never empty.
[[nodiscard]] std::vector<Phrase> explain_reasons(const Explanation& found);

/// A code as people write it: a full commit id is cut to 12 digits, what follows it stays.
[[nodiscard]] std::string short_code(std::string_view code);

/// `main, os=linux`; the branch alone where no dimension tells environments apart.
[[nodiscard]] Phrase context_phrase(const stats::TracedContext& context);

/// Where failures concentrate, a sentence each; one that says so when they do not.
[[nodiscard]] std::vector<Phrase> association_lines(const stats::Associations& associations);

/// `os=windows`; a value that was not given is `db (not given)`.
[[nodiscard]] Phrase pair_phrase(const stats::KeyValue& pair);

}  // namespace flakestat::report
