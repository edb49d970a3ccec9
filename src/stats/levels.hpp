// The grid of flake levels: level 0 is deterministic, 1 to 23 are flake rates (docs/scoring.md, section 3).
#pragma once

#include <array>
#include <cstddef>

namespace flakestat::stats {

inline constexpr std::size_t kLevels = 24;

/// One number per level, aligned for vector instructions. Not initialised by default: most are written at once, and the
/// filter makes several for every execution.
struct alignas(64) Levels {
  std::array<double, kLevels> at;

  double& operator[](std::size_t level) { return at[level]; }
  double operator[](std::size_t level) const { return at[level]; }
};

/// Failure rate of levels 1 to 23 on healthy code: 1 / (1 + e^-g), g = -7, -6.5 ... 4. Written out (correctly rounded)
/// rather than computed, so that no mathematical library can change a bit of a score.
inline constexpr std::array<double, kLevels - 1> kFlakeRates = {
    0.0009110511944006454, 0.0015011822567369915, 0.0024726231566347743, 0.004070137715896128, 0.0066928509242848554,
    0.01098694263059318,   0.01798620996209156,   0.02931223075135632,   0.04742587317756678,  0.07585818002124355,
    0.11920292202211756,   0.18242552380635635,   0.2689414213699951,    0.37754066879814546,  0.5,
    0.6224593312018546,    0.7310585786300049,    0.8175744761936437,    0.8807970779778824,   0.9241418199787564,
    0.9525741268224333,    0.9706877692486436,    0.9820137900379085};

/// Severity that a level vouches for: the smaller of 2q(1-q) at the two edges g - 0.25 and g + 0.25 (section 5).
inline constexpr std::array<double, kLevels - 1> kFlakeSeverities = {
    0.0014183335340504572, 0.0023362850215908892, 0.0038460447137292153, 0.006325233852132379, 0.010385751962603697,
    0.017007824315379085,  0.02773168287526794,   0.04489882076408693,   0.07186718165065625,  0.1129524892897481,
    0.17251588888512595,   0.2522584503733104,    0.346209573984994,     0.4357899875236281,   0.4922681654751967,
    0.4357899875236281,    0.346209573984994,     0.2522584503733104,    0.17251588888512595,  0.1129524892897481,
    0.07186718165065625,   0.04489882076408693,   0.02773168287526794};

}  // namespace flakestat::stats
