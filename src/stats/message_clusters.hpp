// Failure messages grouped by what they say (base/message_shape.hpp), with counts. Memory is bounded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/timestamp.hpp"

namespace flakestat::stats {

struct MessageCluster {
  std::string shape;
  std::string example;  ///< the newest message, as recorded
  std::uint64_t count = 0;
  UnixMillis first_seen = 0;  ///< 0: unknown
  UnixMillis last_seen = 0;
};

/// The order of `add` matters only for kinds beyond the most that are kept apart.
class MessageClusters {
 public:
  static constexpr std::size_t kMostKinds = 512;

  /// One failure; `time` 0: unknown.
  void add(std::string_view message, UnixMillis time);

  /// At most `most` of them: the most frequent first, then the newest, then by shape.
  [[nodiscard]] std::vector<MessageCluster> largest(std::size_t most) const;
  [[nodiscard]] std::size_t kinds() const { return clusters_.size(); }
  /// Failures with a message, of all kinds.
  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] std::uint64_t without_message() const { return without_message_; }
  /// Failures of further kinds, which are not kept apart.
  [[nodiscard]] std::uint64_t beyond() const { return beyond_; }

 private:
  std::unordered_map<std::string, MessageCluster> clusters_;  ///< by shape
  std::uint64_t total_ = 0;
  std::uint64_t without_message_ = 0;
  std::uint64_t beyond_ = 0;
};

}  // namespace flakestat::stats
