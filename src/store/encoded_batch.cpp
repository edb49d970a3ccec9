#include "store/encoded_batch.hpp"

#include <iterator>
#include <utility>

namespace flakestat::store {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kUsualLine = 4096;

}  // namespace

void EncodedBatch::add(const Observation& observation) {
  if (chunks_.empty() || chunks_.back().size() + kUsualLine > kChunk) {
    // Small batches stay small; later chunks are allocated whole.
    if (!chunks_.empty()) chunks_.emplace_back().reserve(kChunk);
    else chunks_.emplace_back();
  }
  if (run_ids_.empty() || run_ids_.back() != observation.run_id) run_ids_.push_back(observation.run_id);
  auto& chunk = chunks_.back();
  const auto offset = chunk.size();
  encoder_.append(chunk, observation);
  const auto key = parse_hex64(observation.exec_key);
  lines_.push_back({static_cast<std::uint32_t>(chunks_.size() - 1), static_cast<std::uint32_t>(offset),
                    static_cast<std::uint32_t>(chunk.size() - offset), static_cast<std::uint32_t>(run_ids_.size() - 1),
                    observation.ts, key.value_or(0), key.has_value()});
}

void EncodedBatch::merge(EncodedBatch&& other) {
  const auto chunk_base = static_cast<std::uint32_t>(chunks_.size());
  const auto run_base = static_cast<std::uint32_t>(run_ids_.size());
  for (auto line : other.lines_) {
    line.chunk += chunk_base;
    line.run += run_base;
    lines_.push_back(line);
  }
  std::move(other.chunks_.begin(), other.chunks_.end(), std::back_inserter(chunks_));
  std::move(other.run_ids_.begin(), other.run_ids_.end(), std::back_inserter(run_ids_));
  other = EncodedBatch();
}

}  // namespace flakestat::store
