// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/cells/interned_text.hpp"

#include <cassert>
#include <cstring>
#include <limits>
#include <new>

#include "core/fleet/cells/cell_memory.hpp"

namespace gantry::fleet {

std::uint64_t next_version() {
  // The ABI promises versions for the life of the process, whichever fleet they come from.
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

TextPointer Text::make(std::string_view text) {
  assert(text.size() <= std::numeric_limits<std::uint32_t>::max());
  void* memory = allocate_cells(sizeof(Text) + text.size(), alignof(Text));
  auto* made = new (memory) Text(static_cast<std::uint32_t>(text.size()));
  if (!text.empty()) std::memcpy(reinterpret_cast<char*>(made + 1), text.data(), text.size());
  return TextPointer(made);
}

void intrusive_ptr_add_ref(const Text* text) {
  text->references_.fetch_add(1, std::memory_order_relaxed);
}

void intrusive_ptr_release(const Text* text) {
  if (text->references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  text->~Text();
  free_cells(const_cast<Text*>(text));
}

TextPointer TextPool::intern(std::string_view text) {
  if (text.empty()) return nullptr;
  if (const auto found = texts_.find(text); found != texts_.end()) return *found;
  if (texts_.size() >= sweep_at_) sweep();
  return *texts_.insert(Text::make(text)).first;
}

void TextPool::sweep() {
  for (auto at = texts_.begin(); at != texts_.end();) {
    if ((*at)->shared()) {
      ++at;
    } else {
      texts_.erase(at++);
    }
  }
  // Half as many again may come before the next sweep, so that a sweep costs each of them a constant.
  sweep_at_ = texts_.size() + texts_.size() / 2 + 4096;
}

}  // namespace gantry::fleet
