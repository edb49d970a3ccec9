#include "stats/lane_book.hpp"

#include <algorithm>
#include <utility>

namespace flakestat::stats {

const Lane* LaneColumn::find(std::uint32_t test) const {
  const std::size_t page = test / kPage;
  if (page >= pages_.size() || pages_[page] == nullptr) return nullptr;
  const std::uint32_t number = (*pages_[page])[test % kPage];
  if (number == 0) return nullptr;
  return &(*chunks_[(number - 1) / kChunk])[(number - 1) % kChunk];
}

Lane* LaneColumn::find(std::uint32_t test) { return const_cast<Lane*>(std::as_const(*this).find(test)); }

Lane& LaneColumn::claim(std::uint32_t test) {
  if (Lane* lane = find(test)) return *lane;
  const std::size_t page = test / kPage;
  if (page >= pages_.size()) pages_.resize(page + 1);
  if (pages_[page] == nullptr) pages_[page] = std::make_unique<Page>();
  if (used_ % kChunk == 0) chunks_.push_back(std::make_unique<Chunk>());
  (*pages_[page])[test % kPage] = ++used_;
  return (*chunks_.back())[(used_ - 1) % kChunk];
}

Lane* LaneCursor::elsewhere(std::uint32_t test) const {
  for (LaneColumn* column : others_) {
    Lane* lane = column->find(test);
    if (lane != nullptr && lane->branch != kNone && lane->code == code_) return lane;
  }
  return nullptr;
}

Lane& LaneCursor::lane(std::uint32_t test) const {
  if (Lane* lane = elsewhere(test)) return *lane;
  Lane& lane = own_->claim(test);
  if (is_forgotten(lane, code_)) lane.branch = kNone;
  return lane;
}

const Lane* LaneCursor::find(std::uint32_t test) const {
  if (const Lane* lane = elsewhere(test)) return lane;
  const Lane* lane = own_->find(test);
  if (lane == nullptr || lane->branch == kNone || is_forgotten(*lane, code_)) return nullptr;
  return lane;
}

void LaneBook::drop_silent(std::uint32_t code) {
  std::erase_if(columns_, [code](const auto& column) {
    return !column->default_branch() && is_silent_too_long(column->newest_code(), code);
  });
}

const LaneCursor& LaneBook::enter(const Visit& visit) {
  drop_silent(visit.code);
  cursor_.code_ = visit.code;
  cursor_.own_ = nullptr;
  cursor_.others_.clear();
  for (const auto& column : columns_) {
    if (column->environment() != visit.environment) continue;
    if (column->branch() == visit.branch) cursor_.own_ = column.get();
    else if (column->newest_code() == visit.code) cursor_.others_.push_back(column.get());
  }
  if (cursor_.own_ == nullptr) {
    columns_.push_back(std::make_unique<LaneColumn>(visit.branch, visit.environment, visit.default_branch));
    cursor_.own_ = columns_.back().get();
  }
  cursor_.own_->visit(visit.code);
  return cursor_;
}

}  // namespace flakestat::stats
