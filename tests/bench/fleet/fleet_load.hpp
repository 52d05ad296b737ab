// SPDX-License-Identifier: Apache-2.0
//
// A fleet of any size with what Nova's compute nodes say of themselves.
#pragma once

#include <cstddef>
#include <string>

#include "core/fleet/fleet.hpp"

namespace gantry::fleet::bench {

constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds noon = 1'800'000'000 * second;

struct LoadSettings {
  std::size_t hosts = 0;
  std::size_t instances_per_host = 0;
};

std::string host_name(std::size_t number);
std::string uuid_text(std::size_t number);
// About 1 kB of nested JSON texts beside the scalars, as in a row of compute_nodes.
ComputeNode compute_node(std::size_t number);
void load(Fleet& fleet, const LoadSettings& settings);
// Resident memory of this process, in bytes.
std::size_t resident_bytes();

}  // namespace gantry::fleet::bench
