// SPDX-License-Identifier: Apache-2.0
//
// A driver's statements about single hosts of a decision: why each was chosen or refused. Collected as JSON text, up to
// a bound, because a large fleet has many hosts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "gantry/driver.h"

namespace gantry::scheduling {

class HostExplanations {
 public:
  HostExplanations(std::uint32_t instances, std::size_t most_bytes) : instances_(instances), most_bytes_(most_bytes) {}

  // explanation.instance < `instances`. GANTRY_RESOURCE_EXHAUSTED: the bound is reached, and the host is only counted.
  gantry_code add(const gantry_host_explanation& explanation, std::string_view host, std::string_view node);

  // Appends [{"hosts": [...], "left_out": 0}, ...], one element per instance.
  void append_to(std::string& out) const;

 private:
  struct OfInstance {
    std::string hosts;  // the elements of the list
    std::uint64_t left_out = 0;
  };
  std::vector<OfInstance> instances_;
  const std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  bool is_full_ = false;
};

// Returns the record's text with a further member "instances". nullptr adds no member.
std::string with_host_explanations(const json::object& record, const HostExplanations* explanations);

}  // namespace gantry::scheduling
