// Failed cases that stand for no test: what runners write when a build, a set-up or an import fails and the tests
// behind it never run. Pure; the forms are in docs/run-generic.md.
#pragma once

#include "model/case.hpp"

namespace flakestat::adapters {

/// True for a failing case without a name, and for the names that runners give to a package that was not built, to the
/// set-up of a class, to a hook, and to a file that could not be loaded. No runner can be asked for one of them.
[[nodiscard]] bool is_stand_in(const Case& each);

/// CTest reports a test whose program was not built as skipped, and says that all is well but for its exit code.
[[nodiscard]] bool is_unbuilt(const Case& each);

}  // namespace flakestat::adapters
