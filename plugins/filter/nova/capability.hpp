// SPDX-License-Identifier: Apache-2.0
//
// What ComputeCapabilitiesFilter asks of a host: extra specs "capabilities:a:b" and those without a scope, each naming a
// path from the host state down and a requirement on what is found there (nova/scheduler/filters/
// compute_capabilities_filter.py).
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "nova/attributes.hpp"
#include "nova/extra_specs_match.hpp"
#include "nova/release.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// A flavor's extra specs taken apart once, to be asked of many hosts. Keys in other scopes are not for this filter.
class capability_requirements {
 public:
  capability_requirements(const boost::json::object& extra_specs, release release);

  bool empty() const { return requirements_.empty(); }

  // Whether the host meets every requirement, in their order. A name that the host state lacks, or that is None there,
  // is looked for in its `stats`. Not found: the host fails, but a key without a scope that is neither is passed over
  // (Icehouse: fails). A text with further names to follow is read as JSON (Icehouse: fails). Raises what a requirement
  // raises.
  outcome<bool> met_by(const attributes& host) const;

  // The attributes that the verdict depends on, each once, `stats` among them.
  std::vector<std::string> reads() const;

 private:
  struct requirement {
    std::vector<std::string> path;
    bool scoped;
    bool is_text;  // else Python raises when it takes the requirement apart
    std::string type;
    extra_specs_requirement wanted;
  };

  outcome<bool> meets(const attributes& host, const requirement& asked) const;

  release release_;
  std::vector<requirement> requirements_;
};

}  // namespace filter_driver
