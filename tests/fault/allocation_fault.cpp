// SPDX-License-Identifier: Apache-2.0
#include "allocation_fault.hpp"

#include <sqlite3.h>

#include <atomic>
#include <cstdlib>

namespace gantry::fault {

namespace {

std::atomic<std::int64_t> allocations_left{0};  // until the one that fails, which is at 1; 0 and less: none
std::atomic<bool> failed{false};
sqlite3_mem_methods real;

bool fails() {
  if (allocations_left.load() <= 0 || allocations_left.fetch_sub(1) != 1) return false;
  failed = true;
  return true;
}

void* allocate(int size) {
  return fails() ? nullptr : real.xMalloc(size);
}
void* reallocate(void* memory, int size) {
  return fails() ? nullptr : real.xRealloc(memory, size);
}

}  // namespace

void install_allocation_faults() {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real);
  sqlite3_mem_methods wrapped = real;
  wrapped.xMalloc = allocate;
  wrapped.xRealloc = reallocate;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &wrapped);
}

void fail_allocation(std::uint64_t at) {
  failed = false;
  allocations_left = static_cast<std::int64_t>(at);
}

bool allocation_has_failed() {
  return failed;
}

}  // namespace gantry::fault
