// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/lane_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/files/errno_text.hpp"

namespace gantry::drivers::isolated {
namespace {

Error no_lanes(const char* expected) {
  return Error{ErrorCode::unavailable,
               std::string("lanes to a driver in a process of its own: expected ") + expected + ", found " +
                   files::errno_text(errno),
               {}};
}

// The first place that no other driver's lanes have.
void* map_lanes(int descriptor, std::uint64_t bytes) {
  for (std::uint32_t slot = 0; slot < most_slots; ++slot) {
    auto* const wanted = reinterpret_cast<void*>(lanes_begin(slot));  // NOLINT(performance-no-int-to-ptr)
    void* const begin =
        ::mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, descriptor, 0);
    if (begin == wanted) return begin;
    if (begin != MAP_FAILED) ::munmap(begin, bytes);
  }
  return nullptr;
}

}  // namespace

LaneMemory::LaneMemory(files::Descriptor descriptor, std::uintptr_t begin, std::uint32_t count)
    : descriptor_(std::move(descriptor)), begin_(begin), count_(count) {}

LaneMemory::LaneMemory(LaneMemory&& other) noexcept
    : descriptor_(std::move(other.descriptor_)), begin_(std::exchange(other.begin_, 0)), count_(other.count_) {}

LaneMemory::~LaneMemory() {
  if (begin_ != 0) ::munmap(reinterpret_cast<void*>(begin_), count_ * Lane::size);  // NOLINT(performance-no-int-to-ptr)
}

Result<LaneMemory> LaneMemory::make(std::uint32_t lanes) {
  files::Descriptor descriptor(::memfd_create("gantry-lanes", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!descriptor.is_open()) return no_lanes("a memfd");
  const std::uint64_t bytes = lanes * Lane::size;
  // A memfd that the runner shortened would end this process.
  if (::ftruncate(descriptor.number(), static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(descriptor.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return no_lanes("a memfd that can be sealed");
  void* const begin = map_lanes(descriptor.number(), bytes);
  if (begin == nullptr) return no_lanes("free address space at their place");
  ::madvise(begin, bytes, MADV_DONTDUMP);
  return LaneMemory(std::move(descriptor), reinterpret_cast<std::uintptr_t>(begin), lanes);
}

FreeLanes::FreeLanes(std::uint32_t count) {
  while (count != 0) free_.push_back(--count);
}

std::optional<std::uint32_t> FreeLanes::take(Lane::TimePoint until) {
  std::unique_lock lock(mutex_);
  const auto is_there = [this] { return !free_.empty(); };
  if (until == Lane::TimePoint::max()) {
    changed_.wait(lock, is_there);
  } else if (!changed_.wait_until(lock, until, is_there)) {
    return std::nullopt;
  }
  const std::uint32_t lane = free_.back();
  free_.pop_back();
  return lane;
}

void FreeLanes::give_back(std::uint32_t lane) {
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(lane);
  }
  changed_.notify_one();
}

}  // namespace gantry::drivers::isolated
