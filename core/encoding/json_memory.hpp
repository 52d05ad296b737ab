// SPDX-License-Identifier: Apache-2.0
//
// JSON values that come and go together, in memory of their own: taken piece by piece, given back as a whole with the
// last value that lies in it. A copy of such a value that names no other memory lies there, too.
#pragma once

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>
#include <memory>

#include "core/encoding/json.hpp"

namespace gantry::json {

// For one thread at a time: what outlives a call is copied out of it. `bytes`: a guess of the whole.
boost::json::storage_ptr shared_memory(std::size_t bytes);

// Memory whose values do not keep it: none may outlive it, copies that name no other memory included. Making and
// ending them costs next to nothing.
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
  static thread_local Chunk spare_;  // of the thread's last one, so that not each asks the system for memory

  const std::size_t size_;
  Chunk chunk_;
  boost::json::monotonic_resource resource_;
};

// json::parse_object into `memory`.
Result<object> parse_object_into(boost::json::storage_ptr memory, std::string_view text, std::size_t depth = max_depth);

}  // namespace gantry::json
