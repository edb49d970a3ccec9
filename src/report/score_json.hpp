// The JSON shapes that the documents share (docs/schema/).
#pragma once

#include <span>
#include <vector>

#include "report/family.hpp"
#include "report/power.hpp"
#include "stats/scoring.hpp"
#include "text/json_writer.hpp"

namespace flakestat::report {

/// `"bayes"`, `"flip-rate"`.
[[nodiscard]] std::string_view model_name(stats::Model model);

/// One object of `results`.
void write_result(text::JsonWriter& json, const TestScore& test, stats::Model model);

/// One object of `families`.
void write_family(text::JsonWriter& json, const Family& family);

/// The value of `outages`.
void write_outages(text::JsonWriter& json, std::span<const stats::Outage> outages);

/// The value of `not_seen`: what was not ruled out; null when nothing was.
void write_not_seen(text::JsonWriter& json, const Power& power);

/// A list of strings.
void write_strings(text::JsonWriter& json, std::span<const std::string> texts);

/// UTC text, or null for the unknown 0.
void write_time(text::JsonWriter& json, UnixMillis time);

/// The text, or null when it is empty.
void write_known(text::JsonWriter& json, std::string_view text);

}  // namespace flakestat::report
