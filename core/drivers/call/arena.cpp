// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/call/arena.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace gantry::drivers {
namespace {

constexpr std::size_t first_chunk = std::size_t{64} << 10;
constexpr std::size_t largest_spare = std::size_t{4} << 20;

}  // namespace

thread_local Arena::Chunk Arena::spare_;

void Arena::Free::operator()(std::byte* chunk) const {
  ::operator delete (chunk, std::align_val_t{alignment});
}

Arena::~Arena() {
  if (chunks_.empty()) return;
  // Chunks grow: the last is the largest.
  Chunk& last = chunks_.back();
  if (last.size > spare_.size && last.size <= largest_spare) spare_ = std::move(last);
}

void* Arena::allocate(std::uint64_t size, std::uint64_t align) {
  if (!std::has_single_bit(align) || align > alignment || size > limit_) return nullptr;
  const auto wanted = static_cast<std::size_t>(std::max<std::uint64_t>(size, 1));
  std::size_t start = (used_ + align - 1) & ~(align - 1);
  if (chunks_.empty() || start > chunks_.back().size || wanted > chunks_.back().size - start) {
    if (!add_chunk(wanted)) return nullptr;
    start = 0;
  }
  used_ = start + wanted;
  return chunks_.back().bytes.get() + start;
}

bool Arena::add_chunk(std::size_t at_least) {
  Chunk chunk;
  if (chunks_.empty() && spare_.size >= at_least && spare_.size <= limit_) {
    chunk = std::exchange(spare_, Chunk{});
  } else {
    const std::size_t grown = chunks_.empty() ? first_chunk : chunks_.back().size * 2;
    const auto rest = static_cast<std::size_t>(limit_ - total_);
    if (at_least > rest) return false;
    chunk.size = std::min(std::max(grown, std::bit_ceil(at_least)), rest);
    chunk.bytes.reset(static_cast<std::byte*>(::operator new (chunk.size, std::align_val_t{alignment}, std::nothrow)));
    if (!chunk.bytes) return false;
  }
  total_ += chunk.size;
  used_ = 0;
  chunks_.push_back(std::move(chunk));
  return true;
}

}  // namespace gantry::drivers
