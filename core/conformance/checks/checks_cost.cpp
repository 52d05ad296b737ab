// SPDX-License-Identifier: Apache-2.0
//
// Measures the cost of a decision.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"

namespace gantry::conformance {
namespace {

using Nanoseconds = std::chrono::duration<double, std::nano>;

constexpr std::size_t measured_hosts = 10'000;

template <class Work>
double shortest_of(int rounds, const Work& work) {
  double shortest = 1e18;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    shortest = std::min(shortest, Nanoseconds(std::chrono::steady_clock::now() - begin).count());
  }
  return shortest;
}

// One instance on 10,000 hosts. The bench's own work, which makes the request, is outside of the time.
Verdict measure(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    Host host(unit, subject, fleet(unit, subject.seed(), measured_hosts));
    host.admits = nullptr;
    std::vector<double> column(measured_hosts);
    for (std::size_t at = 0; at < column.size(); ++at) column[at] = static_cast<double>(at % 977);
    volatile std::size_t rows = 0;
    const double scan = shortest_of(50, [&] {
      rows = static_cast<std::size_t>(std::ranges::count_if(column, [](double value) { return value > 400; }));
    });
    double decision = 1e18;
    for (std::uint32_t number = 0; number < 12; ++number)
      decision = std::min(decision, instance->time_of_selection(host, small_request(1, number)).count());
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", decision / scan);
    return Verdict{State::passed, {}, text.data()};
  });
}

}  // namespace

const Rule& cost() {
  static const Rule measured{"cost", Grade::gold, "The cost of a decision", "", "", "", measure};
  return measured;
}

}  // namespace gantry::conformance
