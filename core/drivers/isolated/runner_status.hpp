// SPDX-License-Identifier: Apache-2.0
//
// How the runner of an isolated driver fares, for operators.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gantry::drivers::isolated {

enum class RunnerState : std::uint8_t {
  starting,
  ready,
  waiting,  // it is started again after a pause
};

std::string_view name_of(RunnerState state);

struct RunnerStatus {
  RunnerState state = RunnerState::starting;
  std::int64_t process = 0;           // its number; 0: there is none
  std::uint64_t ends = 0;             // how many runners have ended, the service's own wish left out
  std::string last_ending;            // e.g. "ended by signal 11 (SIGSEGV)"; empty: none has ended
  std::string last_crash;             // that runner's words about its crash: signal, operation, request, address
  bool reads_only_its_files = false;  // RunnerTraits
  bool is_confined = true;            // false: isolation = "debug"
};

// A runner tells this of itself and of its driver once the driver is created.
struct RunnerTraits {
  // The optional operations that the driver has. `decides`: both of select_destinations and schedule_run_instance.
  bool decides = false;
  bool hosts_up = false;
  bool group_hosts = false;
  bool update_service_capabilities = false;
  bool call_method = false;
  bool counts_capacity = false;
  // While the driver was loaded and created, it could read the files that it needs, and no others. False: the kernel has
  // no Landlock. Afterwards no driver can open a file.
  bool reads_only_its_files = false;
};

}  // namespace gantry::drivers::isolated
