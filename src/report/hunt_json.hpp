// The JSON shapes that a hunt's document and its events share.
#pragma once

#include "report/hunt.hpp"
#include "text/json_writer.hpp"

namespace flakestat::report {

/// The fields of one run, into an open object.
void write_run_fields(text::JsonWriter& json, const HuntRun& run);

}  // namespace flakestat::report
