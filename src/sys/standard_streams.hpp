// The descriptors 0, 1 and 2.
#pragma once

namespace flakestat::sys {

/// Occupies each of 0, 1 and 2 that is closed, so that no file or pipe that is opened later gets its number and with it
/// what was meant for standard output. Reading from, or writing to, one of them stays an error. To be called first.
void occupy_standard_streams();

}  // namespace flakestat::sys
