// SPDX-License-Identifier: Apache-2.0
//
// What it costs that each decision counts the hosts which each filter lets in and out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gantry::bench {

// The driver's own way through filters of these names that do nothing but pass all hosts, and the core's taking of the
// counts. In seconds.
class Counting {
 public:
  Counting(const std::vector<std::string>& filters, std::uint32_t hosts);
  ~Counting();
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

  double run();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace gantry::bench
