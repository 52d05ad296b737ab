// SPDX-License-Identifier: Apache-2.0
//
// Writes a filter of system calls, instruction by instruction.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/result.hpp"

namespace gantry::drivers::isolated {

constexpr std::uint32_t refused(int error) {
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

constexpr std::size_t argument(std::size_t number) {
  return offsetof(seccomp_data, args) + number * sizeof(std::uint64_t);
}

// Adds instructions of the filter. A jump counts the instructions that it passes over.
class FilterWriter {
 public:
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  void give(std::uint32_t verdict) { add(BPF_RET | BPF_K, verdict); }
  void give_if(std::uint32_t value, std::uint32_t verdict) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    give(verdict);
  }
  void give_unless(std::uint32_t value, std::uint32_t verdict) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    give(verdict);
  }
  void give_if_bit(std::uint32_t bits, std::uint32_t verdict) {
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    give(verdict);
  }
  // Bits of the value that is loaded.
  void keep_bits(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }
  // The following `instructions` hold for this system call alone. They have to end with a verdict.
  void begin_call(std::uint32_t number, std::uint8_t instructions) {
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, instructions);
  }

  // Binds every thread of the process, and those to come.
  Result<void> install();

 private:
  void add(int code, std::uint32_t value, std::uint8_t yes = 0, std::uint8_t no = 0) {
    code_.push_back({static_cast<std::uint16_t>(code), yes, no, value});
  }
  std::vector<sock_filter> code_;
};

}  // namespace gantry::drivers::isolated
