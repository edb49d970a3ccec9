#include "stats/fisher.hpp"

#include <algorithm>
#include <boost/math/distributions/hypergeometric.hpp>
#include <limits>
#include <numeric>

namespace flakestat::stats {
namespace {

namespace policies = boost::math::policies;

// Nothing here may throw: what the library cannot say comes back as a NaN.
using Quiet =
    policies::policy<policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>,
                     policies::rounding_error<policies::ignore_error>, policies::promote_double<false>>;

}  // namespace

double fisher_at_least(std::uint64_t hits, std::uint64_t group, std::uint64_t failures, std::uint64_t total) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();  // the library's counts have 32 bits
  if (group > total || failures > total || total > kMost) return 1;
  const std::uint64_t least = group + failures > total ? group + failures - total : 0;
  if (hits <= least) return 1;
  if (hits > std::min(group, failures)) return 0;
  const boost::math::hypergeometric_distribution<double, Quiet> chance(
      static_cast<unsigned>(failures), static_cast<unsigned>(group), static_cast<unsigned>(total));
  const double p = boost::math::cdf(boost::math::complement(chance, static_cast<unsigned>(hits - 1)));
  return p >= 0 ? std::min(p, 1.0) : 1;
}

std::vector<double> false_discovery_rates(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] > p_values[b]; });
  std::vector<double> out(p_values.size());
  const auto tests = static_cast<double>(p_values.size());
  double least = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double rank = tests - static_cast<double>(i);
    least = std::min(least, p_values[order[i]] * tests / rank);
    out[order[i]] = least;
  }
  return out;
}

}  // namespace flakestat::stats
