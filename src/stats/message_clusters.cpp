#include "stats/message_clusters.hpp"

#include <algorithm>
#include <tuple>

#include "base/message_shape.hpp"

namespace flakestat::stats {

void MessageClusters::add(std::string_view message, UnixMillis time) {
  std::string shape = message_shape(message);
  if (shape.empty()) {
    ++without_message_;
    return;
  }
  ++total_;
  auto found = clusters_.find(shape);
  if (found == clusters_.end()) {
    if (clusters_.size() >= kMostKinds) {
      ++beyond_;
      return;
    }
    found = clusters_.try_emplace(shape).first;
    found->second.shape = std::move(shape);
  }
  MessageCluster& cluster = found->second;
  const bool newest =
      cluster.count == 0 || time > cluster.last_seen || (time == cluster.last_seen && message > cluster.example);
  if (newest) cluster.example = message;
  ++cluster.count;
  if (time == 0) return;
  cluster.first_seen = cluster.first_seen == 0 ? time : std::min(cluster.first_seen, time);
  cluster.last_seen = std::max(cluster.last_seen, time);
}

std::vector<MessageCluster> MessageClusters::largest(std::size_t most) const {
  std::vector<MessageCluster> out;
  out.reserve(clusters_.size());
  for (const auto& [shape, cluster] : clusters_) out.push_back(cluster);
  std::sort(out.begin(), out.end(), [](const MessageCluster& a, const MessageCluster& b) {
    return std::tie(b.count, b.last_seen, a.shape) < std::tie(a.count, a.last_seen, b.shape);
  });
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace flakestat::stats
