// SPDX-License-Identifier: Apache-2.0
//
// Memory aligned to 64 bytes that grows and keeps its contents. New bytes are zero.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/fleet/cells/cell_memory.hpp"

namespace gantry::fleet {

class AlignedBuffer {
 public:
  static constexpr std::size_t alignment = 64;

  AlignedBuffer() { reserve(alignment); }

  std::size_t capacity() const { return capacity_; }
  const void* data() const { return data_.get(); }

  template <class T>
  T* as() {
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<T*>(data_.get());
  }
  template <class T>
  const T* as() const {
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<const T*>(data_.get());
  }

  // Grows the capacity to at least `bytes`. A buffer that grows does so by at least half of its capacity.
  void reserve(std::size_t bytes) {
    if (bytes <= capacity_) return;
    resize_to(std::max(bytes, capacity_ + capacity_ / 2));
  }

  // Overwrites the first `bytes` bytes with those of `other`. Grows no further than they need.
  void assign(const AlignedBuffer& other, std::size_t bytes) {
    if (capacity_ < bytes) resize_to(bytes);
    std::memcpy(data_.get(), other.data_.get(), bytes);
  }

 private:
  void resize_to(std::size_t bytes) {
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    std::unique_ptr<void, FreeCells> grown(allocate_cells(rounded, alignment));
    if (capacity_ > 0) std::memcpy(grown.get(), data_.get(), capacity_);
    std::memset(static_cast<std::byte*>(grown.get()) + capacity_, 0, rounded - capacity_);
    data_ = std::move(grown);
    capacity_ = rounded;
  }

  std::unique_ptr<void, FreeCells> data_;
  std::size_t capacity_ = 0;
};

}  // namespace gantry::fleet
