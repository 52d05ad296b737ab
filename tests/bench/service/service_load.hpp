// SPDX-License-Identifier: Apache-2.0
//
// A load generator: one thread, many connections over a unix socket, each with a fixed number of requests under way
// (closed loop). The same for every server, so that its share of the machine is, too.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace gantry::bench {

// Stands in a request for an id: a fresh UUID takes its place each time the request is sent.
inline constexpr std::string_view id_mark = "@@@@@@@@-@@@@-@@@@-@@@@-@@@@@@@@@@@@";

struct LoadSettings {
  std::string socket;
  unsigned connections = 1;
  unsigned depth = 1;  // requests under way on each connection; above 1 they are pipelined
  std::chrono::milliseconds length{500};
};

struct Measured {
  std::uint64_t answers = 0;
  double seconds = 0;
  std::vector<std::uint32_t> nanoseconds;  // of each answer

  void add(const Measured& round);
  double per_second() const { return static_cast<double>(answers) / seconds; }
  double microseconds(double quantile);
};

// Whole HTTP requests, taken in turn. Gives up on any answer that is not 200.
Measured load(const LoadSettings& settings, const std::vector<std::string>& requests);

// One request and the body of its answer. Gives up as load does.
std::string ask(const std::string& socket, const std::string& request);
// Whether somebody listens there.
bool answers(const std::string& socket);

// POST /v1/<method>.
std::string http_request(std::string_view method, std::string_view body);

}  // namespace gantry::bench
