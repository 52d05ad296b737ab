// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/json_memory.hpp"

#include <algorithm>
#include <utility>

namespace gantry::json {

thread_local BorrowedMemory::Chunk BorrowedMemory::spare_;

// Debug and sanitizer builds free each chunk, so that a use after its end is found.
#ifdef NDEBUG
constexpr bool keeps_chunks = true;
#else
constexpr bool keeps_chunks = false;
#endif

BorrowedMemory::BorrowedMemory(std::size_t bytes)
    : size_(std::max(bytes, usual_bytes)),
      chunk_(size_ == usual_bytes && spare_ ? std::move(spare_) : Chunk(new unsigned char[size_])),
      resource_(chunk_.get(), size_) {}

BorrowedMemory::~BorrowedMemory() {
  if (keeps_chunks && size_ == usual_bytes) spare_ = std::move(chunk_);
}

boost::json::storage_ptr shared_memory(std::size_t bytes) {
  return boost::json::make_shared_resource<boost::json::monotonic_resource>(bytes);
}

}  // namespace gantry::json
