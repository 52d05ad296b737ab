// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/cells/dictionary.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/fleet/cells/interned_text.hpp"

namespace gantry::fleet {

namespace {

constexpr std::uint32_t first_room = 16;
constexpr std::uint32_t tolerated_unused = 1024;
constexpr std::size_t first_block = 1024;
constexpr std::size_t largest_block = 256 * 1024;

}  // namespace

std::string_view TextBlocks::add(std::string_view text) {
  if (size_ - used_ < text.size()) {
    size_ = std::max(text.size(), std::min(largest_block, std::max(first_block, size_ * 2)));
    blocks_.emplace_back(static_cast<char*>(allocate_cells(size_, 1)));
    used_ = 0;
  }
  if (text.empty()) return {};
  char* place = blocks_.back().get() + used_;
  std::memcpy(place, text.data(), text.size());
  used_ += text.size();
  return {place, text.size()};
}

Dictionary::Dictionary() {
  start(first_room);
}

void Dictionary::start(std::uint32_t room) {
  array_ = std::make_shared<DictionaryArray>(std::make_shared<TextBlocks>(), room, next_version());
  uses_.clear();
  codes_.clear();
  unused_ = 0;
  add({}, 1);
}

std::uint32_t Dictionary::add(std::string_view text, std::uint32_t uses) {
  const auto code = count();
  if (code == array_->capacity) {
    auto longer = std::make_shared<DictionaryArray>(array_->texts, array_->capacity * 2, array_->version);
    std::copy_n(array_->strings.begin(), code, longer->strings.begin());
    array_ = std::move(longer);
  }
  const auto kept = array_->texts->add(text);
  array_->strings[code] = {kept.data(), kept.size()};
  uses_.push_back(uses);
  codes_.emplace(kept, code);
  return code;
}

std::uint32_t Dictionary::acquire(std::string_view text) {
  const auto found = codes_.find(text);
  if (found == codes_.end()) return add(text, 1);
  const auto code = found->second;
  if (code == 0) return 0;
  if (uses_[code]++ == 0) --unused_;
  return code;
}

void Dictionary::release(std::uint32_t code) {
  if (code == 0) return;
  assert(uses_[code] > 0);
  if (--uses_[code] == 0) ++unused_;
}

bool Dictionary::wasteful() const {
  return unused_ > tolerated_unused && unused_ > count() / 2;
}

std::vector<std::uint32_t> Dictionary::rebuild() {
  const auto old = array_;
  const auto old_uses = uses_;
  std::vector<std::uint32_t> codes(old_uses.size(), 0);
  start(std::max(first_room, count() - unused_ + 1));
  for (std::uint32_t code = 1; code < old_uses.size(); ++code) {
    if (old_uses[code] == 0) continue;
    const auto& text = old->strings[code];
    codes[code] = add({text.data, text.size}, old_uses[code]);
  }
  return codes;
}

std::string_view Dictionary::text(std::uint32_t code) const {
  const auto& text = array_->strings[code];
  return {text.data, text.size};
}

}  // namespace gantry::fleet
