// SPDX-License-Identifier: Apache-2.0
//
// The parts of bench_filter's tables.
#pragma once

#include <string>

#include "filter_subject.hpp"
#include "tests/bench/service/service_under_test.hpp"

namespace gantry::bench {

// What Nova's own code takes and chooses, in a process of its own.
struct NovaAnswer {
  double seconds = 0;
  std::vector<std::uint32_t> order;
};
NovaAnswer ask_nova(const RunDirectory& run, const FilterPolicy& policy, std::size_t hosts, int times);

// gantryd with the filter driver over its unix socket, and a bare socket beside it.
void print_service(const RunDirectory& run, const std::vector<std::size_t>& sizes);

// How many more instances of each of many flavors fit, as the driver counts them.
void print_capacity(const RunDirectory& run, const std::vector<std::size_t>& sizes);

}  // namespace gantry::bench
