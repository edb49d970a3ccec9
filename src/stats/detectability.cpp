#include "stats/detectability.hpp"

#include <algorithm>
#include <cmath>

namespace flakestat::stats {
namespace {

constexpr int kBisections = 60;
constexpr double kMostRuns = 9007199254740992.0;  // 2^53: counts above it are not exact in a double

// std::lgamma writes the global `signgam`; the reentrant form does not, and the arguments here are positive.
double ln_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double ln_beta(double a, double b) { return ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b); }

// Continued fraction of the incomplete beta function by the modified Lentz method. The number of terms needed grows
// with the square root of the larger parameter, hence the limit.
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  const auto nonzero = [](double v) { return std::fabs(v) < kTiny ? kTiny : v; };
  const int terms = 200 + static_cast<int>(std::min(1e6, 10 * std::sqrt(std::max(a, b))));
  double c = 1;
  double d = 1 / nonzero(1 - (a + b) * x / (a + 1));
  double result = d;
  for (int i = 1; i <= terms; ++i) {
    const double m = i;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    result *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    result *= d * c;
    if (std::fabs(d * c - 1) < 1e-16) break;
  }
  return result;
}

// The x in (low, high) where `below` turns from true to false.
template <class Below>
double bisect(double low, double high, Below below) {
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    (below(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// I_x(a, b) where the fraction converges fast: x below (a + 1) / (a + b + 2).
double beta_below_mean(double x, double a, double b) {
  const double prefactor = std::exp(a * std::log(x) + b * std::log1p(-x) - ln_beta(a, b)) / a;
  return prefactor * beta_fraction(x, a, b);
}

double beta_quantile(double target, double a, double b) {
  return bisect(0, 1, [&](double x) { return incomplete_beta(x, a, b) < target; });
}

}  // namespace

double ruled_out_above(std::uint64_t clean) {
  if (clean == 0) return 1;
  return -std::expm1(std::log(0.05) / static_cast<double>(clean));
}

std::uint64_t runs_to_rule_out(double rate, double alpha) {
  if (alpha >= 1) return 0;
  if (rate >= 1) return 1;
  if (!(rate > 0) || !(alpha > 0)) return static_cast<std::uint64_t>(kMostRuns);
  const double runs = std::ceil(std::log(alpha) / std::log1p(-rate) - 1e-9);
  return static_cast<std::uint64_t>(std::clamp(runs, 1.0, kMostRuns));
}

std::uint64_t further_runs(double rate, std::uint64_t clean, double alpha) {
  const std::uint64_t needed = runs_to_rule_out(rate, alpha);
  return needed > clean ? needed - clean : 0;
}

double incomplete_beta(double x, double a, double b) {
  if (!(x > 0)) return 0;
  if (x >= 1) return 1;
  return x < (a + 1) / (a + b + 2) ? beta_below_mean(x, a, b) : 1 - beta_below_mean(1 - x, b, a);
}

Interval exact_interval(std::uint64_t failures, std::uint64_t runs, double alpha) {
  if (runs == 0 || failures > runs) return {};
  const auto n = static_cast<double>(runs);
  const auto f = static_cast<double>(failures);
  const double half = alpha / 2;
  Interval out;
  if (failures == runs) out.lower = std::pow(half, 1 / n);
  else if (failures > 0) out.lower = beta_quantile(half, f, n - f + 1);
  if (failures == 0) out.upper = 1 - std::pow(half, 1 / n);
  else if (failures < runs) out.upper = beta_quantile(1 - half, f + 1, n - f);
  return out;
}

Interval interval_under_stopping(std::uint64_t failures, std::uint64_t runs, double alpha) {
  if (runs == 0 || failures > runs) return {};
  const auto n = static_cast<double>(runs);
  const auto f = static_cast<double>(failures);
  const double head = ln_beta(f + 0.5, n - f + 0.5) - ln_beta(0.5, 0.5);
  const double limit = -std::log(alpha);
  const auto inside = [&](double p) {
    const double ln_k = head - (f > 0 ? f * std::log(p) : 0) - (n > f ? (n - f) * std::log1p(-p) : 0);
    return ln_k < limit;
  };
  // ln K is convex with its minimum at f/n: one edge on each side.
  const double middle = f / n;
  Interval out;
  if (failures > 0) out.lower = bisect(0, middle, [&](double p) { return !inside(p); });
  if (failures < runs) out.upper = bisect(middle, 1, inside);
  return out;
}

}  // namespace flakestat::stats
