// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/lane_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

Result<LaneMemory> LaneMemory::make(std::uint32_t calls) {
  const std::uint32_t lanes = calls + 1;
  files::Descriptor descriptor(::memfd_create("gantry-lanes", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!descriptor.is_open()) return no_lanes("a memfd");
  const std::uint64_t bytes = lanes * Lane::size;
  // A memfd that the runner shortened would end this process.
  if (::ftruncate(descriptor.number(), static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(descriptor.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return no_lanes("a memfd that can be sealed");
  void* const begin = map_lanes(descriptor.number(), bytes);
  if (begin == nullptr) {
    const auto most =
        "at most " + std::to_string(most_slots) + " drivers in processes of their own, a reload's second ones too";
    return no_lanes(most.c_str());
  }
  ::madvise(begin, bytes, MADV_DONTDUMP);
  return LaneMemory(std::move(descriptor), reinterpret_cast<std::uintptr_t>(begin), lanes);
}

std::uint64_t LaneMemory::bytes() const {
  constexpr std::uint64_t bytes_of_block = 512;
  struct stat file {};
  return ::fstat(descriptor_.number(), &file) == 0 ? static_cast<std::uint64_t>(file.st_blocks) * bytes_of_block : 0;
}

void LaneMemory::empty(std::uint32_t number) const {
  const auto begin = begin_ + number * Lane::size;
  ::madvise(reinterpret_cast<void*>(begin), Lane::size, MADV_REMOVE);  // NOLINT(performance-no-int-to-ptr)
}

FreeLanes::FreeLanes(const LaneMemory& memory) : memory_(memory), is_to_be_emptied_(memory.count()) {
  for (std::uint32_t lane = memory.count() - 1; lane != 0; --lane) free_.push_back(lane);
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
    constexpr std::uint64_t much = std::uint64_t{64} << 20;
    const std::lock_guard lock(mutex_);
    if (is_to_be_emptied_[lane] || memory_.bytes() > much) memory_.empty(lane);
    is_to_be_emptied_[lane] = false;
    free_.push_back(lane);
  }
  changed_.notify_one();
}

void FreeLanes::empty_all() {
  const std::lock_guard lock(mutex_);
  is_to_be_emptied_.assign(is_to_be_emptied_.size(), true);
  free_.push_back(0);
  for (const std::uint32_t lane : free_) {
    memory_.empty(lane);
    is_to_be_emptied_[lane] = false;
  }
  free_.pop_back();
}

std::size_t FreeLanes::taken() const {
  const std::lock_guard lock(mutex_);
  return memory_.count() - 1 - free_.size();
}

}  // namespace gantry::drivers::isolated
