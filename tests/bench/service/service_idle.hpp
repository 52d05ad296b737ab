// SPDX-License-Identifier: Apache-2.0
//
// Measures the cost of an idle fleet: hosts that send heartbeats, and reports that say nothing new.
#pragma once

namespace gantry::bench {

// Prints the commits and the bytes that go to disk in a second, over so many intervals of the hosts. Returns 1 if one of them
// misses the aim.
int measure_idle_fleet(int intervals);

}  // namespace gantry::bench
