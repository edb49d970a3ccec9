// The filter written down step by step as docs/scoring.md has it: slow, without any of the shortcuts of BayesFilter.
// Tests compare the two bit by bit. Included by *_test.cpp only.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "stats/levels.hpp"

namespace flakestat::stats::fixture {

class PlainFilter {
 public:
  using Row = std::array<double, kLevels>;
  struct Lane {
    Row b{};
    int streak = 0;
    int code = -1;
    bool is_default = false;
  };
  struct Branch {
    Row ent{}, rep{};
    int code = -1;
  };

  double epsilon = 1e-8, pi = 0.05, rho = 3e-4, kappa = 0.5, feature_rate = 0.20;
  Row w{}, prior{}, p{};
  std::map<std::pair<int, int>, Lane> lanes;  // branch, environment
  std::map<int, Branch> branches;
  std::map<std::pair<int, int>, int> first_branch;  // code, environment -> branch that saw it first
  int code = -1;
  bool flag = false;
  unsigned clean = 0;

  PlainFilter() {
    p[0] = epsilon;
    prior[0] = 1 - pi;
    for (std::size_t k = 1; k < kLevels; ++k) {
      p[k] = kFlakeRates[k - 1];
      prior[k] = pi / 23;
    }
    w = prior;
  }

  /// Branch 0 is the default one.
  void apply(int branch, int environment, int now, bool failed, double h, double rate) {
    branch = first_branch.try_emplace({now, environment}, branch).first->second;
    const bool on_default = branch == 0;
    std::erase_if(lanes, [now](const auto& l) { return !l.second.is_default && now - l.second.code - 1 > 64; });
    if (code != now && code != -1) {
      for (std::size_t k = 0; k < kLevels; ++k) w[k] = (1 - rho) * w[k] + rho * prior[k];
    }
    code = now;
    Branch& shared = branches[branch];
    if (shared.code != now) shared = {};
    shared.code = now;
    const bool new_lane = !lanes.contains({branch, environment});
    Lane& lane = lanes[{branch, environment}];
    Row in{}, out{}, L{};
    bool first_of_cell = false;
    if (new_lane) {
      lane.is_default = on_default;
      lane.b.fill(on_default ? 0.05 : 0.25);
      first_of_cell = true;
    } else if (lane.code != now) {
      const double mu = 1 / (1 + static_cast<double>(std::max(lane.streak, 1)));
      const double lambda = lane.is_default ? rate : feature_rate;
      for (std::size_t k = 0; k < kLevels; ++k) {
        const double lambda_k = lambda + (std::max(kappa, lambda) - lambda) * shared.ent[k];
        const double mu_k = mu + (std::max(0.9, mu) - mu) * shared.rep[k];
        in[k] = (1 - lane.b[k]) * lambda_k;
        out[k] = lane.b[k] * mu_k;
        lane.b[k] += in[k] - out[k];
      }
      first_of_cell = true;
    }
    lane.code = now;
    const double Q = failed ? 1 - epsilon * (1 - h) : epsilon * (1 - h);
    double sum = 0;
    for (std::size_t k = 0; k < kLevels; ++k) {
      const double H = failed ? 1 - (1 - p[k]) * (1 - h) : (1 - p[k]) * (1 - h);
      L[k] = (1 - lane.b[k]) * H + lane.b[k] * Q;
      w[k] *= L[k];
      sum += w[k];
    }
    for (std::size_t k = 0; k < kLevels; ++k) {
      const double H = failed ? 1 - (1 - p[k]) * (1 - h) : (1 - p[k]) * (1 - h);
      w[k] /= sum;
      shared.ent[k] = std::max(shared.ent[k], in[k] * Q / L[k]);
      shared.rep[k] = std::max(shared.rep[k], out[k] * H / L[k]);
      lane.b[k] = lane.b[k] * Q / L[k];
    }
    if (!failed) lane.streak = 0;
    else if (first_of_cell) lane.streak += new_lane ? 5 : 1;
    const double P = 1 - w[0];
    flag = P >= 0.95 || (flag && P >= 0.5);
    if (P >= 0.5) clean = 0;
    else if (!failed) ++clean;
  }

  [[nodiscard]] double p_broken() const {
    double least = 2;
    for (const auto& [key, lane] : lanes) {
      if (!lane.is_default) continue;
      double broken = 0;
      for (std::size_t k = 0; k < kLevels; ++k) broken += w[k] * lane.b[k];
      least = std::min(least, broken);
    }
    return least > 1.5 ? 0 : least;
  }
};

}  // namespace flakestat::stats::fixture
