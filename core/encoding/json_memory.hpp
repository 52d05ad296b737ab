// SPDX-License-Identifier: Apache-2.0
//
// Memory for the JSON values of one request: allocated piece by piece and freed as a whole. A copy of a value lies in
// the same memory, unless the copy is made with another storage_ptr.
#pragma once

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>
#include <memory>

#include "core/encoding/json.hpp"

namespace gantry::json {

// Returns memory that lives as long as any value in it. Only one thread at a time may use the memory. A value that
// outlives the call must be copied into other memory. `bytes` is a guess of the size of all values together.
boost::json::storage_ptr shared_memory(std::size_t bytes);

// Memory that ends with this object. Every value in the memory, copies included, must end before. Making and freeing
// the memory costs next to nothing.
class BorrowedMemory {
 public:
  explicit BorrowedMemory(std::size_t bytes);
  ~BorrowedMemory();
  BorrowedMemory(const BorrowedMemory&) = delete;
  BorrowedMemory& operator=(const BorrowedMemory&) = delete;

  boost::json::storage_ptr lend() { return &resource_; }

 private:
  using Chunk = std::unique_ptr<unsigned char[]>;
  static constexpr std::size_t usual_bytes = std::size_t{64} << 10;
  static thread_local Chunk spare_;  // a freed chunk that the thread keeps for its next use

  const std::size_t size_;
  Chunk chunk_;
  boost::json::monotonic_resource resource_;
};

}  // namespace gantry::json
