// SPDX-License-Identifier: Apache-2.0
//
// The host capabilities that ComputeCapabilitiesFilter requires: extra specs "capabilities:a:b" and extra specs
// without a scope. Each names a path that starts at the host state, and a requirement on the value there
// (nova/scheduler/filters/compute_capabilities_filter.py).
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

// A flavor's extra specs, parsed once and checked against many hosts. Keys in other scopes are ignored.
class capability_requirements {
 public:
  capability_requirements(const boost::json::object& extra_specs, release release);

  bool empty() const { return requirements_.empty(); }

  // Returns whether the host meets every requirement. Checks them in order. A name that is missing or None in the
  // host state is looked up in its `stats`. The host fails if the name is in neither. But a key without a scope is
  // then skipped (Icehouse: the host fails). A text in the middle of a path is parsed as JSON (Icehouse: the host
  // fails). Raises the errors of the requirements.
  outcome<bool> met_by(const attributes& host) const;

  // Returns the attributes that the verdict depends on, without duplicates, including `stats`.
  std::vector<std::string> reads() const;

 private:
  struct requirement {
    std::vector<std::string> path;
    bool scoped;
    bool is_text;  // false: Python raises when it parses the requirement
    std::string type;
    extra_specs_requirement wanted;
  };

  outcome<bool> meets(const attributes& host, const requirement& asked) const;

  release release_;
  std::vector<requirement> requirements_;
};

}  // namespace filter_driver
