// SPDX-License-Identifier: Apache-2.0
//
// A server in a process of its own, and what it has taken of the processors.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gantry::bench {

// Says why and ends the benchmark.
[[noreturn]] void give_up(const std::string& why);

class Child {
 public:
  // Standard error goes to `log`. Gives up if it cannot be run.
  Child(const std::vector<std::string>& words, const std::string& log);
  ~Child();  // SIGTERM, and waits
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool running() const;
  double processor_seconds() const;     // so far, in steps of the kernel's 10 ms
  std::uint64_t written_bytes() const;  // so far, to disks

 private:
  pid_t pid_ = -1;
};

}  // namespace gantry::bench
