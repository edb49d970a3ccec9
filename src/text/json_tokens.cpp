#include "text/json_tokens.hpp"

#include <simdjson.h>

#include <bit>
#include <new>

namespace flakestat::text {
namespace {

using Stage = simdjson::internal::dom_parser_implementation;

static_assert(JsonTokens::kPadding >= simdjson::SIMDJSON_PADDING);

constexpr std::size_t kDepth = 1;  // this stage does not nest

std::unique_ptr<Stage> make_stage(std::size_t capacity) {
  std::unique_ptr<Stage> stage;
  const simdjson::implementation& best = *simdjson::get_active_implementation();
  if (best.create_dom_parser_implementation(capacity, kDepth, stage) != simdjson::SUCCESS) throw std::bad_alloc();
  return stage;
}

}  // namespace

// simdjson keeps this interface for itself (`internal`): its version is pinned by digest in scripts/deps.sh, and the
// tests of this file fail when it changes. Its public ways to the same tokens cost twice the time a line of the log.
struct JsonTokens::Impl {
  std::unique_ptr<Stage> stage = make_stage(4096);
};

JsonTokens::JsonTokens() : impl_(std::make_unique<Impl>()) {}
JsonTokens::JsonTokens(JsonTokens&&) noexcept = default;
JsonTokens& JsonTokens::operator=(JsonTokens&&) noexcept = default;
JsonTokens::~JsonTokens() = default;

bool JsonTokens::index(std::string_view text) {
  positions_ = {};
  auto& stage = *impl_->stage;
  if (text.size() > stage.capacity() && stage.set_capacity(std::bit_ceil(text.size())) != simdjson::SUCCESS)
    throw std::bad_alloc();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  if (stage.stage1(bytes, text.size(), simdjson::stage1_mode::regular) != simdjson::SUCCESS) return false;
  positions_ = {stage.structural_indexes.get(), stage.n_structural_indexes};
  return true;
}

bool JsonTokens::unescape(const char* token, unsigned char*& to, std::string_view& text) const {
  auto* end = impl_->stage->parse_string(reinterpret_cast<const std::uint8_t*>(token + 1), to, true);
  if (end == nullptr) return false;
  text = {reinterpret_cast<const char*>(to), static_cast<std::size_t>(end - to)};
  to = end;
  return true;
}

}  // namespace flakestat::text
