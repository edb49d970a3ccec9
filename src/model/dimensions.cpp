#include "model/dimensions.hpp"

#include <algorithm>
#include <array>

namespace flakestat {

Dimensions merge(const Dimensions& lower, const Dimensions& higher) {
  Dimensions out;
  for (const auto* layer : {&lower, &higher}) {
    for (const auto& [key, value] : *layer) {
      if (!value.empty()) out[key] = value;
    }
  }
  return out;
}

std::string canonical(const Dimensions& dimensions) {
  std::string out;
  for (const auto& [key, value] : dimensions) {
    if (value.empty()) continue;
    out.append(key).append(1, '=').append(value).append(1, '\n');
  }
  return out;
}

bool is_provenance(std::string_view key) {
  static constexpr std::array kKeys = {dim::kCiRunId,   dim::kCiRunNumber, dim::kCiJobId,
                                       dim::kCiAttempt, dim::kCiWorker,    dim::kCiShard};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

}  // namespace flakestat
