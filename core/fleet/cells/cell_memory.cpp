// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/cells/cell_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

namespace gantry::fleet {

// Far from where the kernel and the sanitizers put anything. ThreadSanitizer has other free places than the rest.
#ifdef GANTRY_SANITIZE_THREAD
const std::uintptr_t shared_memory_begin = 0x4000000000;
#else
const std::uintptr_t shared_memory_begin = 0x200000000000;
#endif
const std::uint64_t shared_memory_size = std::uint64_t{64} << 30;

namespace {

using Heap = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family, void*>;

// Never removed, as the texts in it outlive every object that could own them. Global state, as the heap of the process
// is, whose place it takes.
struct SharedHeap {
  SharedMemory memory;
  std::mutex mutex;
  Heap* heap = nullptr;
};

std::atomic<SharedHeap*> shared_heap{nullptr};

Error cannot_share(const std::string& expected) {
  return Error{ErrorCode::unavailable,
               "memory that drivers in other processes read: expected " + expected + ", found " + std::strerror(errno),
               {}};
}

Result<std::unique_ptr<SharedHeap>> make_shared_heap() {
  auto made = std::make_unique<SharedHeap>();
  const int descriptor = ::memfd_create("gantry-cells", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return cannot_share("a memfd");
  made->memory = {descriptor, shared_memory_begin, shared_memory_size};
  const auto fail = [descriptor](const char* expected) {
    Error error = cannot_share(expected);
    ::close(descriptor);
    return error;
  };
  if (::ftruncate(descriptor, static_cast<off_t>(shared_memory_size)) != 0) return fail("room for a sparse memfd");
  // The address is a number that both processes know.
  auto* const wanted = reinterpret_cast<void*>(shared_memory_begin);  // NOLINT(performance-no-int-to-ptr)
  void* const begin = ::mmap(wanted, shared_memory_size, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, descriptor, 0);
  if (begin == MAP_FAILED) return fail("free address space at its place");
  // This process writes through the mapping that it has. No later mapping is writable, in this process or another.
  constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;
  if (begin != wanted || ::fcntl(descriptor, F_ADD_SEALS, seals) != 0) {
    Error error = fail("a memfd that can be sealed");
    ::munmap(begin, shared_memory_size);
    return error;
  }
  ::madvise(begin, shared_memory_size, MADV_DONTDUMP);
  made->heap = new (begin) Heap(shared_memory_size, 0);
  return made;
}

}  // namespace

Result<void> share_cells() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (shared_heap.load() != nullptr) return {};
  auto made = make_shared_heap();
  if (!made) return std::move(made).error();
  shared_heap = made->release();
  return {};
}

const SharedMemory* shared_cells() {
  const auto* const shared = shared_heap.load(std::memory_order_acquire);
  return shared == nullptr ? nullptr : &shared->memory;
}

void* allocate_cells(std::size_t bytes, std::size_t alignment) {
  auto* const shared = shared_heap.load(std::memory_order_acquire);
  bytes = std::max<std::size_t>(bytes, 1);
  if (shared != nullptr) {
    const std::lock_guard lock(shared->mutex);
    return alignment > Heap::Alignment ? shared->heap->allocate_aligned(bytes, alignment)
                                       : shared->heap->allocate(bytes);
  }
  void* const memory = alignment > alignof(std::max_align_t)
                           ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                           : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void free_cells(void* memory) noexcept {
  if (memory == nullptr) return;
  auto* const shared = shared_heap.load(std::memory_order_acquire);
  // Memory from before share_cells is still the process's own.
  if (shared == nullptr || !shared->memory.holds(memory)) return std::free(memory);
  const std::lock_guard lock(shared->mutex);
  shared->heap->deallocate(memory);
}

}  // namespace gantry::fleet
