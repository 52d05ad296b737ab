// SPDX-License-Identifier: Apache-2.0
//
// A driver's statements about single hosts of a decision: why each was chosen or refused. They are collected as JSON
// text, up to a number of bytes, because a large fleet has many hosts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "gantry/ext/explain.h"

namespace gantry::scheduling {

class HostExplanations {
 public:
  // `instances`: how many instances the request has. `most_bytes`: the most JSON text to keep. `only_row`: the row whose
  // explanations are kept; all others are passed over.
  HostExplanations(std::uint32_t instances, std::size_t most_bytes, std::optional<std::uint32_t> only_row = {})
      : instances_(instances), most_bytes_(most_bytes), only_row_(only_row) {}

  // Adds the explanation of one host. Requires: explanation.instance < `instances`. Returns GANTRY_RESOURCE_EXHAUSTED
  // if `most_bytes` is reached: the explanation is then counted as left out, and not kept.
  gantry_code add(const gantry_host_explanation& explanation, std::string_view host, std::string_view node);

  // Appends [{"hosts": [...], "left_out": 0}, ...], one element per instance. left_out is the number of explanations of
  // the instance that were not kept.
  void append_to(std::string& out) const;

 private:
  // The explanations for one instance.
  struct OfInstance {
    std::string hosts;  // the elements of the JSON list "hosts", without its brackets
    std::uint64_t left_out = 0;
  };
  std::vector<OfInstance> instances_;
  const std::size_t most_bytes_;
  const std::optional<std::uint32_t> only_row_;
  std::size_t bytes_ = 0;
  bool is_full_ = false;
};

// Returns the record as JSON text with a further member "instances", which holds the explanations. With nullptr there
// is no further member.
std::string with_host_explanations(const json::object& record, const HostExplanations* explanations);

}  // namespace gantry::scheduling
