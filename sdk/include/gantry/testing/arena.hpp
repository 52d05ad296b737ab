// SPDX-License-Identifier: Apache-2.0
//
// Memory for the fakes: aligned blocks that are released together.
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
  // 64-byte aligned, zeroed.
  void* allocate(std::size_t size) {
    void* memory = ::operator new (size == 0 ? 1 : size, std::align_val_t{64});
    blocks_.emplace_back(memory);
    std::memset(memory, 0, size);
    return memory;
  }
  template <class Element>
  Element* array(std::size_t count) {
    return static_cast<Element*>(allocate(count * sizeof(Element)));
  }
  gantry_string copy(std::string_view text) {
    if (text.empty()) return {};
    char* memory = array<char>(text.size());
    std::memcpy(memory, text.data(), text.size());
    return {memory, text.size()};
  }

 private:
  struct release {
    void operator()(void* memory) const noexcept { ::operator delete (memory, std::align_val_t{64}); }
  };
  std::vector<std::unique_ptr<void, release>> blocks_;
};

}  // namespace gantry::testing
