// The corpus of JUnit reports as the tests see it: its manifest, entry by entry. For tests and benchmarks only.
#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "model/case.hpp"

namespace flakestat::testing {

struct CorpusName {
  std::optional<std::string> class_name;
  std::optional<std::string> name;
};

/// One entry of manifest.json.
struct CorpusEntry {
  std::string file;              ///< below the folder
  std::string path;              ///< absolute
  std::optional<Counts> counts;  ///< nothing: the file must be rejected
  bool damaged = false;
  std::uint64_t incomplete_cases = 0;
  CorpusName first, last;
  std::map<std::string, std::vector<std::optional<double>>> times;
};

/// Names without the bytes of the object: addresses would rename the test in every build.
inline void PrintTo(const CorpusEntry& entry, std::ostream* out) { *out << entry.file; }

/// Reads `folder`/manifest.json; an unreadable one yields nothing.
[[nodiscard]] std::vector<CorpusEntry> read_manifest(const std::string& folder);

}  // namespace flakestat::testing
