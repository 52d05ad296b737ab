// SPDX-License-Identifier: Apache-2.0
//
// The memory of what a view shows: cells, texts, dictionaries, aggregates, and the view itself. Usually it is the
// process's own. A process that shares it has it in one place, which other processes can read at the same address: the
// pointers in a view are then valid there, too. [any thread]
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "core/result.hpp"

namespace gantry::fleet {

// A part of the address space that processes share.
struct SharedMemory {
  int descriptor = -1;  // a sealed memfd, which no other process can write to, resize or map for writing
  std::uintptr_t begin = 0;
  std::uint64_t size = 0;  // bytes of address space; memory is used as it is needed

  bool holds(const void* address) const {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    return number >= begin && number - begin < size;
  }
};

// The address at which SharedMemory begins in every process, and where it ends.
extern const std::uintptr_t shared_memory_begin;
extern const std::uint64_t shared_memory_size;

// From now on, all cells lie in memory that other processes can read. Call it before the first view that they need is
// made. A second call does nothing. unavailable: the kernel does not give the memory, or something lies there already.
Result<void> share_cells();
// Returns the shared memory. nullptr if cells lie in the process's own memory.
const SharedMemory* shared_cells();

// Returns memory for cells. `alignment` is at most 64. Throws std::bad_alloc if there is none left.
void* allocate_cells(std::size_t bytes, std::size_t alignment);
void free_cells(void* memory) noexcept;

// For the standard containers of what a view shows.
template <class T>
struct CellAllocator {
  using value_type = T;

  CellAllocator() = default;
  template <class Other>
  explicit(false) CellAllocator(const CellAllocator<Other>& /*other*/) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) {
    if (count > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(allocate_cells(count * sizeof(T), alignof(T)));
  }
  void deallocate(T* memory, std::size_t /*count*/) noexcept { free_cells(memory); }
  friend bool operator==(const CellAllocator&, const CellAllocator&) = default;
};

struct FreeCells {
  void operator()(void* memory) const { free_cells(memory); }
};

}  // namespace gantry::fleet
