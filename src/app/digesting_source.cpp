#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "app/byte_sources.hpp"

namespace flakestat::app {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::size_t kBlocksAhead = 4;

class DigestHere final : public DigestingSource {
 public:
  explicit DigestHere(formats::ByteSource& inner) : inner_(inner) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    auto count = inner_.read(buffer, size);
    if (count) digest_.update({buffer, *count});
    return count;
  }

  Result<void> drain() override {
    std::vector<char> rest(kBlock / 16);
    for (;;) {
      auto count = read(rest.data(), rest.size());
      if (!count) return count.error();
      if (*count == 0) return {};
    }
  }

  Sha256Digest digest() override { return digest_.finish(); }

 private:
  formats::ByteSource& inner_;
  Sha256 digest_;
};

class DigestAhead final : public DigestingSource {
 public:
  explicit DigestAhead(formats::ByteSource& inner)
      : reader_([this, &inner](const std::stop_token& stop) { read_ahead(inner, stop); }) {}

  ~DigestAhead() override { reader_.request_stop(); }
  DigestAhead(const DigestAhead&) = delete;
  DigestAhead& operator=(const DigestAhead&) = delete;

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (used_ == block_.size() && !next_block()) {
      if (error_) return *error_;
      return std::size_t{0};
    }
    const auto count = std::min(size, block_.size() - used_);
    std::memcpy(buffer, block_.data() + used_, count);
    used_ += count;
    return count;
  }

  Result<void> drain() override {
    while (next_block()) {
    }
    if (error_) return *error_;
    return {};
  }

  Sha256Digest digest() override { return digest_.finish(); }

 private:
  // Takes the next block; false at the end and on an error. Afterwards `error_` is the reader's last word.
  bool next_block() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty() || ended_; });
    used_ = 0;
    if (!block_.empty()) free_.push_back(std::exchange(block_, {}));
    if (ready_.empty()) return false;
    block_ = std::move(ready_.front());
    ready_.pop_front();
    changed_.notify_all();
    return true;
  }

  void read_ahead(formats::ByteSource& inner, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      auto block = empty_block();
      block.resize(kBlock);
      auto count = inner.read(block.data(), block.size());
      block.resize(count ? *count : 0);
      digest_.update({block.data(), block.size()});
      if (!hand_over(std::move(block), count ? std::optional<Error>() : count.error(), stop)) return;
    }
  }

  std::vector<char> empty_block() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return {};
    auto block = std::move(free_.back());
    free_.pop_back();
    return block;
  }

  // False when there is no more to read.
  bool hand_over(std::vector<char> block, std::optional<Error> error, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return ready_.size() < kBlocksAhead; })) return false;
    ended_ = block.empty();
    error_ = std::move(error);
    if (!ended_) ready_.push_back(std::move(block));
    changed_.notify_all();
    return !ended_;
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::vector<char>> ready_;
  std::vector<std::vector<char>> free_;
  bool ended_ = false;
  std::optional<Error> error_;
  Sha256 digest_;            // the reader's until it has ended
  std::vector<char> block_;  // the consumer's
  std::size_t used_ = 0;
  std::jthread reader_;
};

}  // namespace

std::unique_ptr<DigestingSource> digest_here(formats::ByteSource& inner) { return std::make_unique<DigestHere>(inner); }

std::unique_ptr<DigestingSource> digest_ahead(formats::ByteSource& inner) {
  return std::make_unique<DigestAhead>(inner);
}

}  // namespace flakestat::app
