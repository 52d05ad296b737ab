// SPDX-License-Identifier: Apache-2.0
//
// The process of a runner, seen from the service.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::drivers::isolated {

// The numbers of the descriptors that a runner begins with.
constexpr int cells_descriptor = 3;
constexpr int lanes_descriptor = 4;
constexpr int first_file_descriptor = 5;

class RunnerProcess {
 public:
  struct Plan {
    std::string driver;
    int cells = -1;
    int lanes = -1;
    std::uintptr_t lanes_begin = 0;
    std::uint32_t lane_count = 0;
    std::uint64_t memory_limit = 0;  // bytes; 0: no limit
    bool is_confined = true;         // false: keeps the environment and all rights, for debuggers and sanitizers
    std::vector<int> files;          // the runner gets them from first_file_descriptor on
  };

  // Must be called by a thread that lives as long as the runner shall: the runner dies with it.
  static Result<RunnerProcess> start(const Plan& plan);
  RunnerProcess(RunnerProcess&& other) noexcept;
  RunnerProcess& operator=(RunnerProcess&&) = delete;
  ~RunnerProcess();  // kills the process and waits for its end

  pid_t number() const { return number_; }
  const files::Descriptor& process() const { return process_; }  // can be read when the process is over
  const files::Descriptor& printed() const { return printed_; }  // its standard output and standard error
  void kill() const;
  bool is_over() const;
  // Waits for the end and returns how the process ended, e.g. "ended by signal 11 (SIGSEGV)".
  const std::string& await_end();
  // The processor time that it has used.
  std::chrono::nanoseconds processor_time() const;

 private:
  RunnerProcess() = default;

  pid_t number_ = -1;
  files::Descriptor process_;
  files::Descriptor printed_;
  std::string ending_;
};

}  // namespace gantry::drivers::isolated
