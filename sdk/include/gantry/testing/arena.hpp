// SPDX-License-Identifier: Apache-2.0
//
// The memory that fakes hand out: aligned blocks that are all released with the arena.
#pragma once

#include <gantry/driver.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

namespace gantry::testing {

class arena {
 public:
  // An empty text or list of the host has a NULL pointer or another one. Here they take turns, and the parity of `turn` says
  // which comes first: a driver that looks at the pointer fails a test.
  explicit arena(std::uint64_t turn = 0) : is_null_next_(turn % 2 == 0) {}

  // Returns zeroed memory, 64-byte aligned.
  void* allocate(std::size_t size) {
    void* memory = ::operator new (size == 0 ? 1 : size, std::align_val_t{64});
    blocks_.emplace_back(memory);
    std::memset(memory, 0, size);
    return memory;
  }
  // Returns memory as the host's service `scratch` does. The memory is filled with a pattern, because real scratch
  // memory is uninitialised. nullptr if `align` is invalid or the total exceeds the host's limit.
  void* scratch(std::uint64_t size, std::uint64_t align) {
    if (align == 0 || align > 64 || (align & (align - 1)) != 0 || size > most_scratch - scratch_) return nullptr;
    scratch_ += size;
    void* memory = allocate(static_cast<std::size_t>(size));
    std::memset(memory, 0xA5, static_cast<std::size_t>(size));
    return memory;
  }
  template <class Element>
  Element* array(std::size_t count) {
    return static_cast<Element*>(allocate(count * sizeof(Element)));
  }
  // Returns memory for the elements of a list of the host.
  template <class Element>
  Element* list(std::size_t count) {
    return count == 0 && takes_null() ? nullptr : array<Element>(count);
  }
  gantry_string copy(std::string_view text) {
    if (text.empty()) return {takes_null() ? nullptr : array<char>(0), 0};
    char* memory = array<char>(text.size());
    std::memcpy(memory, text.data(), text.size());
    return {memory, text.size()};
  }

 private:
  bool takes_null() {
    is_null_next_ = !is_null_next_;
    return !is_null_next_;
  }

  struct release {
    void operator()(void* memory) const noexcept { ::operator delete (memory, std::align_val_t{64}); }
  };
  static constexpr std::uint64_t most_scratch = std::uint64_t{256} << 20;
  std::vector<std::unique_ptr<void, release>> blocks_;
  std::uint64_t scratch_ = 0;
  bool is_null_next_;
};

}  // namespace gantry::testing
