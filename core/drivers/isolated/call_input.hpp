// SPDX-License-Identifier: Apache-2.0
//
// The structs that the service writes into a lane: a call, with all that the driver may read of it, and the answers to
// the runner's messages. The pointers are addresses of the lane or of the shared cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "gantry/driver.h"
#include "gantry/ext/candidates.h"

namespace gantry::drivers::isolated {

enum class Operation : std::uint32_t {
  start,
  destroy,
  select_destinations,
  schedule_run_instance,
  hosts_up,
  group_hosts,
  update_service_capabilities,
  call_method,
  count_capacity,
};

struct CallInput {
  Operation operation = Operation::start;
  std::int32_t log_level = 0;       // GANTRY_LOG_*: the lowest that is written
  std::uint32_t takes_results = 0;  // 1: the call has a sink
  std::uint32_t reserved = 0;
  const gantry_context* context = nullptr;
  const gantry_view* view = nullptr;  // whose rows picks name; may be NULL
  std::int64_t now = 0;
  std::uint64_t seed = 0;
  std::int64_t deadline = 0;       // CLOCK_MONOTONIC in nanoseconds; INT64_MAX: none
  std::uint64_t memory_limit = 0;  // the most bytes of scratch memory
  // The arguments, as far as the operation has them.
  const gantry_request* request = nullptr;
  const gantry_candidates* candidates = nullptr;  // the request has them; NULL: none are known
  const gantry_group* group = nullptr;
  const gantry_method_call* method = nullptr;
  const gantry_view* shown = nullptr;  // the view of hosts_up and group_hosts
  gantry_string service{};
  gantry_string host{};
  gantry_string capabilities{};
  gantry_string start{};  // the bytes of a RunnerStart
};

// The answer to the last record of a message.
struct CallAnswer {
  gantry_code code = GANTRY_OK;
  gantry_code explanations = GANTRY_OK;  // the result of the last explain_host
  const void* address = nullptr;         // the view or column; the changed rows
  std::uint64_t count = 0;               // the number of changed rows
  gantry_location location{};
  std::int32_t status = 0;  // HTTP status of a policy service
  gantry_string body{};     // the answer of a policy service
};

// Copies structs of the ABI, with all that they point to, into a part of a lane. Views are not copied: they lie in the
// shared cells. Without room left, the results are NULL and fits() is false.
//
// The runner can write to the lane at any time. The results are addresses for the runner, and neither this class nor its
// callers read the bytes there: all judgement is by the values that the service has in its own memory.
class InputWriter {
 public:
  explicit InputWriter(std::span<std::byte> room) : room_(room) {}

  template <class T>
  T* make(const T& value) {
    auto* const made = array<T>(1);
    if (made != nullptr) *made = value;
    return made;
  }
  // Notes that the runner is to read the view where it is, and returns it.
  const gantry_view* view(const gantry_view* view);
  gantry_string text(gantry_string text);
  gantry_strings texts(gantry_strings texts);
  gantry_pairs pairs(gantry_pairs pairs);
  const std::uint64_t* bitmap(const std::uint64_t* bitmap, std::uint32_t rows);
  const gantry_context* context(const gantry_context* context);
  const gantry_group* group(const gantry_group* group);
  const gantry_candidates* candidates(const gantry_candidates* candidates, std::uint32_t rows);
  const gantry_request* request(const gantry_request& request);
  const gantry_method_call* method(const gantry_method_call& method);

  template <class T>
  T* array(std::uint64_t count) {
    if (count > room_.size() / sizeof(T)) {
      fits_ = false;
      return nullptr;
    }
    return static_cast<T*>(take(count * sizeof(T), alignof(T)));
  }
  void* take(std::uint64_t bytes, std::uint64_t alignment);
  template <class T>
  const T* copy(const T* items, std::uint64_t count) {
    if (items == nullptr) return nullptr;
    T* const made = array<T>(count);
    if (made != nullptr && count != 0) std::memcpy(made, items, count * sizeof(T));
    return made;
  }
  bool fits() const { return fits_; }
  // Whether the runner can read each view of view().
  bool shares_views() const { return shares_views_; }

 private:
  std::span<std::byte> room_;
  std::uint64_t used_ = 0;
  bool fits_ = true;
  bool shares_views_ = true;
};

}  // namespace gantry::drivers::isolated
